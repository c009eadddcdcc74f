import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, findToken, regenerateToken } from '../../../src/access/tokens.js';
import type { NewToken } from '../../../src/access/tokens.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { defined } from '../../../src/lib/assert.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

interface Entry {
  readonly documentId: string;
  readonly title: string;
  readonly localizations?: readonly Entry[];
}

interface Answer {
  readonly status: number;
  readonly body: { readonly data: unknown; readonly errors?: readonly object[] };
}

const HOUR = 3_600_000;
const ARTICLE = 'api::article.article';

describe.each(databases)('preview tokens on $name', (database) => {
  let site: Site;
  let id = '';
  const keys: Record<string, string> = {};

  const send = async (key: string, method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${keys[key] ?? defined(site.tokens[key], key)}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const titles = async (key: string, query: string): Promise<readonly string[]> => {
    const { body } = await send(key, 'GET', `/api/articles?${query}`);
    return (body.data as readonly Entry[]).map(({ title }) => title).toSorted();
  };
  const issue = async (
    token: Omit<NewToken, 'name' | 'type'> & Partial<NewToken>,
    name = 'any',
  ): Promise<string> => {
    const { context, close } = await openProjectDatabase(site.project);
    try {
      return (await createToken(context, { name, type: 'preview', ...token })).accessKey;
    } finally {
      await close();
    }
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { api: { cachesDrafts: true } } });
    const made = await send('full', 'POST', '/api/articles?status=published', { data: { title: 'Sea' } });
    id = (made.body.data as Entry).documentId;
    const { body } = await send('full', 'POST', '/api/categories?status=published', { data: { name: 'c' } });
    const category = (body.data as Entry).documentId;
    for (const [locale, title] of [
      ['en', 'Sea, new'],
      ['fr', 'Mer'],
    ])
      await send('full', 'PUT', `/api/articles/${id}?locale=${locale}&status=draft`, {
        data: { title, category },
      });
    keys['fr'] = await issue({ types: [ARTICLE], locales: ['fr'], expiresIn: HOUR }, 'fr');
    keys['all'] = await issue({ types: [ARTICLE], expiresIn: HOUR }, 'all');
    keys['old'] = await issue({ types: [ARTICLE], expiresIn: 1 }, 'old');
  });
  afterAll(() => site.close());

  it('read drafts of their types in their locales, and nothing else of them', async () => {
    expect(await titles('full', 'status=draft&locale=*')).toEqual(['Mer', 'Sea, new']);
    expect(await titles('all', 'status=draft&locale=*')).toEqual(['Mer', 'Sea, new']);
    expect(await titles('all', '')).toEqual(['Sea']);
    for (const query of [
      'status=draft&locale=fr',
      'status=draft&locale=*',
      'status=draft&locale[]=fr&locale[]=en',
    ])
      expect([query, await titles('fr', query)]).toEqual([query, ['Mer']]);
    for (const query of ['', 'status=draft', 'status=draft&filters[locale]=en'])
      expect([query, await titles('fr', query)]).toEqual([query, []]);
    const path = `/api/articles/${id}?status=draft`;
    expect(await send('fr', 'GET', `${path}&locale=en`)).toMatchObject({ status: 404 });
    const { status, body } = await send('fr', 'GET', `${path}&locale=fr&populate=*`);
    expect([status, body.data]).toEqual([200, expect.objectContaining({ title: 'Mer', localizations: [] })]);
    expect(body.data).not.toHaveProperty('category');
  });

  it('see what has just been written', async () => {
    const path = `/api/articles/${id}?status=draft&locale=fr`;
    for (const title of ['Mer 1', 'Mer 2', 'Mer']) {
      await send('full', 'PUT', path, { data: { title } });
      for (const key of ['fr', 'all']) {
        const { body } = await send(key, 'GET', path);
        expect((body.data as Entry).title).toBe(title);
      }
    }
  });

  it('write nothing, and read no other types', async () => {
    const refused = [
      ['GET', '/api/tags'],
      ['GET', '/api/homepage'],
      ['GET', '/api/upload/files'],
      ['GET', '/api/users'],
      ['POST', '/api/articles'],
      ['PUT', `/api/articles/${id}?locale=fr`],
      ['DELETE', `/api/articles/${id}?locale=fr`],
    ] as const;
    for (const [method, path] of refused) {
      const { status } = await send(
        'fr',
        method,
        path,
        method === 'GET' ? undefined : { data: { title: 'x' } },
      );
      expect([method, path, status]).toEqual([method, path, 403]);
    }
  });

  it('read the same over GraphQL', async () => {
    const ask = (query: string) => send('fr', 'POST', '/graphql', { query });
    const titlesIn = (locale: string) => ask(`{ articles(status: DRAFT, locale: "${locale}") { title } }`);
    expect((await titlesIn('fr')).body.data).toEqual({ articles: [{ title: 'Mer' }] });
    for (const locale of ['en', 'de']) expect((await titlesIn(locale)).body.data).toEqual({ articles: [] });
    const related = `{ articles(status: DRAFT, locale: "fr") { category { name } localizations { title } } }`;
    expect(JSON.stringify((await ask(related)).body)).not.toContain('Sea');
    const { body } = await ask('{ tags { name } }');
    expect(body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const written = await ask(`mutation { deleteArticle(documentId: "${id}") { documentId } }`);
    expect(written.body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  it('end', async () => {
    expect((await send('old', 'GET', '/api/articles')).status).toBe(401);
  });

  it('are stored with their scope, and always have an end', async () => {
    const { context, close } = await openProjectDatabase(site.project);
    try {
      expect(await findToken(context, 'fr')).toMatchObject({
        type: 'preview',
        permissions: [`${ARTICLE}.find`, `${ARTICLE}.findOne`],
        locales: ['fr'],
      });
      await expect(regenerateToken(context, { name: 'fr', lifespan: 'unlimited' })).rejects.toMatchObject({
        code: 'access/invalid-token',
      });
    } finally {
      await close();
    }
    const refused: readonly (readonly [Omit<NewToken, 'name'>, string])[] = [
      [{ type: 'preview', types: [ARTICLE] }, 'must expire'],
      [{ type: 'preview', expiresIn: HOUR }, 'needs the types'],
      [
        { type: 'preview', types: ['plugin::users-permissions.user'], expiresIn: HOUR },
        'The project has no type',
      ],
      [{ type: 'preview', types: [ARTICLE], locales: ['ff'], expiresIn: HOUR }, 'no locale ff'],
      [{ type: 'preview', types: [ARTICLE], permissions: [`${ARTICLE}.create`], expiresIn: HOUR }, 'no perm'],
      [{ type: 'read-only', types: [ARTICLE] }, 'takes no types'],
    ];
    for (const [token, message] of refused) await expect(issue(token)).rejects.toThrow(message);
  });
});
