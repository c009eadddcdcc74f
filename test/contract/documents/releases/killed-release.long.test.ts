import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReleases } from '../../../../src/documents/releases/releases.js';
import { IDS_ONLY } from '../../../../src/query/query.js';
import { bundleScript } from '../../../cli/support/bundle-script.js';
import { databases } from '../../../support/databases.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi } from '../service.js';

const DOCUMENTS = Number(process.env['RELEASE_DOCUMENTS'] ?? 200);
const KILLS = 10;
/** A process is started for each kill. */
const TIMEOUT_MS = 900_000;
const TYPE = 'api::page.page';
const MODEL: ProjectLiteral = {
  types: { page: { draftAndPublish: true, attributes: { title: { type: 'string' } } } },
};
const SCRIPT = fileURLToPath(new URL('publish-until.ts', import.meta.url));
const locales = { defaultCode: () => 'en', has: (code: string) => code === 'en' };
const run = promisify(execFile);

describe.each(databases)('a release whose process is killed on $name', (database) => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await createTestEnvironment({ model: MODEL, database });
  });
  afterAll(() => environment.close());

  it('is published as a whole or not at all', { timeout: TIMEOUT_MS }, async () => {
    const { model, database: opened, url } = environment;
    const { documents } = createApi(environment);
    const releases = createReleases({ database: opened, model, documents, locales });
    const createRelease = async (name: string): Promise<void> => {
      const created = await documents.bulk({
        items: Array.from({ length: DOCUMENTS }, (_item, index) => ({
          action: 'create' as const,
          params: {
            type: TYPE,
            status: 'draft' as const,
            selection: IDS_ONLY,
            data: { title: `Page ${index}` },
          },
        })),
        atomic: true,
      });
      await releases.create(name);
      const changes = created.flatMap((outcome) =>
        'error' in outcome
          ? []
          : [{ type: TYPE, documentId: outcome.documentId, action: 'publish' as const }],
      );
      await releases.add(name, changes);
    };
    await createRelease('rehearsal');
    await createRelease('spring');
    const script = await bundleScript(SCRIPT);
    const publish = async (name: string, lastStatement: number): Promise<string> => {
      const args = [script, database.name, url, JSON.stringify(MODEL), name, String(lastStatement)];
      try {
        return (await run(process.execPath, args)).stdout;
      } catch (error) {
        const signal: unknown = error instanceof Error && 'signal' in error ? error.signal : undefined;
        if (signal !== 'SIGKILL') throw error;
        return 'killed';
      }
    };
    const state = async () => {
      const countSql = `SELECT count(*) FROM "pages" WHERE "status" = 'published'`;
      const release = (await releases.list()).find(({ name }) => name === 'spring');
      return { published: await opened.readNumber(countSql, []), release: release?.state };
    };

    const statements = Number(await publish('rehearsal', 0));
    expect(statements).toBeGreaterThan(KILLS);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      expect(await publish('spring', Math.floor((statements * kill) / KILLS))).toBe('killed');
      expect(await state()).toEqual({ published: DOCUMENTS, release: 'open' });
    }
    expect(await publish('spring', 0)).toBe(String(statements));
    expect(await state()).toEqual({ published: 2 * DOCUMENTS, release: 'published' });
  });
});
