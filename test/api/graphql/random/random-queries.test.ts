import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Grants } from '../../../../src/access/access.js';
import { buildSchema } from '../../../../src/api/graphql/schema/build-schema.js';
import { databases } from '../../../support/databases.js';
import { fc } from '../../../support/properties.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createEndpoint } from '../support/endpoint.js';
import type { Endpoint, GraphqlResult } from '../support/endpoint.js';
import { PROJECT, seedContent } from './content.js';
import { randomQuery } from './generate-query.js';

const RUNS = Number(process.env['QUERY_RUNS'] ?? '60');

const ROOTS = [
  'page',
  'pages',
  'pages_connection',
  'topic',
  'topics',
  'topics_connection',
  'site',
  'uploadFiles',
];

const PAGE_FIND = 'api::page.page.find';
const CALLERS: Readonly<Record<string, Grants>> = {
  some: { kind: 'actions', actions: new Set([PAGE_FIND, 'api::topic.topic.find']), rules: new Map() },
  conditional: {
    kind: 'actions',
    actions: new Set([PAGE_FIND, 'api::page.page.findOne', 'api::topic.topic.find']),
    rules: new Map([[PAGE_FIND, { fields: null, where: { label: { $ne: 'Two' } } }]]),
  },
};

const CONFIG = { amountLimit: 20, depthLimit: 20 };

describe.each(databases)('random queries on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let [compiling, tracing]: Endpoint[] = [];
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    await seedContent(testEnvironment);
    compiling = await createEndpoint({ testEnvironment, callers: CALLERS, config: CONFIG });
    const config = { ...CONFIG, apolloServer: { tracing: true } };
    tracing = await createEndpoint({ testEnvironment, callers: CALLERS, config });
  });
  afterAll(async () => {
    await compiling?.close();
    await tracing?.close();
    await testEnvironment.close();
  });

  it(
    'have the same response before and after they are compiled, and with each resolver wrapped',
    { timeout: 60_000 + RUNS * 500 },
    async () => {
      const schema = buildSchema(testEnvironment.model, { shadowCRUD: true, isLocale: () => true });
      let answers = 0;
      const textOf = ({ status, body: { data, errors } }: GraphqlResult): string =>
        JSON.stringify({ status, data, errors });
      const callers = fc.constantFrom('full', 'full', 'full', 'some', 'conditional');
      await fc.assert(
        fc.asyncProperty(randomQuery(schema, ROOTS), callers, async ({ query, variables }, as) => {
          const expected = await tracing?.ask(query, { variables, as });
          for (let run = 0; run < 3; run += 1) {
            const actual = await compiling?.ask(query, { variables, as });
            if (actual === undefined || expected === undefined) throw new Error('There is no endpoint.');
            expect(textOf(actual)).toBe(textOf(expected));
            if (expected.body.errors !== undefined || expected.status !== 200) continue;
            answers += 1;
          }
        }),
        // Shorter queries than the one that failed are rarely easier to read.
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(answers).toBeGreaterThan(RUNS / 2);
    },
  );
});
