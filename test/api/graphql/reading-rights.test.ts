import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { readingEndpoint } from './support/reading-endpoint.js';

describe.each(databases)('reading over GraphQL with limited rights on $name', (database) => {
  const { endpoint, ask } = readingEndpoint(database);

  it('refuses to filter and sort component items over relations the caller may not find', async () => {
    for (const argument of ['filters: { tag: { name: { eq: "Beta" } } }', 'sort: "tag.name"']) {
      const { body } = await ask(`{ articles { links(${argument}) { label } } }`, { as: 'articles' });
      expect(body.data?.['articles']).toEqual(Array.from({ length: 4 }, () => ({ links: null })));
      expect(body.errors?.map(({ extensions }) => extensions['code'])).toEqual(
        Array.from({ length: 4 }, () => 'BAD_USER_INPUT'),
      );
    }
  });

  it('filters component items and localizations only by records the caller may see', async () => {
    const query = `query($title: String) {
      articles(filters: { title: { eq: "First" } }) {
        links(filters: { tag: { articles: { title: { eq: $title } } } }) { label }
        localizations(filters: { related: { title: { eq: $title } } }) { locale }
      }
    }`;
    const lists = async (title: string, as: string): Promise<unknown> =>
      (await ask(query, { variables: { title }, as })).body.data?.['articles'];
    expect(await lists('First', 'conditional')).toEqual([{ links: [{ label: 'L1' }], localizations: [] }]);
    expect(await lists('Second', 'conditional')).toEqual([{ links: [], localizations: [] }]);
    expect(await lists('Second', 'full')).toMatchObject([{ links: [{ label: 'L1' }] }]);
  });

  it('returns an error per record for a relation whose target the caller may not find', async () => {
    const flat = await ask(
      `
        {
          articles(sort: "title", pagination: {limit: 2}) {
            title
            author {
              name
            }
          }
        }
      `,
      { as: 'articles' },
    );
    expect(flat.body.data).toEqual({
      articles: [
        { title: 'First', author: null },
        { title: 'Fourth', author: null },
      ],
    });
    expect(flat.body.errors?.map(({ path }) => path)).toEqual([
      ['articles', 0, 'author'],
      ['articles', 1, 'author'],
    ]);
    expect(flat.body.errors?.[0]).toMatchObject({
      message: 'Forbidden',
      extensions: { code: 'FORBIDDEN', error: { name: 'ForbiddenError', message: 'Forbidden', details: {} } },
    });
    const lists = await ask('{ tags(pagination: { limit: 2 }) { articles { title } } }', { as: 'tags' });
    expect(lists.body.data).toEqual({ tags: [null, null] });
    expect(lists.status).toBe(200);
    const connections = await ask(
      `
        {
          tags(pagination: {limit: 1}) {
            articles_connection {
              nodes {
                title
              }
            }
          }
        }
      `,
      { as: 'tags' },
    );
    expect(connections.body.data).toEqual({ tags: [{ articles_connection: null }] });
  });

  it('refuses to filter and sort over relations whose target the caller may not find', async () => {
    for (const query of [
      '{ tags(filters: { articles: { title: { eq: "x" } } }) { name } }',
      '{ articles(sort: "author.name") { title } }',
      '{ articles(filters: { secret: { eq: "x" } }) { title } }',
    ]) {
      const { status, body } = await ask(query, { as: query.includes('tags(') ? 'tags' : 'articles' });
      expect([status, body.data, body.errors?.[0]?.extensions['code']]).toEqual([
        200,
        null,
        'BAD_USER_INPUT',
      ]);
    }
  });

  it('shows only what a permission with attributes and a condition covers', async () => {
    const { body } = await ask('{ articles(sort: "title") { title } }', { as: 'limited' });
    expect(body.data).toEqual({ articles: [{ title: 'First' }, { title: 'Fourth' }, { title: 'Third' }] });
    const nested = await ask('{ tags(filters: { name: { eq: "Beta" } }) { articles { title } } }', {
      as: 'limited',
    });
    expect(nested.body.data).toEqual({ tags: [{ articles: [{ title: 'First' }] }] });
    for (const query of [
      '{ articles { views } }',
      '{ tags { articles { views } } }',
      '{ articles { cover { name } } }',
    ]) {
      const refused = await ask(query, { as: 'limited' });
      expect([refused.body.data, refused.body.errors?.length]).toEqual([null, 1]);
    }
  });

  it('has logged no error', () => {
    expect(endpoint().log).toEqual([]);
  });
});
