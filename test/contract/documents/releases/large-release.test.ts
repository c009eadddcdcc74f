import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReleases } from '../../../../src/documents/releases/releases.js';
import { IDS_ONLY } from '../../../../src/query/query.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi } from '../service.js';

const DOCUMENTS = 10_000;
const TYPE = 'api::page.page';
/** Several times of what a release of this size needs. */
const MAX_SECONDS = 90;
const MAX_MEGABYTES = 400;
const TIMEOUT_MS = 300_000;
const locales = { defaultCode: () => 'en', has: (code: string) => code === 'en' };

describe.each(databases)(`a release of ${DOCUMENTS} documents on $name`, (database) => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await createTestEnvironment({
      model: {
        types: {
          page: {
            draftAndPublish: true,
            attributes: { title: { type: 'string', required: true }, body: { type: 'text' } },
          },
        },
      },
      database,
    });
  });
  afterAll(() => environment.close());

  it('is published in bounded time and memory', { timeout: TIMEOUT_MS }, async () => {
    const { model, database: opened } = environment;
    const { documents } = createApi(environment);
    const releases = createReleases({ database: opened, model, documents, locales });
    const created = await documents.bulk({
      items: Array.from({ length: DOCUMENTS }, (_item, index) => ({
        action: 'create' as const,
        params: {
          type: TYPE,
          status: 'draft' as const,
          selection: IDS_ONLY,
          data: { title: `Page ${index}`, body: 'text '.repeat(100) },
        },
      })),
      atomic: true,
    });
    const changes = created.flatMap((outcome) =>
      'error' in outcome ? [] : [{ type: TYPE, documentId: outcome.documentId, action: 'publish' as const }],
    );
    await releases.create('large');
    await releases.add('large', changes);
    const memory = process.memoryUsage().rss;
    const startedAt = performance.now();
    expect(await releases.publish('large')).toMatchObject({ state: 'published', items: DOCUMENTS });
    const seconds = (performance.now() - startedAt) / 1000;
    const megabytes = (process.memoryUsage().rss - memory) / 2 ** 20;
    const countSql = `SELECT count(*) FROM "pages" WHERE "status" = 'published'`;
    expect(await opened.readNumber(countSql, [])).toBe(DOCUMENTS);
    expect({ seconds: seconds < MAX_SECONDS, megabytes: megabytes < MAX_MEGABYTES }).toEqual({
      seconds: true,
      megabytes: true,
    });
  });
});
