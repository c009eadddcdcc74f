import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedMagazine } from '../../contract/sql/magazine.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint } from './support/endpoint.js';

/** Documents are compiled when they come again, which they do here. */
const RUNS = 6;

/** Numbers documents, so that each has never come before: what was compiled stays so. */
let documents = 0;

describe.each(databases)('whole arguments as variables on $name', (database) => {
  let world: World;
  let endpoint: Endpoint;
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    await seedMagazine(world);
    endpoint = await createEndpoint({ world });
  });
  afterAll(async () => {
    await endpoint.close();
    await world.close();
  });

  it('can be filters, which hold filters, however often the document comes', async () => {
    const query = 'query($filters: ArticleFiltersInput, $pagination: PaginationArg, $sort: [String]) { articles(filters: $filters, pagination: $pagination, sort: $sort) { title } }';
    const titles = async (variables: Readonly<Record<string, unknown>>) => (await endpoint.ask(query, { variables })).body.data;
    for (let run = 0; run < RUNS; run += 1) {
      expect(await titles({ filters: { title: { eq: 'First' } } })).toEqual({ articles: [{ title: 'First' }] });
      expect(await titles({ filters: { or: [{ title: { eq: 'First' } }, { not: { author: { articles: { title: { ne: 'First' } } } } }] }, sort: ['title'], pagination: { limit: 1 } })).toEqual({ articles: [{ title: 'First' }] });
      expect((await endpoint.ask(query, { variables: { filters: { nope: 1 } } })).status).toBe(400);
    }
  });

  it('can be filters of a list within a list, and of a connection', async () => {
    const query = 'query($filters: TagFiltersInput!) { articles(filters: { title: { eq: "First" } }) { tags(filters: $filters) { name } tags_connection(filters: $filters) { nodes { name } } } tags_connection(filters: $filters) { pageInfo { total } } }';
    for (let run = 0; run < RUNS; run += 1) {
      const { body } = await endpoint.ask(query, { variables: { filters: { name: { eq: 'Beta' } } } });
      expect(body.data).toEqual({ articles: [{ tags: [{ name: 'Beta' }], tags_connection: { nodes: [{ name: 'Beta' }] } }], tags_connection: { pageInfo: { total: 1 } } });
    }
  });

  it.each([
    ['query($page: Int) { articles(pagination: { page: $page }) { title } }', { page: 1 }, { page: 'one' }],
    ['query($page: Int!) { articles(pagination: { page: $page }) { title } }', { page: 1 }, {}],
    ['query($pagination: PaginationArg) { articles(pagination: $pagination) { title } }', {}, { pagination: 7 }],
    ['query($pagination: PaginationArg) { articles(pagination: $pagination) { title } }', { pagination: { page: 1 } }, { pagination: { size: 7 } }],
    ['query($sort: [String]) { articles(sort: $sort) { title } }', { sort: 'title' }, { sort: [7] }],
    ['query($status: PublicationStatus) { articles(status: $status) { title } }', { status: 'DRAFT' }, { status: 'NEITHER' }],
    ['query($locale: I18NLocaleCode) { articles(locale: $locale) { title } }', { locale: 'en' }, { locale: 'xx' }],
    ['query($id: ID!) { article(documentId: $id) { title } }', { id: 'one' }, { id: null }],
    ['query($id: ID!) { article(documentId: $id) { title } }', { id: 1 }, { id: {} }],
    ['mutation($data: TagInput!) { updateTag(documentId: "none", data: $data) { name } }', { data: {} }, { data: { name: 7 } }],
    ['mutation($data: TagInput!) { updateTag(documentId: "none", data: $data) { name } }', { data: { name: 'x' } }, { data: { nope: 7 } }],
    ['mutation($data: TagInput!) { updateTag(documentId: "none", data: $data) { name } }', { data: {} }, { data: null }],
  ])('are refused alike however often the document has come before: %s, not %j, but %j', async (query, right, wrong) => {
    const answers: unknown[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const document = `${query}\n# ${(documents += 1)}`;
      for (let time = 0; time < run; time += 1) expect((await endpoint.ask(document, { variables: right })).body.errors).toBeUndefined();
      const { status, body } = await endpoint.ask(document, { variables: wrong });
      answers.push({ status, errors: body.errors?.map(({ path = null, extensions }) => [path, extensions['code']]) });
    }
    expect(answers).toEqual(answers.map(() => ({ status: 400, errors: [[null, 'GRAPHQL_VALIDATION_FAILED']] })));
  });

  it('can be data', async () => {
    const mutation = 'mutation($data: ArticleInput!) { createArticle(data: $data) { title seo { metaTitle } } }';
    for (let run = 0; run < RUNS; run += 1) {
      const { body } = await endpoint.ask(mutation, { variables: { data: { title: `Made ${run}`, slug: `made-${run}` } } });
      expect(body.data?.['createArticle']).toEqual({ title: `Made ${run}`, seo: null });
    }
  });
});
