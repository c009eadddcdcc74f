import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { readingEndpoint } from './support/reading-endpoint.js';

interface Connection {
  readonly nodes: readonly { readonly name: string }[];
  readonly pageInfo: {
    readonly startCursor: string;
    readonly endCursor: string;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

describe.each(databases)('lists over GraphQL on $name', (database) => {
  const { endpoint, ask } = readingEndpoint(database);

  it('counts only if pageInfo is requested', async () => {
    expect((await ask('{ tags_connection { nodes { name } } }')).statements).toBe(1);
    const { body, statements } = await ask(
      `
        {
          tags_connection(pagination: {start: 3, limit: 3}) {
            nodes {
              name
            }
            pageInfo {
              page
              pageSize
              pageCount
              total
            }
          }
        }
      `,
    );
    expect(statements).toBe(2);
    expect(body.data).toEqual({
      tags_connection: {
        nodes: [{ name: 'Delta' }, { name: 'epsilon' }, { name: 'Zeta_1' }],
        pageInfo: { page: 2, pageSize: 3, pageCount: 4, total: 10 },
      },
    });
  });

  it('searches, and sorts by how well records fit', async () => {
    const { body } = await ask('{ tags(_q: "ET", sort: "_score") { name } }');
    const names = ['Beta', 'Zeta_1', "o'theta", '100% eta', 'Alphabet'];
    expect(body.data).toEqual({ tags: names.map((name) => ({ name })) });
    const { body: refused } = await ask('{ tags(sort: "_score") { name } }');
    expect(refused.errors?.[0]?.message).toContain('Only a list with _q');
  });

  it('leads from page to page by cursors, without counting', async () => {
    const list = async (pagination: string) => {
      const { body, statements } = await ask(`{
        tags_connection(sort: "name", pagination: {${pagination}}) {
          nodes { name }
          pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
        }
      }`);
      expect(body.errors).toBeUndefined();
      expect(statements).toBe(1);
      const { nodes, pageInfo } = (body.data as { readonly tags_connection: Connection }).tags_connection;
      return { names: nodes.map(({ name }) => name), ...pageInfo };
    };
    const first = await list('limit: 4');
    expect(first).toMatchObject({
      names: ['100% eta', 'Alphabet', 'Beta', 'Delta'],
      hasNextPage: true,
      hasPreviousPage: false,
    });
    const second = await list(`after: "${first.endCursor}", limit: 4`);
    expect(second).toMatchObject({
      names: ['Zeta_1', 'alpha', 'epsilon', 'gamma'],
      hasNextPage: true,
      hasPreviousPage: true,
    });
    expect(await list(`before: "${second.startCursor}", limit: 4`)).toEqual(first);
    expect(await list(`after: "${second.endCursor}"`)).toMatchObject({
      names: ['iota-é', "o'theta"],
      hasNextPage: false,
    });
  });

  it('returns the pageInfo of a page that holds everything, from its start on', async () => {
    const info = 'pageInfo { page pageSize pageCount total }';
    const { body } = await ask(`{
      all: tags_connection(pagination: {limit: -1}) { ${info} }
      rest: tags_connection(pagination: {limit: -1, start: 3}) { ${info} }
      none: tags_connection(pagination: {limit: -1, start: 30}) { ${info} }
      empty: tags_connection(pagination: {limit: -1}, filters: {name: {eq: "none"}}) { ${info} }
    }`);
    expect(body.data).toEqual({
      all: { pageInfo: { page: 1, pageSize: 10, pageCount: 1, total: 10 } },
      rest: { pageInfo: { page: 1, pageSize: 7, pageCount: 1, total: 10 } },
      none: { pageInfo: { page: 1, pageSize: 0, pageCount: 1, total: 10 } },
      empty: { pageInfo: { page: 1, pageSize: 0, pageCount: 1, total: 0 } },
    });
  });

  it('filters, sorts and pages component items and localizations by their own fields', async () => {
    const { body } = await ask(`
      {
        article(documentId: "a1") {
          links(filters: {label: {eq: "L2"}}) {
            label
          }
          first: links(sort: "label:desc", pagination: {limit: 1}) {
            label
            href
          }
          localizations(filters: {locale: {ne: "fr"}}) {
            title
          }
          seo {
            social(sort: "network:desc", pagination: {start: 1}) {
              network
            }
          }
        }
      }
    `);
    expect(body).toEqual({
      data: {
        article: {
          links: [{ label: 'L2' }],
          first: [{ label: 'L2', href: null }],
          localizations: [],
          seo: { social: [{ network: 'bluesky' }] },
        },
      },
    });
  });

  it('filters documents by their localizations, at every level', async () => {
    const premier = '{ localizations: { title: { eq: "Premier" } } }';
    const { body } = await ask(`{
      articles(filters: ${premier}) { title }
      by_logic: articles(filters: { and: [{ not: { not: ${premier} } }] }) { title }
      tag(documentId: "t2") { articles(filters: ${premier}) { title } }
      tags(filters: { articles: ${premier} }, sort: "name") { name }
    }`);
    expect(body.errors).toBeUndefined();
    expect(body.data).toEqual({
      articles: [{ title: 'First' }],
      by_logic: [{ title: 'First' }],
      tag: { articles: [{ title: 'Premier' }] },
      tags: [{ name: 'Beta' }, { name: 'alpha' }, { name: 'gamma' }],
    });
  });

  it('filters and sorts component items and localizations over relations in one statement', async () => {
    const { body, statements } = await ask(`{
      article(documentId: "a1") {
        links(filters: { tag: { name: { eq: "Beta" } } }) { label }
        untagged: links(filters: { tag: { documentId: { null: true } } }) { label }
        byTag: links(sort: "tag.name:desc") { label }
        localizations_connection(filters: { tags: { name: { eq: "gamma" } } }) { nodes { title } }
        other: localizations(filters: { tags: { name: { eq: "alpha" } } }, sort: "title") { title }
        french: localizations(filters: { author: { name: { eqi: "ADA LOVELACE" } } }) { locale }
      }
    }`);
    expect(body.errors).toBeUndefined();
    expect(statements).toBe(1);
    expect(body.data?.['article']).toEqual({
      links: [{ label: 'L1' }],
      untagged: [{ label: 'L2' }],
      byTag: [{ label: 'L1' }, { label: 'L2' }],
      localizations_connection: { nodes: [{ title: 'Premier' }] },
      other: [],
      french: [{ locale: 'fr' }],
    });
  });

  it('reports faulty arguments of a nested field at that field, and returns all others', async () => {
    const faultsOf = async (query: string, variables = {}): Promise<unknown> => {
      const { status, body } = await ask(query, { variables });
      const errors = body.errors?.map(({ path, extensions }) => [path?.join('.'), extensions['code']]);
      return [status, body.data, errors];
    };
    const paged = `
      query ($page: Int) {
        tag(documentId: "t0") {
          name
          articles_connection(pagination: {page: $page, start: 1}) {
            nodes {
              title
            }
          }
        }
      }
    `;
    expect(await faultsOf(paged, { page: 1 })).toEqual([
      200,
      { tag: { name: 'alpha', articles_connection: null } },
      [['tag.articles_connection', 'STRAPI_PAGINATION_ERROR']],
    ]);
    expect((await ask(paged, { variables: { page: null } })).body.errors).toBeUndefined();
    const sorted = (key: string): string =>
      `{ tags_connection(pagination: {limit: 1}) { nodes { articles(sort: "${key}") { title } } } }`;
    expect(await faultsOf(sorted('nope'))).toEqual([
      200,
      { tags_connection: null },
      [['tags_connection.nodes.0.articles', 'BAD_USER_INPUT']],
    ]);
    expect((await ask(sorted('title'))).body.errors).toBeUndefined();
  });

  it('returns ten records of a list by default', async () => {
    const { body } = await ask(
      `
        {
          a: tags {
            name
          }
          b: tags(pagination: {limit: 3}) {
            name
          }
          c: tags(pagination: {page: 2, pageSize: 4}) {
            name
          }
        }
      `,
    );
    expect(Object.values(body.data ?? {}).map((list) => (list as unknown[]).length)).toEqual([10, 3, 4]);
  });

  it('filters by publicationFilter', async () => {
    const titles = async (filter: string): Promise<unknown> =>
      (await ask(`{ articles(status: DRAFT, sort: "title", publicationFilter: ${filter}) { title } }`)).body
        .data?.['articles'];
    expect(await titles('NEVER_PUBLISHED')).toEqual([{ title: 'Unpublished' }]);
    expect(await titles('HAS_PUBLISHED_VERSION')).toHaveLength(4);
  });

  it('lists, filters and pages locales without a statement', async () => {
    const { body, statements } = await ask(
      `
        {
          i18NLocales_connection(
            sort: "code"
            filters: {code: {in: ["fr", "de"]}}
            pagination: {limit: 1}
          ) {
            nodes {
              code
              name
            }
            pageInfo {
              total
              pageCount
            }
          }
          i18NLocale(documentId: "l0") {
            code
          }
        }
      `,
    );
    expect(body.data).toEqual({
      i18NLocales_connection: { nodes: [{ code: 'de', name: 'DE' }], pageInfo: { total: 2, pageCount: 2 } },
      i18NLocale: { code: 'en' },
    });
    expect(statements).toBe(0);
  });

  it('has logged no error', () => {
    expect(endpoint().log).toEqual([]);
  });
});
