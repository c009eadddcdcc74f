import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedMagazine } from '../../contract/sql/magazine.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint, GraphqlAnswer } from './support/endpoint.js';

const actions = (...names: string[]) => ({ kind: 'actions', actions: new Set(names), rules: new Map() }) as const;

describe.each(databases)('reading by GraphQL on $name', (database) => {
  let world: World;
  let endpoint: Endpoint;
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    await seedMagazine(world);
    endpoint = await createEndpoint({
      world,
      callers: {
        tags: actions('api::tag.tag.find'),
        articles: actions('api::article.article.find'),
        limited: { kind: 'actions', actions: new Set(['api::tag.tag.find', 'api::article.article.find']), rules: new Map([['api::article.article.find', { fields: new Set(['title', 'tags']), where: { title: { $ne: 'Second' } } }]]) },
      },
    });
  });
  afterAll(async () => {
    await endpoint.close();
    await world.close();
  });

  /** Asks until the document is compiled, and checks that the answers are the same before and after. */
  const ask = async (...params: Parameters<Endpoint['ask']>): Promise<GraphqlAnswer> => {
    const first = await endpoint.ask(...params);
    for (let run = 0; run < 3; run += 1) expect(await endpoint.ask(...params)).toEqual(first);
    return first;
  };

  it('reads all of a root field with one statement, however deep', async () => {
    const { body, statements } = await ask(`{ articles(sort: "title", pagination: { limit: 2 }) {
      title author { name profile { nickname favouriteTags { name } } } category { name parent { name } } tags { name } related { title author { name } }
      cover { name } gallery { name } localizations { locale title } seo { metaTitle image { name } social { network } } links { label tag { name } }
      sections { __typename ... on ComponentSectionsQuote { text } ... on ComponentSectionsRelated { tags { name } } } } }`);
    expect(body.errors).toBeUndefined();
    expect(statements).toBe(1);
    expect(body.data?.['articles']).toMatchObject([
      {
        title: 'First', author: { name: 'Ada Lovelace', profile: { nickname: 'ada', favouriteTags: [{ name: 'gamma' }, { name: 'alpha' }] } }, category: { name: 'Tech', parent: null },
        tags: [{ name: 'Beta' }, { name: 'alpha' }], related: [{ title: 'Third', author: { name: 'Ada Lovelace' } }, { title: 'Second', author: { name: 'Bob Stone' } }],
        cover: { name: 'one.png' }, gallery: [{ name: 'two.png' }, { name: 'one.png' }], localizations: [{ locale: 'fr', title: 'Premier' }],
        seo: { metaTitle: 'One', image: { name: 'one.png' }, social: [{ network: 'bluesky' }, { network: 'mastodon' }] },
        links: [{ label: 'L1', tag: { name: 'Beta' } }, { label: 'L2', tag: null }],
        sections: [{ __typename: 'ComponentSectionsQuote', text: 'Q' }, { __typename: 'ComponentSectionsRelated', tags: [{ name: 'epsilon' }, { name: 'Beta' }] }, { __typename: 'ComponentSectionsText' }],
      },
      { title: 'Fourth', author: null, tags: [], seo: null },
    ]);
  });

  it('counts only where pageInfo is asked for', async () => {
    expect((await ask('{ tags_connection { nodes { name } } }')).statements).toBe(1);
    const { body, statements } = await ask('{ tags_connection(pagination: { start: 3, limit: 3 }) { nodes { name } pageInfo { page pageSize pageCount total } } }');
    expect(statements).toBe(2);
    expect(body.data).toEqual({ tags_connection: { nodes: [{ name: 'Delta' }, { name: 'epsilon' }, { name: 'Zeta_1' }], pageInfo: { page: 2, pageSize: 3, pageCount: 4, total: 10 } } });
  });

  it('tells of a page that holds everything', async () => {
    const { body } = await ask('{ tags_connection(pagination: { limit: -1 }) { pageInfo { page pageSize pageCount total } } }');
    expect(body.data).toEqual({ tags_connection: { pageInfo: { page: 1, pageSize: 10, pageCount: 1, total: 10 } } });
  });

  it('keeps aliases apart, on scalars, relations of both sorts, and under each other', async () => {
    const { body, statements } = await ask(`query($id: ID!) { article(documentId: $id) {
      headline: title title: tags(sort: "name") { name } last: tags(sort: "name", pagination: { limit: 1 }) { name } nodes: tags_connection(filters: { weight: { gt: 0 } }) { nodes { n: name } list: nodes { weight } }
      one: author { name articles(pagination: { limit: 1 }) { title } } other: author { articles(sort: "title:desc") { title } } } }`, { variables: { id: 'a1' } });
    expect(statements).toBe(1);
    expect(body.data).toEqual({ article: {
      headline: 'First', title: [{ name: 'Beta' }, { name: 'alpha' }], last: [{ name: 'Beta' }], nodes: { nodes: [{ n: 'Beta' }], list: [{ weight: 1 }] },
      one: { name: 'Ada Lovelace', articles: [{ title: 'First' }] }, other: { articles: [{ title: 'Third' }, { title: 'Premier' }, { title: 'First' }] },
    } });
  });

  it('opens fragments and follows directives', async () => {
    const query = `query($with: Boolean!, $first: Int) { tag(documentId: "t1") { ...named weight @include(if: $with) articles(sort: "title", pagination: { limit: $first }) @skip(if: $with) { ... on Article { title } } } }
      fragment named on Tag { name ...labelled } fragment labelled on Tag { label }`;
    expect((await ask(query, { variables: { with: true } })).body.data).toEqual({ tag: { name: 'Beta', label: 'BETA', weight: 1 } });
    expect((await ask(query, { variables: { with: false, first: 1 } })).body.data).toEqual({ tag: { name: 'Beta', label: 'BETA', articles: [{ title: 'First' }] } });
  });

  it('runs the operation that is named, also when it is compiled', async () => {
    const query = 'query a { tag(documentId: "t0") { name } } query b { tag(documentId: "t1") { name } }';
    for (let run = 0; run < 4; run += 1) {
      expect((await endpoint.ask(query, { operationName: 'a' })).body.data).toEqual({ tag: { name: 'alpha' } });
      expect((await endpoint.ask(query, { operationName: 'b' })).body.data).toEqual({ tag: { name: 'Beta' } });
    }
    expect((await ask(query)).status).toBe(400);
    expect((await ask(query, { operationName: 'c' })).status).toBe(400);
  });

  it('narrows lists of components and of versions by their own fields', async () => {
    const { body } = await ask(`{ article(documentId: "a1") { links(filters: { label: { eq: "L2" } }) { label } first: links(sort: "label:desc", pagination: { limit: 1 }) { label href }
      localizations(filters: { locale: { ne: "fr" } }) { title } seo { social(sort: "network:desc", pagination: { start: 1 }) { network } } } }`);
    expect(body).toEqual({ data: { article: { links: [{ label: 'L2' }], first: [{ label: 'L2', href: null }], localizations: [], seo: { social: [{ network: 'bluesky' }] } } } });
  });

  it('answers ten of a relation unless asked for more', async () => {
    const { body } = await ask('{ a: tags { name } b: tags(pagination: { limit: 3 }) { name } c: tags(pagination: { page: 2, pageSize: 4 }) { name } }');
    expect(Object.values(body.data ?? {}).map((list) => (list as unknown[]).length)).toEqual([10, 3, 4]);
  });

  it('gives an error per row for a relation whose target may not be found, and reads on', async () => {
    const flat = await ask('{ articles(sort: "title", pagination: { limit: 2 }) { title author { name } } }', { as: 'articles' });
    expect(flat.body.data).toEqual({ articles: [{ title: 'First', author: null }, { title: 'Fourth', author: null }] });
    expect(flat.body.errors?.map(({ path }) => path)).toEqual([['articles', 0, 'author'], ['articles', 1, 'author']]);
    expect(flat.body.errors?.[0]).toMatchObject({ message: 'Forbidden', extensions: { code: 'FORBIDDEN', error: { name: 'ForbiddenError', message: 'Forbidden', details: {} } } });
    const lists = await ask('{ tags(pagination: { limit: 2 }) { articles { title } } }', { as: 'tags' });
    expect(lists.body.data).toEqual({ tags: [null, null] });
    expect(lists.status).toBe(200);
    const connections = await ask('{ tags(pagination: { limit: 1 }) { articles_connection { nodes { title } } } }', { as: 'tags' });
    expect(connections.body.data).toEqual({ tags: [{ articles_connection: null }] });
  });

  it('refuses to filter and sort by what may not be found', async () => {
    for (const query of ['{ tags(filters: { articles: { title: { eq: "x" } } }) { name } }', '{ articles(sort: "author.name") { title } }', '{ articles(filters: { secret: { eq: "x" } }) { title } }']) {
      const { status, body } = await ask(query, { as: query.includes('tags(') ? 'tags' : 'articles' });
      expect([status, body.data, body.errors?.[0]?.extensions['code']]).toEqual([200, null, 'BAD_USER_INPUT']);
    }
  });

  it('shows no more than a limited permission covers', async () => {
    const { body } = await ask('{ articles(sort: "title") { title } }', { as: 'limited' });
    expect(body.data).toEqual({ articles: [{ title: 'First' }, { title: 'Fourth' }, { title: 'Third' }] });
    const nested = await ask('{ tags(filters: { name: { eq: "Beta" } }) { articles { title } } }', { as: 'limited' });
    expect(nested.body.data).toEqual({ tags: [{ articles: [{ title: 'First' }] }] });
    for (const query of ['{ articles { views } }', '{ tags { articles { views } } }', '{ articles { cover { name } } }']) {
      const refused = await ask(query, { as: 'limited' });
      expect([refused.body.data, refused.body.errors?.length]).toEqual([null, 1]);
    }
  });

  it('plans anew for other variables and other callers', async () => {
    const query = 'query($limit: Int, $name: String) { tags(pagination: { limit: $limit }, filters: { name: { ne: $name } }) { name articles(pagination: { limit: 1 }) { title } } }';
    const names = async (variables: Record<string, unknown>, as = 'full'): Promise<unknown> => (await endpoint.ask(query, { variables, as })).body.data?.['tags'];
    for (let run = 0; run < 4; run += 1) {
      expect(await names({ limit: 1, name: 'x' })).toMatchObject([{ name: 'alpha', articles: [{ title: 'First' }] }]);
      expect(await names({ limit: 1, name: 'alpha' })).toMatchObject([{ name: 'Beta' }]);
      expect(await names({ limit: 2, name: 'alpha' })).toHaveLength(2);
      expect(await names({ limit: 1, name: 'x' }, 'tags')).toEqual([null]);
      expect(await names({ limit: 1, name: 'x' }, 'limited')).toMatchObject([{ name: 'alpha' }]);
    }
  });

  it('filters by publication', async () => {
    const titles = async (filter: string): Promise<unknown> => (await ask(`{ articles(status: DRAFT, sort: "title", publicationFilter: ${filter}) { title } }`)).body.data?.['articles'];
    expect(await titles('NEVER_PUBLISHED')).toEqual([{ title: 'Unpublished' }]);
    expect(await titles('HAS_PUBLISHED_VERSION')).toHaveLength(4);
  });

  it('knows a new language at once, though its documents were refused before', async () => {
    const query = '{ articles(locale: "nl") { title } }';
    expect((await ask(query)).status).toBe(400);
    endpoint.locales.push('nl');
    expect((await ask(query)).body).toEqual({ data: { articles: [] } });
    endpoint.locales.pop();
    expect((await ask(query)).status).toBe(400);
  });

  it('lists, filters and pages languages without a statement', async () => {
    const { body, statements } = await ask('{ i18NLocales_connection(sort: "code", filters: { code: { in: ["fr", "de"] } }, pagination: { limit: 1 }) { nodes { code name } pageInfo { total pageCount } } i18NLocale(documentId: "l0") { code } }');
    expect(body.data).toEqual({ i18NLocales_connection: { nodes: [{ code: 'de', name: 'DE' }], pageInfo: { total: 2, pageCount: 2 } }, i18NLocale: { code: 'en' } });
    expect(statements).toBe(0);
  });

  it('has logged no fault', () => {
    expect(endpoint.log).toEqual([]);
  });
});
