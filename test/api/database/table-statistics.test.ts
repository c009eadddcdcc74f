import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importContent } from '../../../src/project/archives/import-content.js';
import { createDocumentHooks } from '../../../src/documents/hooks.js';
import { refreshStatistics } from '../../../src/documents/refresh-statistics.js';
import { openArchive } from '../../../src/transfer/archive/open-archive.js';
import type { ImportOptions } from '../../../src/transfer/source.js';
import { databases } from '../../support/databases.js';
import { writeExportArchive } from '../../support/strapi-export.js';
import { MAGAZINE_EXPORT } from '../transfer/import-fixture.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const TAG = 'api::tag.tag';

const onError = (error: unknown): never => {
  throw error;
};

/** Creates tags by one bulk. */
const createTags = async (site: Site, first: number, count: number): Promise<void> => {
  const items = Array.from({ length: count }, (_, index) => ({
    action: 'create',
    data: { name: `tag ${first + index}` },
  }));
  const response = await fetch(`${site.server.url}/api/tags/bulk`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${site.tokens['full'] ?? ''}`,
    },
    body: JSON.stringify({ data: items }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
};

const KNOWN_ROWS = {
  postgresql: `select relname as "name", reltuples::int as "rows" from pg_class where reltuples > 0`,
  sqlite: `select tbl as "name", max(cast(stat as integer)) as "rows" from sqlite_stat1 group by tbl`,
};

describe.each(databases)('what the planner of $name knows of tables', (database) => {
  const knownRows = (site: Site, ...tables: readonly string[]): Promise<readonly unknown[]> =>
    site.server.app.database.transact(async (tx) => {
      const rows = await tx.query(KNOWN_ROWS[database.name], []);
      return tables.map((table) => rows.find(({ name }) => name === table)?.['rows'] ?? 0).map(Number);
    });

  it('is renewed as a type is filled', async () => {
    const site = await createSite({ project: 'magazine', database });
    onTestFinished(() => site.close());
    await createTags(site, 0, 50);
    await expect.poll(() => knownRows(site, 'tags', 'tags_documents'), { timeout: 10_000 }).toEqual([50, 50]);
  });

  it.runIf(database.name === 'postgresql')(
    'is renewed as a type is filled, with its link tables, and not where it is known',
    async () => {
      const site = await createSite({ project: 'magazine', database });
      onTestFinished(() => site.close());
      const opened = site.server.app.database;
      /** How often tables of the type were looked at. */
      const looks = (): Promise<Readonly<Record<string, unknown>>> =>
        opened.transact(async (tx) => {
          const rows = await tx.query(
            `select relname as "name", analyze_count::int as "count" from pg_stat_user_tables
           where relname in ('tags', 'tags_documents', 'profiles_favourite_tags_links')
             and analyze_count > 0`,
            [],
          );
          return Object.fromEntries(rows.map(({ name, count }) => [String(name), count]));
        });
      const expectLooks = async (expected: Readonly<Record<string, number>>): Promise<void> => {
        await expect.poll(looks, { timeout: 10_000 }).toEqual(expected);
      };

      await createTags(site, 0, 49);
      expect(await looks()).toEqual({});
      await createTags(site, 49, 1);
      await expectLooks({ tags: 1, tags_documents: 1 });

      // Of another process.
      const hooks = createDocumentHooks({ onError });
      const settled = refreshStatistics({ database: opened, model: site.project.model, hooks, onError });
      const event = { action: 'create', type: TAG, documentId: 'any', locale: null, status: null } as const;
      const create = async (count: number): Promise<void> => {
        await hooks.emitAfter(Array.from({ length: count }, () => ({ ...event, data: {} })));
        await settled();
      };
      await create(50);
      await expectLooks({ tags: 1, tags_documents: 1 });
      await create(149);
      await expectLooks({ tags: 1, tags_documents: 1 });
      await create(1);
      await expectLooks({ tags: 2, tags_documents: 2 });
    },
  );

  it('is renewed by an import', async () => {
    const site = await createSite({ project: 'magazine', database });
    onTestFinished(() => site.close());
    const path = join(site.root, 'export.tar');
    writeExportArchive(path, MAGAZINE_EXPORT, { compress: false });
    const source = await openArchive(path, site.root);
    onTestFinished(() => source.close());
    const options: ImportOptions = { parts: new Set(['content']), types: null, existing: 'refuse' };
    await importContent(site.project, { source, options, restarts: false, onError }, ({ run }) =>
      run(() => undefined),
    );
    expect(await knownRows(site, 'articles', 'articles_documents')).toEqual([7, 3]);
  });
});
