import { expect } from 'vitest';
import type { Grants } from '../../../../src/access/access.js';
import type { ProjectGraphql } from '../../../../src/project/open/graphql-extension.js';
import type {
  ExtensionConfiguration,
  ResolverConfig,
} from '../../../../src/api/graphql/extension/configuration.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import type { Endpoint } from '../support/endpoint.js';
import { magazineEndpoints } from '../support/magazine-endpoints.js';

const grants = (...actions: readonly string[]): Grants => ({
  kind: 'actions',
  actions: new Set(actions),
  rules: new Map(),
});

const CALLERS: Readonly<Record<string, Grants>> = {
  nothing: grants(),
  articles: grants('api::article.article.find', 'api::article.article.findOne'),
  tags: grants('api::tag.tag.find'),
  titles: {
    kind: 'actions',
    actions: new Set(['api::article.article.find', 'api::author.author.find', 'api::tag.tag.find']),
    rules: new Map([['api::article.article.find', { fields: new Set(['title', 'tags']), where: null }]]),
  },
};

/** How often each operation is sent: first it is interpreted, later it is compiled. */
const RUNS = 4;

/** One error: path, message, name. */
export type ExpectedError = readonly [string | undefined, string, string];

export interface QueryResult {
  readonly data: unknown;
  readonly errors: readonly ExpectedError[];
  readonly statements: number;
}

export const forbidden = (path: string): ExpectedError => [path, 'Forbidden', 'ForbiddenError'];
export const policyFailed = (path: string): ExpectedError => [path, 'Policy Failed', 'PolicyError'];

/** Sends an operation several times and expects the same result each time. */
export async function ask(
  endpoint: Endpoint,
  query: string,
  as = 'full',
  variables: Readonly<Record<string, unknown>> = {},
): Promise<QueryResult> {
  const results: QueryResult[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { status, body, statements } = await endpoint.ask(query, { as, variables });
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringMatching(/stack|node_modules/)]);
    results.push({
      data: body.data,
      errors: (body.errors ?? []).map(
        ({ path, message, extensions }) =>
          [path?.join('.'), message, (extensions['error'] as { name: string }).name] as const,
      ),
      statements,
    });
  }
  const [first, ...others] = results;
  for (const other of others) expect(other).toEqual(first);
  if (first === undefined) throw new Error('nothing was asked');
  return first;
}

export interface ExtendedEndpoints {
  readonly start: (extend: (graphql: ProjectGraphql) => void) => Promise<Endpoint>;
  readonly startWith: (...uses: readonly ExtensionConfiguration[]) => Promise<Endpoint>;
  readonly configured: (resolversConfig: Readonly<Record<string, ResolverConfig>>) => Promise<Endpoint>;
}

/** Endpoints over the seeded magazine, closed after each test. */
export function extendedEndpoints(database: TestDatabaseKind): ExtendedEndpoints {
  const startEndpoint = magazineEndpoints(database);
  const start: ExtendedEndpoints['start'] = (extend) => startEndpoint({ callers: CALLERS, extend });
  const startWith: ExtendedEndpoints['startWith'] = (...uses) =>
    start(({ service }) => uses.forEach((each) => service.use(each)));
  return { start, startWith, configured: (resolversConfig) => startWith({ resolversConfig }) };
}
