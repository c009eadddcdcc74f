import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../src/documents/hooks.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, withQueryDelay } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const WRITERS = 16;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const idsOf = (value: unknown): readonly string[] =>
  (value as readonly ReturnedRecord[]).map(({ documentId }) => documentId);

/**
 * Returns the outcome of each call: `done`, `missing` (null or false), or the code of a catalogue error.
 * Fails the test on any other error.
 */
/** What becomes of writes of which one alone may succeed. */
const ONE_DONE = ['done', ...numbers(WRITERS - 1).map(() => 'request/invalid-values')];

const outcomesOf = async (calls: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  Promise.all(
    calls.map((call) =>
      call
        .then((result) => (result === null || result === false ? 'missing' : 'done'))
        .catch((error: unknown) => {
          if (isGalleyError(error)) return error.code;
          throw error;
        }),
    ),
  );

describe.each(databases)('concurrent writes on $name', (database) => {
  let testEnvironment: TestEnvironment;
  /** Two services with connections of their own, as in two processes. Each does half of the writes. */
  let apis: readonly Api[];
  let api: Api;
  const apiOf = (writer: number): Api => apis[writer % 2] ?? api;

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    const others = await testEnvironment.reopen();
    // The delay makes writes overlap, which would lose changes if there were no locks. Writes to a database
    // with a single writer never overlap.
    const pause = testEnvironment.dialect.driver.hasSingleWriter ? 0 : 20;
    apis = [testEnvironment.database, others].map((each) =>
      createApi({ model: testEnvironment.model, database: withQueryDelay(each, pause) }),
    );
    api = apiOf(0);
  });
  afterAll(() => testEnvironment.close());

  const createTags = (count: number): Promise<readonly string[]> =>
    Promise.all(
      numbers(count).map(
        async (index) => (await apiOf(index).create('tag', { name: `${Math.random()} ${index}` })).documentId,
      ),
    );

  it('that each connect another tag to one article keep all tags', async () => {
    const tags = await createTags(WRITERS);
    const { documentId } = await api.create('article', { title: 'crowded' });
    await Promise.all(
      tags.map((tag, writer) => apiOf(writer).update('article', documentId, { tags: { connect: [tag] } })),
    );
    for (const status of ['draft', 'published']) {
      const article = await api.one('article', documentId, {
        status,
        populate: { tags: { fields: ['name'] } },
      });
      expect(idsOf(article?.['tags']).toSorted()).toEqual(tags.toSorted());
    }
  });

  it('of different attributes, statuses and locales of one document are all kept', async () => {
    const { documentId } = await api.create('article', { title: 'en' });
    const writes = [
      (n: number) => apiOf(n).update('article', documentId, { views: n }),
      (n: number) => apiOf(n).update('article', documentId, { summary: `summary ${n}` }),
      (n: number) => apiOf(n).update('article', documentId, { title: `fr ${n}` }, { locale: 'fr' }),
      (n: number) => apiOf(n).update('article', documentId, { score: n }, { locale: 'fr', status: 'draft' }),
    ];
    await Promise.all(
      numbers(WRITERS / writes.length).flatMap((round) =>
        writes.map((write, index) => write(round * writes.length + index)),
      ),
    );
    await api.update('article', documentId, {});
    const [en, fr] = [
      await api.one('article', documentId),
      await api.one('article', documentId, { locale: 'fr' }),
    ];
    expect(en?.['title']).toBe('en');
    expect(en?.['summary']).toMatch(/^summary \d+$/);
    expect(fr?.['title']).toMatch(/^fr \d+$/);
    expect(en?.['views']).toBeTypeOf('number');
    expect([fr?.['views'], fr?.['score']]).toEqual([en?.['views'], en?.['score']]);
  });

  it('of the same unique value succeed once, and are refused with its path otherwise', async () => {
    const calls = numbers(WRITERS).map((writer) =>
      apiOf(writer).create('author', { name: `w${writer}`, email: 'wanted@example.com' }),
    );
    expect((await outcomesOf(calls)).toSorted()).toEqual(ONE_DONE);
    const issues = await Promise.all(
      calls.map((call) =>
        call
          .then(() => [])
          .catch((error: unknown) =>
            isGalleyError(error) ? (error.details.errors ?? []).map(({ path }) => path.join('.')) : [],
          ),
      ),
    );
    expect(new Set(issues.flat())).toEqual(new Set(['email']));
    expect(await api.list('author', { filters: { email: 'wanted@example.com' } })).toHaveLength(1);
  });

  it('publish the same unique value once, which all their drafts have', async () => {
    const data = { title: 't', slug: 'wanted' };
    const drafts = await Promise.all(
      numbers(WRITERS).map((writer) => apiOf(writer).create('article', data, { status: 'draft' })),
    );
    const calls = drafts.map(({ documentId }, writer) => apiOf(writer).act('publish', 'article', documentId));
    expect((await outcomesOf(calls)).toSorted()).toEqual(ONE_DONE);
    expect(await api.list('article', { filters: { slug: 'wanted' } })).toHaveLength(1);
  });

  it('create a single type only once', async () => {
    const records = await Promise.all(
      numbers(WRITERS).map((writer) => apiOf(writer).create('setting', { siteName: `site ${writer}` })),
    );
    expect(new Set(records.map(({ documentId }) => documentId)).size).toBe(1);
    expect(await api.documents.singleDocumentId('api::setting.setting')).toBe(records[0]?.documentId);
  });

  it('that link one target of a one-to-one relation leave it with one owner', async () => {
    const profiles = await Promise.all(
      numbers(4).map(
        async (n) => (await apiOf(n).create('profile', { nickname: `coveted-${n}` })).documentId,
      ),
    );
    const authors = await Promise.all(
      numbers(WRITERS).map(async (n) => (await apiOf(n).create('author', { name: `rival ${n}` })).documentId),
    );
    for (const [round, profile] of profiles.entries()) {
      const fromProfile = (n: number): boolean => round % 2 === 1 && n % 4 === 0;
      await Promise.all(
        authors.map((author, n) =>
          fromProfile(n)
            ? apiOf(n).update('profile', profile, { author })
            : apiOf(n).update('author', author, { profile }),
        ),
      );
      const owners = (await api.list('author', { filters: { profile: { documentId: profile } } })).map(
        ({ documentId }) => documentId,
      );
      expect(owners).toHaveLength(1);
      expect(await api.one('profile', profile, { populate: { author: { fields: ['name'] } } })).toMatchObject(
        { author: { documentId: owners[0] } },
      );
    }
  });

  it('of a link from the inverse side wait while the document is being published', async () => {
    const [first, second, third] = await Promise.all(
      ['1', '2', '3'].map(async (n) => (await api.create('author', { name: `author ${n}` })).documentId),
    );
    const { documentId } = await api.create('article', { title: 'waiting', author: first });
    await api.update('article', documentId, { author: second }, { status: 'draft' });
    const hooks = createDocumentHooks({ onError: () => {} });
    let linked: Promise<unknown> = Promise.resolve();
    hooks.before('publish', async () => {
      // The document has been locked and read by now, so that this write has to wait.
      linked = apiOf(1).update('author', third ?? '', { articles: { connect: [documentId] } });
      await Promise.race([linked, sleep(150)]);
    });
    await createApi(testEnvironment, { hooks }).act('publish', 'article', documentId);
    await linked;
    for (const status of ['draft', 'published']) {
      expect(
        await api.one('article', documentId, { status, populate: { author: { fields: ['name'] } } }),
      ).toMatchObject({ author: { name: 'author 3' } });
    }
  });

  it('of an attribute wait while the document is being published', async () => {
    const { documentId } = await api.create('article', { title: 'old' });
    await api.update('article', documentId, { title: 'pending' }, { status: 'draft' });
    const hooks = createDocumentHooks({ onError: () => {} });
    let changed: Promise<unknown> = Promise.resolve();
    hooks.before('publish', async () => {
      changed = apiOf(1).update('article', documentId, { title: 'newest' });
      await Promise.race([changed, sleep(150)]);
    });
    expect(await createApi(testEnvironment, { hooks }).act('publish', 'article', documentId)).not.toBeNull();
    await changed;
    expect([
      await api.one('article', documentId),
      await api.one('article', documentId, { status: 'draft' }),
    ]).toMatchObject([{ title: 'newest' }, { title: 'newest' }]);
  });

  it('from both sides of a relation leave the same links on both sides and in both versions', async () => {
    const authors = await Promise.all(
      numbers(4).map(async (n) => (await api.create('author', { name: `side ${n}` })).documentId),
    );
    const articles = await Promise.all(
      numbers(4).map(async (n) => (await api.create('article', { title: `side ${n}` })).documentId),
    );
    await Promise.all(
      numbers(WRITERS * 2).map((n) =>
        n % 2 === 0
          ? apiOf(n >> 1).update('author', authors[n % 4] ?? '', {
              articles: articles.filter((_, index) => (index + n) % 3 === 0),
            })
          : apiOf(n >> 1).update(
              'article',
              articles[n % 4] ?? '',
              n % 3 === 0 ? { author: authors[(n + 1) % 4] } : { summary: `by ${n}` },
            ),
      ),
    );
    const seenFrom = async (status: string) => {
      const owners = await Promise.all(
        articles.map((article) =>
          api.one('article', article, { status, populate: { author: { fields: ['name'] } } }),
        ),
      );
      const lists = await Promise.all(
        authors.map((author) =>
          api.one('author', author, { status, populate: { articles: { fields: ['title'] } } }),
        ),
      );
      return {
        owners: owners
          .map((article) =>
            [
              (article?.['author'] as ReturnedRecord | null)?.documentId ?? '-',
              article?.documentId ?? '',
            ].join(' '),
          )
          .filter((pair) => !pair.startsWith('-'))
          .toSorted(),
        lists: lists
          .flatMap((author) =>
            idsOf(author?.['articles']).map((article) => `${author?.documentId ?? ''} ${article}`),
          )
          .toSorted(),
      };
    };
    const [draft, published] = [await seenFrom('draft'), await seenFrom('published')];
    expect(draft.lists).toEqual(draft.owners);
    expect(published).toEqual(draft);
  });

  it('of the same few documents from all sides of their relations all succeed', async () => {
    const authors = await Promise.all(
      numbers(3).map(async (n) => (await api.create('author', { name: `ring ${n}` })).documentId),
    );
    const articles = await Promise.all(
      numbers(4).map(async (n) => (await api.create('article', { title: `ring ${n}` })).documentId),
    );
    const profiles = await Promise.all(
      numbers(3).map(async (n) => (await api.create('profile', { nickname: `ring-${n}` })).documentId),
    );
    const write = (n: number): Promise<unknown> =>
      [
        () =>
          apiOf(n).update('author', authors[n % 3] ?? '', {
            articles: articles.filter((_, index) => (index + n) % 3 !== 0),
            profile: profiles[(n + 1) % 3],
          }),
        () => apiOf(n).update('article', articles[n % 4] ?? '', { author: authors[(n + 1) % 3] }),
        () => apiOf(n).update('profile', profiles[n % 3] ?? '', { author: authors[(n + 2) % 3] }),
      ][(n % 5) % 3]?.() ?? Promise.resolve();
    const outcomes = await Promise.all(
      numbers(WRITERS).map(async (writer) => {
        const own: string[] = [];
        for (const round of numbers(10)) own.push(...(await outcomesOf([write(writer * 7 + round)])));
        return own;
      }),
    );
    expect(outcomes.flat().filter((outcome) => outcome !== 'done')).toEqual([]);
  });

  it('that link documents which others delete succeed or are refused, and leave no broken link', async () => {
    const tags = await createTags(WRITERS);
    const articles = await Promise.all(
      numbers(4).map(async (n) => (await api.create('article', { title: `race ${n}` })).documentId),
    );
    const outcomes = await outcomesOf([
      ...tags.map((tag, n) =>
        apiOf(n).update('article', articles[n % 4] ?? '', { tags: { connect: [tag] } }),
      ),
      ...tags.map((tag, n) => apiOf(n + 1).remove('tag', tag)),
      ...articles.slice(0, 2).map((article, n) => apiOf(n).remove('article', article)),
      ...tags.map((_, n) => apiOf(n).update('article', articles[n % 4] ?? '', { title: `still ${n}` })),
    ]);
    expect(
      outcomes.filter((outcome) => !['done', 'missing', 'request/invalid-relation'].includes(outcome)),
    ).toEqual([]);
    const left = await Promise.all(
      articles
        .slice(2)
        .map((article) => api.one('article', article, { populate: { tags: { fields: ['name'] } } })),
    );
    expect(left.map((article) => article?.['tags'])).toEqual([[], []]);
  });

  it('that create and delete one locale of a document leave its other locale unchanged', async () => {
    const { documentId } = await api.create('article', { title: 'keeps' });
    const outcomes = await outcomesOf(
      numbers(WRITERS).map((n) =>
        n % 2 === 0
          ? apiOf(n).update('article', documentId, { title: `fr ${n}` }, { locale: 'fr' })
          : apiOf(n).remove('article', documentId, 'fr'),
      ),
    );
    expect(outcomes.filter((outcome) => !['done', 'missing'].includes(outcome))).toEqual([]);
    expect(await api.one('article', documentId)).toMatchObject({ title: 'keeps' });
    expect(
      (await api.list('article', { locale: '*', status: 'draft', filters: { documentId } })).length,
    ).toBeLessThanOrEqual(2);
  });
});
