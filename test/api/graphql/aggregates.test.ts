import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { fc } from '../../support/properties.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const RUNS = Number(process.env['AGGREGATE_RUNS'] ?? 40);
const ARTICLES = 30;

const NUMBERS = ['views', 'reads', 'rating', 'score'];
const ORDERED = [...NUMBERS, 'title', 'kind', 'eventDate', 'startsAt'];
const KEYS = ['kind', 'featured', 'author', 'views', 'reads', 'eventDate', 'startsAt', 'locale'];
const TIMES: ReadonlySet<string> = new Set(['eventDate', 'startsAt']);

/** Filters in the form of REST and of GraphQL. */
const FILTERS = [
  ['', ''],
  ['&filters[views][$gt]=3', 'filters: {views: {gt: 3}}'],
  ['&filters[author][name][$eq]=Ada', 'filters: {author: {name: {eq: "Ada"}}}'],
  ['&filters[$not][kind][$in][0]=news', 'filters: {not: {kind: {in: ["news"]}}}'],
  ['&_q=7', '_q: "7"'],
  ['&filters[views][$gt]=1000', 'filters: {views: {gt: 1000}}'],
] as const;

const STATUSES = [
  ['', 'status: PUBLISHED'],
  ['&status=draft', 'status: DRAFT'],
] as const;

const request = fc.record({
  filter: fc.constantFrom(...FILTERS),
  status: fc.constantFrom(...STATUSES),
  sum: fc.uniqueArray(fc.constantFrom(...NUMBERS), { maxLength: 3 }),
  avg: fc.uniqueArray(fc.constantFrom(...NUMBERS), { maxLength: 2 }),
  min: fc.uniqueArray(fc.constantFrom(...ORDERED), { maxLength: 3 }),
  max: fc.uniqueArray(fc.constantFrom(...ORDERED), { maxLength: 3 }),
  keys: fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 }),
  unit: fc.constantFrom('year', 'month', 'day'),
  sort: fc.constantFrom('count:desc', 'count'),
  limit: fc.integer({ min: 1, max: 6 }),
});

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const FUNCTIONS = ['sum', 'avg', 'min', 'max'] as const;

const unitOf = (key: string, unit: string): string => (TIMES.has(key) ? unit : '');

const restPath = ({ filter, status, keys, unit, sort, limit, ...figures }: Request, isGrouped: boolean) => {
  const values = FUNCTIONS.map((name) => `&${name}=${figures[name].join(',')}`).join('');
  const groups = keys.map((key) => `&groupBy[${key}]=${unitOf(key, unit)}`).join('');
  const page = `&sort=${sort}&pagination[limit]=${limit}`;
  return `/api/articles/aggregate?count${filter[0]}${status[0]}${values}${isGrouped ? groups + page : ''}`;
};

const graphqlQuery = ({ filter, status, keys, unit, sort, limit, ...figures }: Request): string => {
  const values = FUNCTIONS.flatMap((name) =>
    figures[name].length === 0 ? [] : [`${name} { ${figures[name].join(' ')} }`],
  ).join(' ');
  const by = keys.map((key) =>
    TIMES.has(key) ? `{field: ${key}, unit: ${unit.toUpperCase()}}` : `{field: ${key}}`,
  );
  const groups = `groups(by: [${by.join(', ')}], sort: "${sort}", pagination: {limit: ${limit}})`;
  const parts = `count ${values} ${groups} { group: key { ${keys.join(' ')} } count ${values} }`;
  return `{ articles_aggregate(${[status[1], filter[1]].filter(Boolean).join(', ')}) { ${parts} } }`;
};

/** Large integers are text over REST. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, each: unknown) =>
    key === 'reads' && typeof each === 'string' ? Number(each) : each,
  ) as unknown;

describe.each(databases)('aggregates over GraphQL on $name', (database) => {
  let site: Site;

  const send = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(encodeURI(`${site.server.url}${path}`), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const ask = (query: string): Promise<Record<string, unknown>> => send('/graphql', { query });

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    const authors: string[] = [];
    for (const name of ['Ada', 'Bo']) {
      const { data } = await send('/api/authors', { data: { name } });
      authors.push((data as { readonly documentId: string }).documentId);
    }
    const items = Array.from({ length: ARTICLES }, (_, index) => ({
      action: 'create',
      status: index % 4 === 0 ? 'draft' : 'published',
      data: {
        title: `Article ${index}`,
        kind: ['news', 'opinion', 'review', null][index % 4],
        views: index % 7 === 0 ? null : index % 5,
        reads: String((index % 3) * 1_000_000_007),
        rating: (index % 20) / 4,
        score: index % 6,
        featured: [true, false, null][index % 3],
        eventDate: `202${index % 3}-0${(index % 9) + 1}-10`,
        startsAt: index % 5 === 0 ? null : `202${index % 2}-0${(index % 9) + 1}-10T10:00:00.000Z`,
        author: authors[index % 3] ?? null,
      },
    }));
    const { error } = await send('/api/articles/bulk', { data: items });
    if (error !== undefined) throw new Error(JSON.stringify(error));
  });
  afterAll(async () => site.close());

  it('are those of REST', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (each) => {
        const { data, errors } = await ask(graphqlQuery(each));
        expect(errors).toBeUndefined();
        const [whole, grouped] = await Promise.all([send(restPath(each, false)), send(restPath(each, true))]);
        const expected = { ...(whole['data'] as object), groups: grouped['data'] };
        expect(plain(data)).toEqual({ articles_aggregate: plain(expected) });
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('take aliases, fragments and variables, and one statement for each list of groups', async () => {
    const query = `query ($by: [Aggregate_ArticleBy!]!, $more: Boolean!) {
      all: articles_aggregate(status: DRAFT) {
        ...figures
        kinds: groups(by: $by, sort: ["count:desc"]) { key { kind } total: count }
        days: groups(by: [{field: eventDate, unit: YEAR}]) { key { eventDate } least: min { views } }
      }
    }
    fragment figures on Aggregate_Article {
      count sum { views } most: max { views kind } sum @include(if: $more) { score }
    }`;
    const answer = await send('/graphql', { query, variables: { by: [{ field: 'kind' }], more: true } });
    expect(answer).toMatchObject({
      data: {
        all: {
          count: ARTICLES,
          sum: { views: expect.any(Number) as unknown, score: expect.any(Number) as unknown },
          most: { views: 4, kind: 'review' },
          kinds: { length: 4 },
          days: { length: 3 },
        },
      },
    });
  });

  it.each([
    ['{ articles_aggregate { groups(by: []) { count } } }', 'groupBy'],
    ['{ articles_aggregate { groups(by: [{field: kind, unit: DAY}]) { count } } }', 'only times'],
    ['{ articles_aggregate { groups(by: [{field: kind}], sort: "sum.views") { count } } }', 'must be one of'],
    ['{ articles_aggregate { sum { title } } }', 'Cannot query field'],
    ['{ articles_aggregate { min { secret } } }', 'Cannot query field'],
    ['{ articles_aggregate { min { internalNote } } }', 'Cannot query field'],
  ])('refuse %s', async (query, message) => {
    expect(JSON.stringify(await ask(query))).toContain(message);
  });

  it('need the permission to find', async () => {
    const response = await fetch(`${site.server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ articles_aggregate { count groups(by: {field: kind}) { count } } }' }),
    });
    expect(await response.json()).toMatchObject({ data: null, errors: [{ path: ['articles_aggregate'] }] });
  });
});
