import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Grants } from '../../../../src/access/access.js';
import { buildSchema } from '../../../../src/graphql/schema/build-schema.js';
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
  let [printing, resolving]: Endpoint[] = [];
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    await seedContent(testEnvironment);
    printing = await createEndpoint({ testEnvironment, callers: CALLERS, config: CONFIG });
    // Times are measured in resolvers, so that these answer everything.
    const config = { ...CONFIG, apolloServer: { tracing: true } };
    resolving = await createEndpoint({ testEnvironment, callers: CALLERS, config });
  });
  afterAll(async () => {
    await printing?.close();
    await resolving?.close();
    await testEnvironment.close();
  });

  it('are answered by statements as resolvers answer them', { timeout: 60_000 + RUNS * 500 }, async () => {
    const schema = buildSchema(testEnvironment.model, { shadowCRUD: true, isLocale: () => true });
    let [answers, printed] = [0, 0];
    const textOf = ({ status, body: { data, errors } }: GraphqlResult): string =>
      JSON.stringify({ status, data, errors });
    const callers = fc.constantFrom('full', 'full', 'full', 'some', 'conditional');
    await fc.assert(
      fc.asyncProperty(randomQuery(schema, ROOTS), callers, async ({ query, variables }, as) => {
        const expected = await resolving?.ask(query, { variables, as });
        for (let run = 0; run < 2; run += 1) {
          const actual = await printing?.ask(query, { variables, as });
          if (actual === undefined || expected === undefined) throw new Error('There is no endpoint.');
          expect(textOf(actual)).toBe(textOf(expected));
          if (expected.body.errors !== undefined || expected.status !== 200) continue;
          answers += 1;
          if (actual.parsedReads === 0) printed += 1;
        }
      }),
      // Shorter queries than the one that failed are rarely easier to read.
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(answers).toBeGreaterThan(RUNS / 2);
    expect(printed / answers).toBeGreaterThan(0.8);
  });
});
