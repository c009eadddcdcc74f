import { afterAll, beforeAll, expect } from 'vitest';
import { seedMagazine } from '../../../contract/query/compile/magazine.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createEndpoint } from './endpoint.js';
import type { Endpoint, GraphqlResult } from './endpoint.js';

const actions = (...names: string[]) =>
  ({ kind: 'actions', actions: new Set(names), rules: new Map() }) as const;

export interface ReadingEndpoint {
  /** Only to be called inside tests. */
  readonly endpoint: () => Endpoint;
  /** Repeats the request until the document is compiled, and checks that the responses are equal. */
  readonly ask: (...params: Parameters<Endpoint['ask']>) => Promise<GraphqlResult>;
}

/**
 * Sets up one endpoint over the seeded magazine for all tests of a `describe`, with callers of limited
 * rights.
 */
export function readingEndpoint(database: TestDatabaseKind): ReadingEndpoint {
  let testEnvironment: TestEnvironment;
  let endpoint: Endpoint;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
    endpoint = await createEndpoint({
      testEnvironment,
      callers: {
        tags: actions('api::tag.tag.find'),
        articles: actions('api::article.article.find'),
        conditional: {
          kind: 'actions',
          actions: new Set(['api::tag.tag.find', 'api::article.article.find']),
          rules: new Map([
            ['api::article.article.find', { fields: null, where: { title: { $ne: 'Second' } } }],
          ]),
        },
        limited: {
          kind: 'actions',
          actions: new Set(['api::tag.tag.find', 'api::article.article.find']),
          rules: new Map([
            [
              'api::article.article.find',
              { fields: new Set(['title', 'tags']), where: { title: { $ne: 'Second' } } },
            ],
          ]),
        },
      },
    });
  });
  afterAll(async () => {
    await endpoint.close();
    await testEnvironment.close();
  });

  return {
    endpoint: () => endpoint,
    ask: async (...params) => {
      const first = await endpoint.ask(...params);
      for (let run = 0; run < 3; run += 1) expect(await endpoint.ask(...params)).toEqual(first);
      return first;
    },
  };
}
