import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPublicVersion } from '../../../src/access/access.js';
import { exportContent, streamExport } from '../../../src/project/archives/export-content.js';
import { importContent } from '../../../src/project/archives/import-content.js';
import type { PlannedImport } from '../../../src/project/archives/import-content.js';
import { readMediaStores } from '../../../src/project/open/content-stores.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import type { Project } from '../../../src/project/open/open-project.js';
import { receiveArchive } from '../../../src/project/archives/serve-transfers.js';
import { planPull, pullSteps } from '../../../src/transfer/files/plan-pull.js';
import { openExternalDatabase } from '../../../src/database/get-dialect.js';
import { openArchive } from '../../../src/transfer/archive/open-archive.js';
import type { ContentSource } from '../../../src/transfer/source.js';
import { contentTree } from '../../cli/support/file-tree.js';
import { databases } from '../../support/databases.js';
import { execute } from '../../support/execute-sql.js';
import { writeExportArchive } from '../../support/strapi-export.js';
import { idOf } from './import-fixture.js';
import { POLYMORPHIC_EXPORT, polymorphicFiles } from '../rest/polymorphic-fixture.js';
import { createSiteProject } from '../support/site.js';

const PARTS = new Set(['content', 'files', 'config'] as const);
const WHOLE = { form: 'galley', parts: PARTS, types: null, isCompressed: true, key: null } as const;

/** A pull of everything into a new folder. */
const PULL = { isWhole: true, isDryRun: false, choice: null, overwrites: false } as const;

const collect = async <T>(records: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
};

const importFrom = async (
  project: Project,
  source: ContentSource,
  existing: 'refuse' | 'skip' | 'replace' = 'refuse',
): Promise<PlannedImport['plan']> => {
  try {
    const options = { parts: PARTS, types: null, existing };
    const request = { source, options, restarts: false, onError: () => undefined };
    return await importContent(project, request, async ({ plan, run }) => {
      await run(() => undefined);
      return plan;
    });
  } finally {
    await source.close();
  }
};

/** All that an archive says, apart from when it was made. */
const recordsOf = async (source: ContentSource) => {
  const assets = await collect(source.assets());
  const records = {
    schemas: await collect(source.schemas()),
    entities: await collect(source.entities()),
    links: await collect(source.links()),
    editorial: await collect(source.editorial()),
    configuration: await collect(source.configuration()),
    assets: assets.map(({ name, metadata, size }) => ({ name, metadata, size })),
  };
  await source.close();
  return records;
};

/** All rows of content. Ids of links are nobody's, and revisions count writes. */
const rowsOf = async ({ config, model }: Project, folder: string): Promise<unknown> => {
  const database = await openExternalDatabase(config.database.url, folder);
  const names = [...database.tables.keys()].filter((name) => !/^(?:cms_|_prisma|sqlite|galley)/.test(name));
  const isLinkTable = (name: string): boolean =>
    !model.types.some(({ storage }) => storage.version.table === name || storage.document.table === name);
  const tables: Record<string, unknown> = {};
  for (const name of names.filter((table) => !table.includes('search')))
    tables[name] = (await database.rows(`select * from "${name}"`))
      .map((row) =>
        JSON.stringify(
          { ...row, revision: 0, ...(isLinkTable(name) ? { id: 0 } : {}) },
          (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
        ),
      )
      .toSorted((left, right) => (left < right ? -1 : 1));
  await database.close();
  return tables;
};

/** Receives events of one content-type only, so an archive that drops the limit would disclose others. */
const LIMITED_WEBHOOK = {
  id: '1',
  name: 'deploy',
  url: 'https://example.com',
  headers: { a: 'b' },
  events: ['entry.create'],
  isEnabled: true,
  types: ['api::article.article'],
  locales: ['en'],
  secret: 'whsec_c2VjcmV0',
  purge: 'varnish',
  retries: 2,
};

const stateOf = async ({ config, root }: Project, key: string): Promise<readonly string[]> => {
  const database = await openExternalDatabase(config.database.url, root);
  const rows = await database.rows(`SELECT "value" FROM "cms_state" WHERE "key" = '${key}'`);
  await database.close();
  return rows.map(({ value }) => String(value));
};

/** Scheduled changes, releases that are not published, and published versions. */
const editorialOf = async ({ config }: Project, folder: string) => {
  const database = await openExternalDatabase(config.database.url, folder);
  const schedules = await database.rows(
    'SELECT "action", "at", "error" FROM "cms_schedules" ORDER BY "action"',
  );
  const versions = await database.rows('SELECT "number", "content" FROM "cms_versions" ORDER BY "number"');
  const releases = await database.rows(
    'SELECT "name", "at", "document_id", "action" FROM "cms_releases" r JOIN "cms_release_items" i ' +
      'ON i."release_id" = r."id" WHERE r."published_at" IS NULL',
  );
  await database.close();
  return {
    releases: releases.map(({ name, at, document_id: id, action }) => [name, Number(at), id, action]),
    schedules: schedules.map(({ action, at, error }) => [action, Number(at), error]),
    versions: versions.map(({ number, content }) => [Number(number), content]),
  };
};

describe('an archive that goes from database to database', () => {
  /** The first and the last have databases of one kind. */
  const chain = [...databases, ...databases.slice(0, 1)];
  const sites: Awaited<ReturnType<typeof createSiteProject>>[] = [];
  const paths: string[] = [];
  let folder = '';
  const siteAt = (index: number): Project => {
    const site = sites.at(index);
    if (site === undefined) throw new Error(`there is no site ${index}`);
    return site.project;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-archive-test-'));
    const files = await polymorphicFiles();
    for (const database of chain)
      sites.push(await createSiteProject({ project: 'magazine', database, files }));
    const first = siteAt(0);
    const strapi = join(folder, 'strapi.tar');
    writeExportArchive(strapi, POLYMORPHIC_EXPORT);
    await importFrom(first, await openArchive(strapi, first.root));
    // What an archive for Strapi cannot say: links to what is not published, gaps in lists, conditions.
    await execute(
      first.config.database.url,
      `UPDATE articles_tags_links SET position = position * 10;
       DELETE FROM articles WHERE document_id = '${idOf('first')}' AND status = 'published';
       INSERT INTO articles_related_links (source_id, target_document_id, position)
         VALUES (103, '${idOf('first')}', 7);
       UPDATE up_permissions SET fields = '["name"]', conditions = '{"name":{"$eq":"red"}}',
           limits = '{"locales":["en"]}'
         WHERE action = 'api::tag.tag.find';
       UPDATE up_users SET reset_password_token = 'sent-by-mail';
       UPDATE cms_state SET value = '${JSON.stringify([LIMITED_WEBHOOK])}' WHERE key = 'strapi/webhooks';
       INSERT INTO cms_schedules (type, document_id, locale, action, at, error) VALUES
         ('api::article.article', '${idOf('first')}', 'en', 'publish', 4102444800000, NULL),
         ('api::article.article', '${idOf('first')}', 'en', 'unpublish', 1, 'It was refused.'),
         ('api::gone.gone', '${idOf('first')}', 'en', 'publish', 1, NULL);
       INSERT INTO cms_releases (id, name, created_at, at, published_at) VALUES
         (1, 'spring', 1, 4102444800000, null), (2, 'done', 1, null, 2);
       INSERT INTO cms_release_items (release_id, type, document_id, locale, action) VALUES
         (1, 'api::article.article', '${idOf('first')}', 'en', 'publish'),
         (2, 'api::article.article', '${idOf('first')}', 'en', 'publish');
       INSERT INTO cms_versions (type, document_id, locale, number, published_at, content) VALUES
         ('api::article.article', '${idOf('first')}', 'en', 4, 1767225600000, '{"title":"four"}'),
         ('api::article.article', '${idOf('gone')}', 'en', 1, 1767225600000, '{"title":"of nothing"}');`,
    );
    for (const [index, { project }] of sites.entries()) {
      const path = join(folder, `${index}.tar.gz`);
      const former = paths.at(-1);
      if (former !== undefined) await importFrom(project, await openArchive(former, project.root));
      await exportContent(project, path, WHOLE);
      paths.push(path);
    }
  });
  afterAll(async () => {
    for (const { remove } of sites) await remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('says the same wherever it was made', async () => {
    const records = await Promise.all(
      paths.map(async (path) => recordsOf(await openArchive(path, siteAt(0).root))),
    );
    for (const other of records.slice(2)) expect(other).toEqual(records[1]);
    // Only the first database knows what is left of a document that is gone.
    const [former, ...kept] = (records[0]?.editorial ?? []).toReversed();
    expect(former).toMatchObject({ documentId: idOf('gone') });
    expect(records[1]).toEqual({ ...records[0], editorial: kept.toReversed() });
    expect(await editorialOf(siteAt(-1), folder)).toEqual({
      releases: [['spring', 4_102_444_800_000, idOf('first'), 'publish']],
      schedules: [
        ['publish', 4_102_444_800_000, null],
        ['unpublish', 1, 'It was refused.'],
      ],
      versions: [[4, '{"title":"four"}']],
    });
    const [second] =
      records[0]?.entities.filter(({ id, type }) => type.endsWith('.article') && id === 103) ?? [];
    expect(second?.links).toMatchObject({
      tags: [{ type: 'api::tag.tag', documentId: idOf('red'), position: 10 }],
      related: [{ type: 'api::article.article', documentId: idOf('first'), position: 7 }],
      author: [{ type: 'api::author.author', documentId: idOf('ada'), inversePosition: 1 }],
    });
  });

  it('keeps the limits of webhooks, without their secrets', async () => {
    const { secret: _, ...limited } = LIMITED_WEBHOOK;
    const [text] = await stateOf(siteAt(-1), 'strapi/webhooks');
    expect(JSON.parse(text ?? '')).toEqual([limited]);
  });

  it('has settings, and no documents of the content-types that are excluded', async () => {
    const path = join(folder, 'excluded.tar.gz');
    const excludedTypes = new Set(['api::article.article']);
    await exportContent(siteAt(0), path, { ...WHOLE, excludedTypes });
    const [whole, rest] = await Promise.all(
      [paths[0] ?? '', path].map(async (each) => recordsOf(await openArchive(each, siteAt(0).root))),
    );
    const isKept = ({ type }: { readonly type: string }): boolean => !excludedTypes.has(type);
    expect(rest?.entities).toEqual(whole?.entities.filter(isKept));
    expect(rest?.entities.length).toBeGreaterThan(0);
    expect(rest?.editorial).toEqual(whole?.editorial.filter(isKept));
    expect(rest?.configuration).toEqual(whole?.configuration);
    expect(rest?.assets).toEqual(whole?.assets);
  });

  it('keeps what polymorphic relations of components lead to', async () => {
    for (const path of paths) {
      const { entities } = await recordsOf(await openArchive(path, siteAt(0).root));
      const first = entities.find(({ id, type }) => id === 100 && type === 'api::article.article');
      expect(first?.data['sections']).toMatchObject([
        {
          subject: `api::tag.tag ${idOf('blue')}`,
          things: [`api::author.author ${idOf('ada')}`, `api::tag.tag ${idOf('red')}`],
        },
        { __component: 'sections.quote' },
      ]);
    }
  });

  it('brings back all rows as they were, without codes that were sent to users', async () => {
    await execute(siteAt(0).config.database.url, 'UPDATE up_users SET reset_password_token = NULL');
    expect(await rowsOf(siteAt(-1), folder)).toEqual(await rowsOf(siteAt(0), folder));
    const uploads = (project: Project) => readdir(project.config.upload.directory);
    expect(await uploads(siteAt(-1))).toEqual(await uploads(siteAt(0)));
  });

  it('writes the same files where content is pulled, on each database', async () => {
    const folders = await Promise.all(
      sites.map(async ({ project }, index) => {
        const root = join(folder, `pulled-${index}`);
        const opened = await openProjectDatabase(project);
        try {
          const { content, media } = await readMediaStores(opened);
          const types = project.model.types.filter(({ uid }) => uid.startsWith('api::'));
          const options = { ...PULL, root, types, media };
          for (const { run } of pullSteps(content, await planPull(content, options), options)) await run();
        } finally {
          await opened.close();
        }
        return contentTree(root);
      }),
    );
    expect(Object.keys(folders[0] ?? {}).length).toBeGreaterThan(5);
    for (const other of folders.slice(1)) expect(other).toEqual(folders[0]);
  });

  it('arrives as a stream, and replaces in a living project what it holds', async () => {
    const [from, to] = [siteAt(0), siteAt(-1)];
    const { url } = to.config.database;
    await execute(
      url,
      `UPDATE articles SET title = 'changed'; UPDATE authors SET name = 'changed';
       UPDATE cms_versions SET content = '{"title":"changed"}'; UPDATE cms_schedules SET error = 'changed'`,
    );
    const stream = await streamExport(from, { ...WHOLE, types: new Set(['api::article.article']) });
    const source = await receiveArchive(to.root, { stream, description: 'what arrives' });
    const { types, links, findings } = await importFrom(to, source, 'replace');
    expect(types).toEqual([{ uid: 'api::article.article', documents: 3, versions: 6, existing: 3 }]);
    expect({ links, findings }).toEqual({ links: 7, findings: [] });
    const { schedules, versions } = await editorialOf(to, folder);
    expect(schedules.map(([, , error]) => error)).toEqual([null, 'It was refused.']);
    expect(versions).toEqual([[4, '{"title":"changed"}']]);
    await execute(url, "UPDATE authors SET name = 'Ada'");
    expect(await rowsOf(to, folder)).toEqual(await rowsOf(from, folder));
  });

  it.each(['documents', 'records'])('goes on after an end among the %s', async (step) => {
    const [from, to] = [siteAt(0), siteAt(-1)];
    const attempt = async (onProgress: (detail: string) => void): Promise<boolean> => {
      const source = await openArchive(path, to.root);
      const options = { parts: PARTS, types: null, existing: 'replace' } as const;
      const request = { source, options, restarts: false, onError: () => undefined };
      try {
        return await importContent(to, request, async ({ plan, run }) => {
          await run(onProgress);
          return plan.resumes;
        });
      } finally {
        await source.close();
      }
    };
    const path = join(folder, `${step}.tar.gz`);
    await exportContent(from, path, WHOLE);
    await execute(to.config.database.url, "DELETE FROM tags_documents WHERE document_id LIKE 'blue%'");
    const publicVersion = async (): Promise<string | null> => {
      const { database: opened, close } = await openProjectDatabase(to);
      try {
        return await readPublicVersion(opened);
      } finally {
        await close();
      }
    };
    const before = await publicVersion();
    const ended = attempt((detail) => {
      if (detail.endsWith(step)) throw new Error('killed');
    });
    await expect(ended).rejects.toThrow('killed');
    // Public caches drop the content that is no longer there.
    expect(await publicVersion()).not.toBe(before);
    expect(await attempt(() => undefined)).toBe(true);
    expect(await rowsOf(to, folder)).toEqual(await rowsOf(from, folder));
  });

  it('ends with its reader', async () => {
    const stream = await streamExport(siteAt(0), WHOLE);
    stream.destroy();
    await expect.poll(() => readdir(join(siteAt(0).root, '.galley/transfer'))).toEqual([]);
  });
});
