import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { readingEndpoint } from './support/reading-endpoint.js';

describe.each(databases)('reading over GraphQL on $name', (database) => {
  const { endpoint, ask } = readingEndpoint(database);

  it('reads a root field with one statement, however deep its selection is', async () => {
    const { body, statements } = await ask(`
      {
        articles(sort: "title", pagination: {limit: 2}) {
          title
          author {
            name
            profile {
              nickname
              favouriteTags {
                name
              }
            }
          }
          category {
            name
            parent {
              name
            }
          }
          tags {
            name
          }
          related {
            title
            author {
              name
            }
          }
          cover {
            name
          }
          gallery {
            name
          }
          localizations {
            locale
            title
          }
          seo {
            metaTitle
            image {
              name
            }
            social {
              network
            }
          }
          links {
            label
            tag {
              name
            }
          }
          sections {
            __typename
            ... on ComponentSectionsQuote {
              text
            }
            ... on ComponentSectionsRelated {
              tags {
                name
              }
            }
          }
        }
      }
    `);
    expect(body.errors).toBeUndefined();
    expect(statements).toBe(1);
    expect(body.data?.['articles']).toMatchObject([
      {
        title: 'First',
        author: {
          name: 'Ada Lovelace',
          profile: { nickname: 'ada', favouriteTags: [{ name: 'gamma' }, { name: 'alpha' }] },
        },
        category: { name: 'Tech', parent: null },
        tags: [{ name: 'Beta' }, { name: 'alpha' }],
        related: [
          { title: 'Third', author: { name: 'Ada Lovelace' } },
          { title: 'Second', author: { name: 'Bob Stone' } },
        ],
        cover: { name: 'one.png' },
        gallery: [{ name: 'two.png' }, { name: 'one.png' }],
        localizations: [{ locale: 'fr', title: 'Premier' }],
        seo: {
          metaTitle: 'One',
          image: { name: 'one.png' },
          social: [{ network: 'bluesky' }, { network: 'mastodon' }],
        },
        links: [
          { label: 'L1', tag: { name: 'Beta' } },
          { label: 'L2', tag: null },
        ],
        sections: [
          { __typename: 'ComponentSectionsQuote', text: 'Q' },
          { __typename: 'ComponentSectionsRelated', tags: [{ name: 'epsilon' }, { name: 'Beta' }] },
          { __typename: 'ComponentSectionsText' },
        ],
      },
      { title: 'Fourth', author: null, tags: [], seo: null },
    ]);
  });

  it('keeps aliases of scalars, relations and connections apart, also nested ones', async () => {
    const { body, statements } = await ask(
      `
        query ($id: ID!) {
          article(documentId: $id) {
            headline: title
            title: tags(sort: "name") {
              name
            }
            last: tags(sort: "name", pagination: {limit: 1}) {
              name
            }
            nodes: tags_connection(filters: {weight: {gt: 0}}) {
              nodes {
                n: name
              }
              list: nodes {
                weight
              }
            }
            one: author {
              name
              articles(pagination: {limit: 1}) {
                title
              }
            }
            other: author {
              articles(sort: "title:desc") {
                title
              }
            }
          }
        }
      `,
      { variables: { id: 'a1' } },
    );
    expect(statements).toBe(1);
    expect(body.data).toEqual({
      article: {
        headline: 'First',
        title: [{ name: 'Beta' }, { name: 'alpha' }],
        last: [{ name: 'Beta' }],
        nodes: { nodes: [{ n: 'Beta' }], list: [{ weight: 1 }] },
        one: { name: 'Ada Lovelace', articles: [{ title: 'First' }] },
        other: { articles: [{ title: 'Third' }, { title: 'Premier' }, { title: 'First' }] },
      },
    });
  });

  it('reads what each of several aliases of nodes and pageInfo selects under the same key', async () => {
    const { body, statements } = await ask(`{
      tags_connection(sort: "name", pagination: {limit: 1}) {
        names: nodes { x: name }
        weights: nodes { x: weight }
        cursor: pageInfo { x: endCursor }
        count: pageInfo { x: total }
      }
    }`);
    expect(statements).toBe(2);
    expect(body).toEqual({
      data: {
        tags_connection: {
          names: [{ x: '100% eta' }],
          weights: [{ x: 6 }],
          cursor: { x: expect.any(String) as string },
          count: { x: 10 },
        },
      },
    });
    const articles = (first: string, second: string) =>
      ask(`{ tags_connection { a: nodes { ${first} { title } } b: nodes { ${second} { title } } } }`);
    expect((await articles('articles', 'articles')).body.errors).toBeUndefined();
    for (const second of ['articles(sort: "title")', 'articles: articles(pagination: {limit: 1})'])
      expect((await articles('articles', second)).body).toMatchObject({
        data: { tags_connection: null },
        errors: [{ path: ['tags_connection'], extensions: { code: 'BAD_USER_INPUT' } }],
      });
  });

  it('resolves fragments and applies directives', async () => {
    const query = `
      query ($with: Boolean!, $first: Int) {
        tag(documentId: "t1") {
          ...named
          weight @include(if: $with)
          articles(sort: "title", pagination: {limit: $first}) @skip(if: $with) {
            ... on Article {
              title
            }
          }
        }
      }

      fragment named on Tag {
        name
        ...labelled
      }

      fragment labelled on Tag {
        label
      }
    `;
    expect((await ask(query, { variables: { with: true } })).body.data).toEqual({
      tag: { name: 'Beta', label: 'BETA', weight: 1 },
    });
    expect((await ask(query, { variables: { with: false, first: 1 } })).body.data).toEqual({
      tag: { name: 'Beta', label: 'BETA', articles: [{ title: 'First' }] },
    });
  });

  it('runs the named operation, also when it is compiled', async () => {
    const query = `
      query a {
        tag(documentId: "t0") {
          name
        }
      }

      query b {
        tag(documentId: "t1") {
          name
        }
      }
    `;
    for (let run = 0; run < 4; run += 1) {
      expect((await endpoint().ask(query, { operationName: 'a' })).body.data).toEqual({
        tag: { name: 'alpha' },
      });
      expect((await endpoint().ask(query, { operationName: 'b' })).body.data).toEqual({
        tag: { name: 'Beta' },
      });
    }
    expect((await ask(query)).status).toBe(400);
    expect((await ask(query, { operationName: 'c' })).status).toBe(400);
  });

  it('creates another plan for other variables and other callers', async () => {
    const query = `
      query ($limit: Int, $name: String) {
        tags(pagination: {limit: $limit}, filters: {name: {ne: $name}}) {
          name
          articles(pagination: {limit: 1}) {
            title
          }
        }
      }
    `;
    const names = async (variables: Record<string, unknown>, as = 'full'): Promise<unknown> =>
      (await endpoint().ask(query, { variables, as })).body.data?.['tags'];
    for (let run = 0; run < 4; run += 1) {
      expect(await names({ limit: 1, name: 'x' })).toMatchObject([
        { name: 'alpha', articles: [{ title: 'First' }] },
      ]);
      expect(await names({ limit: 1, name: 'alpha' })).toMatchObject([{ name: 'Beta' }]);
      expect(await names({ limit: 2, name: 'alpha' })).toHaveLength(2);
      expect(await names({ limit: 1, name: 'x' }, 'tags')).toEqual([null]);
      expect(await names({ limit: 1, name: 'x' }, 'limited')).toMatchObject([{ name: 'alpha' }]);
    }
  });

  it('accepts a new locale immediately, also in documents it refused before', async () => {
    const query = '{ articles(locale: "nl") { title } }';
    expect((await ask(query)).status).toBe(400);
    endpoint().locales.push('nl');
    expect((await ask(query)).body).toEqual({ data: { articles: [] } });
    endpoint().locales.pop();
    expect((await ask(query)).status).toBe(400);
  });

  it('has logged no error', () => {
    expect(endpoint().log).toEqual([]);
  });
});
