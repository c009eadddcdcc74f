import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedMagazine } from '../../contract/query/compile/magazine.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint } from './support/endpoint.js';

/** How often each document runs, so that Mercurius compiles it. */
const RUNS = 6;

/** Number of documents so far. Makes each of them new, since a compiled document stays compiled. */
let documents = 0;

describe.each(databases)('arguments given as variables on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let endpoint: Endpoint;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
    endpoint = await createEndpoint({ testEnvironment });
  });
  afterAll(async () => {
    await endpoint.close();
    await testEnvironment.close();
  });

  it('can be recursive filters, also once the document is compiled', async () => {
    const query = `
      query ($filters: ArticleFiltersInput, $pagination: PaginationArg, $sort: [String]) {
        articles(filters: $filters, pagination: $pagination, sort: $sort) {
          title
        }
      }
    `;
    const titles = async (variables: Readonly<Record<string, unknown>>) =>
      (await endpoint.ask(query, { variables })).body.data;
    for (let run = 0; run < RUNS; run += 1) {
      expect(await titles({ filters: { title: { eq: 'First' } } })).toEqual({
        articles: [{ title: 'First' }],
      });
      expect(
        await titles({
          filters: {
            or: [{ title: { eq: 'First' } }, { not: { author: { articles: { title: { ne: 'First' } } } } }],
          },
          sort: ['title'],
          pagination: { limit: 1 },
        }),
      ).toEqual({ articles: [{ title: 'First' }] });
      expect((await endpoint.ask(query, { variables: { filters: { nope: 1 } } })).status).toBe(400);
    }
  });

  it('may be null for and, or and not, which then have no effect', async () => {
    const query = `
      query ($list: [ArticleFiltersInput], $one: ArticleFiltersInput) {
        articles(
          filters: {title: {eq: "First"}, and: $list, or: $list, not: $one, author: {articles: {not: $one}}}
        ) {
          title
        }
      }
    `;
    for (let run = 0; run < RUNS; run += 1)
      expect((await endpoint.ask(query, { variables: { list: null, one: null } })).body).toEqual({
        data: { articles: [{ title: 'First' }] },
      });
  });

  it('can be filters of nested lists and of connections', async () => {
    const query = `
      query ($filters: TagFiltersInput!) {
        articles(filters: {title: {eq: "First"}}) {
          tags(filters: $filters) {
            name
          }
          tags_connection(filters: $filters) {
            nodes {
              name
            }
          }
        }
        tags_connection(filters: $filters) {
          pageInfo {
            total
          }
        }
      }
    `;
    for (let run = 0; run < RUNS; run += 1) {
      const { body } = await endpoint.ask(query, { variables: { filters: { name: { eq: 'Beta' } } } });
      expect(body.data).toEqual({
        articles: [{ tags: [{ name: 'Beta' }], tags_connection: { nodes: [{ name: 'Beta' }] } }],
        tags_connection: { pageInfo: { total: 1 } },
      });
    }
  });

  it.each([
    ['query($page: Int) { articles(pagination: { page: $page }) { title } }', { page: 1 }, { page: 'one' }],
    ['query($page: Int!) { articles(pagination: { page: $page }) { title } }', { page: 1 }, {}],
    [
      'query($pagination: PaginationArg) { articles(pagination: $pagination) { title } }',
      {},
      { pagination: 7 },
    ],
    [
      'query($pagination: PaginationArg) { articles(pagination: $pagination) { title } }',
      { pagination: { page: 1 } },
      { pagination: { size: 7 } },
    ],
    ['query($sort: [String]) { articles(sort: $sort) { title } }', { sort: 'title' }, { sort: [7] }],
    [
      'query($status: PublicationStatus) { articles(status: $status) { title } }',
      { status: 'DRAFT' },
      { status: 'NEITHER' },
    ],
    [
      'query($locale: I18NLocaleCode) { articles(locale: $locale) { title } }',
      { locale: 'en' },
      { locale: 'xx' },
    ],
    ['query($id: ID!) { article(documentId: $id) { title } }', { id: 'one' }, { id: null }],
    ['query($id: ID!) { article(documentId: $id) { title } }', { id: 1 }, { id: {} }],
    [
      'mutation($data: TagInput!) { updateTag(documentId: "none", data: $data) { name } }',
      { data: {} },
      { data: { name: 7 } },
    ],
    [
      'mutation($data: TagInput!) { updateTag(documentId: "none", data: $data) { name } }',
      { data: { name: 'x' } },
      { data: { nope: 7 } },
    ],
    [
      'mutation($data: TagInput!) { updateTag(documentId: "none", data: $data) { name } }',
      { data: {} },
      { data: null },
    ],
  ])('are validated alike before and after compilation: %s takes %j, not %j', async (query, right, wrong) => {
    const responses: unknown[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const document = `${query}\n# ${(documents += 1)}`;
      for (let time = 0; time < run; time += 1)
        expect((await endpoint.ask(document, { variables: right })).body.errors).toBeUndefined();
      const { status, body } = await endpoint.ask(document, { variables: wrong });
      responses.push({
        status,
        errors: body.errors?.map(({ path = null, extensions }) => [path, extensions['code']]),
      });
    }
    expect(responses).toEqual(responses.map(() => ({ status: 400, errors: [[null, 'BAD_USER_INPUT']] })));
  });

  it('can be the data of a mutation', async () => {
    const mutation =
      'mutation($data: ArticleInput!) { createArticle(data: $data) { title seo { metaTitle } } }';
    for (let run = 0; run < RUNS; run += 1) {
      const { body } = await endpoint.ask(mutation, {
        variables: { data: { title: `Made ${run}`, slug: `made-${run}` } },
      });
      expect(body.data?.['createArticle']).toEqual({ title: `Made ${run}`, seo: null });
    }
  });
});
