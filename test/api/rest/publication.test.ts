import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

interface Named {
  readonly documentId: string;
  readonly name?: string;
  readonly title?: string;
  readonly publishedAt: string | null;
  readonly articles?: readonly Named[] | { readonly count: number };
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly data: unknown;
    readonly meta?: { readonly pagination: { readonly total: number } };
    readonly error?: { readonly name: string; readonly details: unknown };
  };
}

/** A draft counts as modified if it was saved in a later millisecond than it was published. */
const nextMillisecond = async (): Promise<void> => {
  const before = Date.now();
  while (Date.now() <= before) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** The names that each parameter selects with `status=draft` and with `status=published`. */
const SELECTED: readonly (readonly [
  parameter: string,
  drafts: readonly string[],
  published: readonly string[],
])[] = [
  ['', ['clean', 'new', 'edited later'], ['clean', 'edited']],
  ['hasPublishedVersion=true', ['clean', 'edited later'], ['clean', 'edited']],
  ['hasPublishedVersion=false', ['new'], []],
  ['publicationFilter=never-published', ['new'], []],
  ['publicationFilter=never-published-document', ['new'], []],
  ['publicationFilter=has-published-version', ['clean', 'edited later'], ['clean', 'edited']],
  ['publicationFilter=has-published-version-document', ['clean', 'edited later'], ['clean', 'edited']],
  ['publicationFilter=modified', ['edited later'], ['edited']],
  ['publicationFilter=unmodified', ['clean'], ['clean']],
  ['publicationFilter=published-with-draft', [], ['clean', 'edited']],
  ['publicationFilter=published-without-draft', [], []],
  ['publicationFilter=modified&hasPublishedVersion=false', ['edited later'], ['edited']],
];

describe.each(databases)('publicationFilter and hasPublishedVersion over REST on $name', (database) => {
  let site: Site;
  const ids: Record<string, string> = {};

  const request = async (method: string, path: string, data?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' };
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers,
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const list = async (path: string): Promise<readonly Named[]> => {
    const { status, body } = await request('GET', path);
    expect([path, status]).toEqual([path, 200]);
    return body.data as readonly Named[];
  };
  const make = async (type: string, name: string, query = ''): Promise<void> => {
    const field = type === 'articles' ? 'title' : 'name';
    const { status, body } = await request('POST', `/api/${type}${query}`, {
      [field]: name,
      ...(type === 'articles' ? { category: ids['categories clean'] } : {}),
    });
    expect(status).toBe(201);
    ids[`${type} ${name}`] = (body.data as Named).documentId;
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    for (const type of ['categories', 'articles']) {
      await make(type, 'clean');
      await make(type, 'new', '?status=draft');
      await make(type, 'edited');
    }
    await nextMillisecond();
    await request('PUT', `/api/categories/${ids['categories edited']}?status=draft`, {
      name: 'edited later',
    });
    await request('PUT', `/api/articles/${ids['articles edited']}?status=draft`, { title: 'edited later' });
  });
  afterAll(() => site.close());

  it.each(SELECTED)('%s', async (parameter, drafts, published) => {
    for (const [status, expected] of [
      ['draft', drafts],
      ['published', published],
    ] as const) {
      const { body } = await request('GET', `/api/categories?status=${status}&${parameter}`);
      const found = body.data as readonly Named[];
      expect(found.map(({ name }) => name)).toEqual(expected);
      expect(found.every(({ publishedAt }) => (publishedAt === null) === (status === 'draft'))).toBe(true);
      expect(body.meta?.pagination.total).toBe(expected.length);
    }
    expect((await list(`/api/categories?${parameter}`)).map(({ name }) => name)).toEqual(published);
  });

  it.each(SELECTED)('in populated relations: %s', async (parameter, drafts, published) => {
    for (const [status, expected] of [
      ['draft', drafts],
      ['published', published],
    ] as const) {
      const path = `/api/categories?status=${status}&filters[name]=clean&${parameter}`;
      const articles = (await list(`${path}&populate[articles][fields]=title`)).map(({ articles: found }) =>
        (found as readonly Named[]).map(({ title }) => title),
      );
      const counts = (await list(`${path}&populate[articles][count]=true`)).map(
        ({ articles: found }) => found,
      );
      // The category itself must be selected, too.
      const isSelected = expected.includes('clean');
      expect([articles, counts]).toEqual(isSelected ? [[expected], [{ count: expected.length }]] : [[], []]);
    }
  });

  it('applies to the read of one document', async () => {
    const status = async (name: string, query: string): Promise<number> =>
      (await request('GET', `/api/categories/${ids[`categories ${name}`]}?${query}`)).status;
    expect(await status('new', 'status=draft&hasPublishedVersion=false')).toBe(200);
    expect(await status('new', 'status=draft&hasPublishedVersion=true')).toBe(404);
    expect(await status('clean', 'hasPublishedVersion=true')).toBe(200);
    expect(await status('clean', 'hasPublishedVersion=false')).toBe(404);
    expect(await status('edited', 'publicationFilter=modified')).toBe(200);
    expect(await status('clean', 'publicationFilter=modified')).toBe(404);
  });

  it('checks for a published version in the locale, or in any locale', async () => {
    expect(
      (
        await request('PUT', `/api/articles/${ids['articles clean']}?locale=fr&status=draft`, {
          title: 'propre',
        })
      ).status,
    ).toBe(200);
    const french = async (parameter: string): Promise<readonly unknown[]> =>
      (await list(`/api/articles?locale=fr&status=draft&${parameter}`)).map(({ title }) => title);
    expect(await french('publicationFilter=never-published')).toEqual(['propre']);
    expect(await french('publicationFilter=never-published-document')).toEqual([]);
    expect(await french('hasPublishedVersion=true')).toEqual(['propre']);
    expect(
      (await list('/api/articles?locale=*&status=draft&publicationFilter=never-published')).map(
        ({ title }) => title,
      ),
    ).toEqual(['new', 'propre']);
  });

  it('is ignored by types without draft and publish', async () => {
    await request('POST', '/api/tags', { name: 'red' });
    for (const parameter of [
      'hasPublishedVersion=false',
      'publicationFilter=never-published',
      'publicationFilter=published-without-draft',
    ]) {
      expect((await list(`/api/tags?${parameter}`)).map(({ name }) => name)).toEqual(['red']);
    }
  });

  it.each([
    'hasPublishedVersion=maybe',
    'hasPublishedVersion[]=true',
    'publicationFilter=changed',
    'publicationFilter=MODIFIED',
    'publicationFilter[]=modified',
  ])('refuses %s', async (parameter) => {
    for (const path of [
      '/api/categories',
      `/api/categories/${ids['categories clean']}`,
      '/api/tags',
      '/api/homepage',
    ]) {
      const { status, body } = await request('GET', `${path}?${parameter}`);
      expect([status, body.data, body.error?.name, body.error?.details]).toEqual([
        400,
        null,
        'ValidationError',
        {},
      ]);
    }
  });
});
