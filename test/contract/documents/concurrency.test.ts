import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../src/documents/hooks.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createApi, lingering } from './service.js';
import type { Answer, Api } from './service.js';

const WRITERS = 16;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const idsOf = (value: unknown): readonly string[] => (value as readonly Answer[]).map(({ documentId }) => documentId);

/** What became of each call: `done`, `missing` (null or false), or the code of a catalogue error. Anything else fails the test. */
const outcomesOf = async (calls: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  Promise.all(calls.map((call) => call.then((answer) => (answer === null || answer === false ? 'missing' : 'done')).catch((error: unknown) => {
    if (isGalleyError(error)) return error.code;
    throw error;
  })));

describe.each(databases)('writers in each other’s way on $name', (database) => {
  let world: World;
  /** Two processes' worth of services: half of the writers come in by each. */
  let apis: readonly Api[];
  let api: Api;
  const by = (writer: number): Api => apis[writer % 2] ?? api;

  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    const others = await world.reopen();
    // Without its locks a writer would overlook what the others do while it lingers; where one writes at a time that only takes time.
    const pause = world.dialect.singleWriter ? 0 : 20;
    apis = [world.database, others].map((each) => createApi({ model: world.model, database: lingering(each, pause) }));
    api = by(0);
  });
  afterAll(() => world.close());

  const createTags = (count: number): Promise<readonly string[]> =>
    Promise.all(numbers(count).map(async (index) => (await by(index).create('tag', { name: `${Math.random()} ${index}` })).documentId));

  it('all link to one document: none is lost', async () => {
    const tags = await createTags(WRITERS);
    const { documentId } = await api.create('article', { title: 'crowded' });
    await Promise.all(tags.map((tag, writer) => by(writer).update('article', documentId, { tags: { connect: [tag] } })));
    for (const status of ['draft', 'published']) {
      const article = await api.one('article', documentId, { status, populate: { tags: { fields: ['name'] } } });
      expect(idsOf(article?.['tags']).toSorted()).toEqual(tags.toSorted());
    }
  });

  it('different attributes, statuses and locales of one document: each keeps its last value', async () => {
    const { documentId } = await api.create('article', { title: 'en' });
    const writes = [
      (n: number) => by(n).update('article', documentId, { views: n }),
      (n: number) => by(n).update('article', documentId, { summary: `summary ${n}` }),
      (n: number) => by(n).update('article', documentId, { title: `fr ${n}` }, { locale: 'fr' }),
      (n: number) => by(n).update('article', documentId, { score: n }, { locale: 'fr', status: 'draft' }),
    ];
    await Promise.all(numbers(WRITERS / writes.length).flatMap((round) => writes.map((write, index) => write(round * writes.length + index))));
    await api.update('article', documentId, {});
    const [en, fr] = [await api.one('article', documentId), await api.one('article', documentId, { locale: 'fr' })];
    expect(en?.['title']).toBe('en');
    expect(en?.['summary']).toMatch(/^summary \d+$/);
    expect(fr?.['title']).toMatch(/^fr \d+$/);
    expect(en?.['views']).toBeTypeOf('number');
    expect([fr?.['views'], fr?.['score']]).toEqual([en?.['views'], en?.['score']]);
  });

  it('one unique value for sixteen: one gets it, the others are told where', async () => {
    const calls = numbers(WRITERS).map((writer) => by(writer).create('author', { name: `w${writer}`, email: 'wanted@example.com' }));
    const outcomes = await outcomesOf(calls);
    expect(outcomes.toSorted()).toEqual(['done', ...numbers(WRITERS - 1).map(() => 'request/invalid-values')]);
    const faults = await Promise.all(calls.map((call) => call.then(() => []).catch((error: unknown) => (isGalleyError(error) ? (error.details.errors ?? []).map(({ path }) => path.join('.')) : []))));
    expect(new Set(faults.flat())).toEqual(new Set(['email']));
    expect(await api.list('author', { filters: { email: 'wanted@example.com' } })).toHaveLength(1);
  });

  it('the first write of a single type makes one document', async () => {
    const answers = await Promise.all(numbers(WRITERS).map((writer) => by(writer).create('setting', { siteName: `site ${writer}` })));
    expect(new Set(answers.map(({ documentId }) => documentId)).size).toBe(1);
    expect(await api.documents.singleDocumentId('api::setting.setting')).toBe(answers[0]?.documentId);
  });

  it('one target that may have one owner: one owner has it', async () => {
    const profiles = await Promise.all(numbers(4).map(async (n) => (await by(n).create('profile', { nickname: `coveted-${n}` })).documentId));
    const authors = await Promise.all(numbers(WRITERS).map(async (n) => (await by(n).create('author', { name: `rival ${n}` })).documentId));
    for (const [round, profile] of profiles.entries()) {
      const fromProfile = (n: number): boolean => round % 2 === 1 && n % 4 === 0;
      await Promise.all(authors.map((author, n) => (fromProfile(n) ? by(n).update('profile', profile, { author }) : by(n).update('author', author, { profile }))));
      const owners = (await api.list('author', { filters: { profile: { documentId: profile } } })).map(({ documentId }) => documentId);
      expect(owners).toHaveLength(1);
      expect(await api.one('profile', profile, { populate: { author: { fields: ['name'] } } })).toMatchObject({ author: { documentId: owners[0] } });
    }
  });

  it('a link set from the other side while the document is being published comes after, in both versions', async () => {
    const [first, second, third] = await Promise.all(['1', '2', '3'].map(async (n) => (await api.create('author', { name: `author ${n}` })).documentId));
    const { documentId } = await api.create('article', { title: 'waiting', author: first });
    await api.update('article', documentId, { author: second }, { status: 'draft' });
    const hooks = createDocumentHooks({ onError: () => {} });
    let linked: Promise<unknown> = Promise.resolve();
    hooks.before('publish', async () => {
      // The document is locked and read by now: whoever wants to change it has to wait.
      linked = by(1).update('author', third ?? '', { articles: { connect: [documentId] } });
      await Promise.race([linked, sleep(150)]);
    });
    await createApi(world, { hooks }).act('publish', 'article', documentId);
    await linked;
    for (const status of ['draft', 'published']) {
      expect(await api.one('article', documentId, { status, populate: { author: { fields: ['name'] } } })).toMatchObject({ author: { name: 'author 3' } });
    }
  });

  it('a change that comes while the document is being published waits for it', async () => {
    const { documentId } = await api.create('article', { title: 'old' });
    await api.update('article', documentId, { title: 'pending' }, { status: 'draft' });
    const hooks = createDocumentHooks({ onError: () => {} });
    let changed: Promise<unknown> = Promise.resolve();
    hooks.before('publish', async () => {
      changed = by(1).update('article', documentId, { title: 'newest' });
      await Promise.race([changed, sleep(150)]);
    });
    expect(await createApi(world, { hooks }).act('publish', 'article', documentId)).not.toBeNull();
    await changed;
    expect([await api.one('article', documentId), await api.one('article', documentId, { status: 'draft' })]).toMatchObject([{ title: 'newest' }, { title: 'newest' }]);
  });

  it('both sides of one relation: draft and published agree, and so do the sides', async () => {
    const authors = await Promise.all(numbers(4).map(async (n) => (await api.create('author', { name: `side ${n}` })).documentId));
    const articles = await Promise.all(numbers(4).map(async (n) => (await api.create('article', { title: `side ${n}` })).documentId));
    await Promise.all(numbers(WRITERS * 2).map((n) => (n % 2 === 0
      ? by(n >> 1).update('author', authors[n % 4] ?? '', { articles: articles.filter((_, index) => (index + n) % 3 === 0) })
      : by(n >> 1).update('article', articles[n % 4] ?? '', n % 3 === 0 ? { author: authors[(n + 1) % 4] } : { summary: `by ${n}` }))));
    const seenFrom = async (status: string) => {
      const owners = await Promise.all(articles.map((article) => api.one('article', article, { status, populate: { author: { fields: ['name'] } } })));
      const lists = await Promise.all(authors.map((author) => api.one('author', author, { status, populate: { articles: { fields: ['title'] } } })));
      return {
        owners: owners.map((article) => `${(article?.['author'] as Answer | null)?.documentId ?? '-'} ${article?.documentId ?? ''}`).filter((pair) => !pair.startsWith('-')).toSorted(),
        lists: lists.flatMap((author) => idsOf(author?.['articles']).map((article) => `${author?.documentId ?? ''} ${article}`)).toSorted(),
      };
    };
    const [draft, published] = [await seenFrom('draft'), await seenFrom('published')];
    expect(draft.lists).toEqual(draft.owners);
    expect(published).toEqual(draft);
  });

  it('one write after the other from all sides of the same few documents: none is turned away', async () => {
    const authors = await Promise.all(numbers(3).map(async (n) => (await api.create('author', { name: `ring ${n}` })).documentId));
    const articles = await Promise.all(numbers(4).map(async (n) => (await api.create('article', { title: `ring ${n}` })).documentId));
    const profiles = await Promise.all(numbers(3).map(async (n) => (await api.create('profile', { nickname: `ring-${n}` })).documentId));
    const write = (n: number): Promise<unknown> => [
      () => by(n).update('author', authors[n % 3] ?? '', { articles: articles.filter((_, index) => (index + n) % 3 !== 0), profile: profiles[(n + 1) % 3] }),
      () => by(n).update('article', articles[n % 4] ?? '', { author: authors[(n + 1) % 3] }),
      () => by(n).update('profile', profiles[n % 3] ?? '', { author: authors[(n + 2) % 3] }),
    ][n % 5 % 3]?.() ?? Promise.resolve();
    const outcomes = await Promise.all(numbers(WRITERS).map(async (writer) => {
      const own: string[] = [];
      for (const round of numbers(10)) own.push(...await outcomesOf([write(writer * 7 + round)]));
      return own;
    }));
    expect(outcomes.flat().filter((outcome) => outcome !== 'done')).toEqual([]);
  });

  it('linking what others delete: refused or done, and nothing dangles', async () => {
    const tags = await createTags(WRITERS);
    const articles = await Promise.all(numbers(4).map(async (n) => (await api.create('article', { title: `race ${n}` })).documentId));
    const outcomes = await outcomesOf([
      ...tags.map((tag, n) => by(n).update('article', articles[n % 4] ?? '', { tags: { connect: [tag] } })),
      ...tags.map((tag, n) => by(n + 1).remove('tag', tag)),
      ...articles.slice(0, 2).map((article, n) => by(n).remove('article', article)),
      ...tags.map((_, n) => by(n).update('article', articles[n % 4] ?? '', { title: `still ${n}` })),
    ]);
    expect(outcomes.filter((outcome) => !['done', 'missing', 'request/invalid-relation'].includes(outcome))).toEqual([]);
    const left = await Promise.all(articles.slice(2).map((article) => api.one('article', article, { populate: { tags: { fields: ['name'] } } })));
    expect(left.map((article) => article?.['tags'])).toEqual([[], []]);
  });

  it('creating while the same document’s locales come and go', async () => {
    const { documentId } = await api.create('article', { title: 'keeps' });
    const outcomes = await outcomesOf(numbers(WRITERS).map((n) => (n % 2 === 0 ? by(n).update('article', documentId, { title: `fr ${n}` }, { locale: 'fr' }) : by(n).remove('article', documentId, 'fr'))));
    expect(outcomes.filter((outcome) => !['done', 'missing'].includes(outcome))).toEqual([]);
    expect(await api.one('article', documentId)).toMatchObject({ title: 'keeps' });
    expect((await api.list('article', { locale: '*', status: 'draft', filters: { documentId } })).length).toBeLessThanOrEqual(2);
  });
});
