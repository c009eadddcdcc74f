import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import {
  ChangedError,
  createClient,
  ForbiddenError,
  GraphqlError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
} from '../../../src/client.js';
import type { Client, ClientOptions, SessionStorage } from '../../../src/client.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

interface Stored {
  readonly id: number;
  readonly documentId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Tag extends Stored {
  readonly publishedAt: string;
  readonly name: string;
}

interface Article extends Stored {
  readonly publishedAt: string | null;
  readonly locale: string;
  readonly title: string;
  readonly kind: string | null;
  readonly views: number | null;
  readonly tags?: Tag[];
}

interface File {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly alternativeText: string | null;
}

interface Schema {
  readonly collections: {
    readonly articles: {
      readonly document: Article;
      readonly input: { title: string; kind?: string; views?: number; tags?: readonly string[] };
    };
    readonly tags: { readonly document: Tag; readonly input: { name: string } };
  };
  readonly singleTypes: {
    readonly homepage: {
      readonly document: Stored & { readonly headline: string | null; readonly locale: string };
      readonly input: { headline?: string | null };
    };
  };
  readonly file: File;
  readonly user: Stored & { readonly username: string; readonly email: string };
}

const PASSWORD = 'correct horse';
const ADA = { username: 'ada', email: 'ada@example.com', password: PASSWORD };

const refusal = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'not refused',
    (error: unknown) => error,
  );

/** A storage like that of a page. */
const createStorage = (): SessionStorage & { readonly values: ReadonlyMap<string, string> } => {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
};

const sqlite = databases.filter(({ name }) => name === 'sqlite');

describe.each(sqlite)('the client on $name', (database) => {
  let site: Site;
  let client: Client<Schema>;
  const connect = (options: Partial<ClientOptions> = {}): Client<Schema> =>
    createClient<Schema>({
      url: `${site.server.url}/`,
      WebSocket,
      ...options,
    });
  beforeAll(async () => {
    const config = { plugins: { 'users-permissions': { config: { jwtManagement: 'refresh' } } } };
    site = await createSite({ project: 'magazine', database, config });
    client = connect({ token: site.tokens['full'] ?? '' });
  });
  afterAll(() => site.close());

  it('overwrites no changes by others', async () => {
    const { articles, homepage } = client;
    const { data: opened } = await articles.create({ title: 'Opened' }, { status: 'draft' });
    const { documentId: id, updatedAt: ifMatch } = opened;
    const draft = { status: 'draft' } as const;
    const { data: saved } = await articles.update(id, { title: 'Saved' }, draft, { ifMatch });
    for (const write of [
      () => articles.update(id, { title: 'Lost' }, draft, { ifMatch }),
      () => articles.publish(id, {}, { ifMatch }),
      () => articles.unpublish(id, {}, { ifMatch }),
      () => articles.discardDraft(id, {}, { ifMatch }),
    ]) {
      const error = await refusal(write());
      expect(error).toBeInstanceOf(ChangedError);
      expect(error).toMatchObject({
        status: 412,
        present: { status: 'draft', updatedAt: saved.updatedAt, data: { documentId: id, title: 'Saved' } },
      });
    }
    expect(await refusal(articles.delete(id, {}, { ifMatch }))).toBeInstanceOf(ChangedError);
    const bulk = articles.bulk([{ action: 'publish', documentId: id, ifMatch }]);
    expect(await refusal(bulk)).toMatchObject({ status: 412, details: { changed: [{ documentId: id }] } });
    expect((await articles.publish(id, {}, { ifMatch: saved.updatedAt })).data.title).toBe('Saved');
    const { data: published } = await articles.findOne(id);
    expect(await articles.delete(id, {}, { ifMatch: published.updatedAt })).toBeUndefined();
    const gone = await refusal(articles.update(id, { title: 'Gone' }, {}, { ifMatch }));
    expect([gone, (gone as ChangedError).present]).toMatchObject([{ status: 412 }, null]);

    const { data: first } = await homepage.update({ headline: 'One' });
    await homepage.update({ headline: 'Two' }, {}, { ifMatch: first.updatedAt });
    const stale = await refusal(homepage.update({ headline: 'Three' }, {}, { ifMatch: first.updatedAt }));
    expect(stale).toMatchObject({ present: { data: { headline: 'Two' } } });
    expect(await refusal(homepage.delete({}, { ifMatch: first.updatedAt }))).toBeInstanceOf(ChangedError);
  });

  it('writes, publishes and reads documents', async () => {
    const { articles } = client;
    const { data: tag } = await client.tags.create({ name: 'a & b = [c]' });
    const { data: made } = await articles.create(
      { title: 'First', kind: 'news', tags: [tag.documentId] },
      { status: 'draft', populate: { tags: { fields: ['name'] } }, fields: ['title', 'publishedAt'] },
    );
    expect(made).toEqual({
      id: expect.any(Number),
      documentId: expect.any(String),
      title: 'First',
      publishedAt: null,
      tags: [{ id: tag.id, documentId: tag.documentId, name: tag.name }],
    });
    const id = made.documentId;
    expect(await refusal(articles.findOne(id))).toBeInstanceOf(NotFoundError);
    expect((await articles.publish(id, { fields: ['title'] })).data).toMatchObject({ title: 'First' });
    expect((await articles.update(id, { title: 'Changed' }, { status: 'draft' })).data.title).toBe('Changed');
    expect((await articles.findOne(id)).data.title).toBe('First');
    expect((await articles.discardDraft(id)).data.title).toBe('First');
    expect((await articles.update(id, { title: 'Second' }, { locale: 'fr' })).data.locale).toBe('fr');
    expect((await articles.unpublish(id, { locale: 'fr' })).data).toMatchObject({ publishedAt: null });
    expect(
      (await articles.find({ filters: { tags: { name: tag.name }, createdAt: { $lt: '2999-01-01' } } })).data,
    ).toMatchObject([{ documentId: id, title: 'First' }]);
    expect(await articles.delete(id, { locale: 'fr' })).toBeUndefined();
    expect((await articles.findOne(id, { locale: '*', status: 'draft' })).data.locale).toBe('en');
    expect(await articles.delete(id)).toBeUndefined();
    expect(await refusal(articles.publish(id))).toBeInstanceOf(NotFoundError);
  });

  it('reads lists by page and by cursor, and figures of them', async () => {
    const items = ['news', 'news', 'review', 'news', 'review'].map((kind, index) => ({
      action: 'create' as const,
      data: { title: `Item ${index}`, kind, views: index },
    }));
    const bulk = await client.articles.bulk(items, { fields: ['title'] });
    expect([bulk.meta, bulk.data[4]?.data?.title]).toEqual([{ succeeded: 5, failed: 0 }, 'Item 4']);
    const listed = await client.articles.find({
      filters: { kind: { $ne: null }, $or: [{ views: 1 }, { views: { $in: [2, 3] } }] },
      sort: { title: 'desc' },
      pagination: { pageSize: 2 },
    });
    expect(listed.data.map(({ title }) => title)).toEqual(['Item 3', 'Item 2']);
    expect(listed.meta.pagination).toEqual({ page: 1, pageSize: 2, pageCount: 2, total: 3 });
    const titles: string[] = [];
    const query = { sort: 'views:desc', fields: ['title'], pagination: { limit: 2 } } as const;
    for await (const { title } of client.articles.iterate(query)) titles.push(title);
    expect(titles).toEqual(['Item 4', 'Item 3', 'Item 2', 'Item 1', 'Item 0']);
    expect((await client.articles.find({ filters: { title: { $in: [] } } })).data).toEqual([]);
    expect((await client.articles.find({ filters: { title: [] } })).data).toEqual([]);
    expect((await client.articles.find({ filters: { title: { $notIn: [] } } })).data).toHaveLength(5);
    expect((await client.articles.aggregate()).data).toEqual({ count: 5 });
    const { data } = await client.articles.aggregate({
      sum: ['views'],
      max: 'title',
      groupBy: { kind: true },
      sort: 'sum.views:desc',
    });
    expect(data).toEqual([
      { group: { kind: 'review' }, sum: { views: 6 }, max: { title: 'Item 4' } },
      { group: { kind: 'news' }, sum: { views: 4 }, max: { title: 'Item 3' } },
    ]);
    expect(await refusal(client.articles.bulk([{ action: 'publish', documentId: 'none' }]))).toMatchObject({
      status: 400,
      issues: [{ path: expect.arrayContaining(['0']) as unknown }],
    });
  });

  it('reads, writes and deletes a single type', async () => {
    expect((await client.homepage.update({ headline: 'Hello' }, { locale: 'fr' })).data).toMatchObject({
      headline: 'Hello',
      locale: 'fr',
    });
    expect((await client.single('homepage').find({ locale: 'fr', fields: ['headline'] })).data.headline).toBe(
      'Hello',
    );
    expect(await client.homepage.delete({ locale: 'fr' })).toBeUndefined();
    expect(await refusal(client.homepage.find({ locale: 'fr' }))).toBeInstanceOf(NotFoundError);
  });

  it('uploads, lists, changes and deletes files', async () => {
    const files = ['one', 'two'].map(
      (name) => new globalThis.File([name], `${name}.txt`, { type: 'text/plain' }),
    );
    const [one, two] = await client.upload(files, { info: [{ caption: 'x' }, { alternativeText: 'Two' }] });
    expect([one, two]).toMatchObject([{ name: 'one.txt' }, { name: 'two.txt', alternativeText: 'Two' }]);
    const id = one?.id ?? 0;
    expect(await client.files.update(id, { name: 'uno.txt' })).toMatchObject({ id, name: 'uno.txt' });
    const replaced = await client.files.update(id, {}, new globalThis.File(['longer'], 'uno.txt'));
    expect(await (await fetch(site.server.url + replaced.url)).text()).toBe('longer');
    expect((await client.files.find({ sort: 'name' })).map(({ name }) => name)).toEqual([
      'two.txt',
      'uno.txt',
    ]);
    expect(await client.files.delete(id)).toMatchObject({ id });
    expect(await refusal(client.files.findOne(id))).toBeInstanceOf(NotFoundError);
  });

  it('signs up and in, renews the session once for all requests, and signs out', async () => {
    const storage = createStorage();
    let refreshes = 0;
    const counting: typeof fetch = (input, init) => {
      if (typeof input === 'string' && input.endsWith('/auth/refresh')) refreshes += 1;
      return fetch(input, init);
    };
    const ada = connect({ storage, fetch: counting });
    expect((await ada.auth.register(ADA)).user.username).toBe('ada');
    expect(await ada.auth.me()).toMatchObject({ email: ADA.email });
    const first = ada.auth.session;
    ada.auth.use({ ...first, jwt: 'stale' });
    const both = await Promise.all([ada.auth.me(), ada.articles.find(), ada.auth.me()]);
    expect([both.length, refreshes]).toEqual([3, 1]);
    expect(storage.values.get('galley-session')).toContain(ada.auth.session?.refreshToken);
    expect(ada.auth.session?.refreshToken).not.toBe(first?.refreshToken);
    ada.auth.use({ ...ada.auth.session, jwt: 'stale' });
    expect(await ada.graphql('{ tags { name } }')).toMatchObject({ tags: [{ name: 'a & b = [c]' }] });
    expect([await ada.auth.refresh(), refreshes]).toEqual([true, 3]);
    await ada.auth.changePassword({
      currentPassword: PASSWORD,
      password: `${PASSWORD}!`,
      passwordConfirmation: `${PASSWORD}!`,
    });
    expect(await ada.auth.me()).toMatchObject({ username: 'ada' });
    await ada.auth.signOut();
    expect([ada.auth.session, storage.values.size]).toEqual([null, 0]);
    ada.auth.use({ jwt: 'stale', refreshToken: 'used' });
    expect(await refusal(ada.auth.me())).toBeInstanceOf(UnauthorizedError);
    expect([ada.auth.session, await ada.auth.refresh()]).toEqual([null, false]);
  });

  it('keeps refresh tokens in a cookie where it is asked to', async () => {
    let cookie = '';
    const browser: typeof fetch = async (input, init) => {
      const headers = { ...(init?.headers as Record<string, string>), cookie };
      const response = await fetch(input, { ...init, headers });
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return response;
    };
    const ada = connect({ cookies: true, fetch: browser });
    const signedIn = await ada.auth.signIn({ identifier: 'ada', password: `${PASSWORD}!` });
    expect([signedIn.refreshToken, cookie]).toEqual([undefined, expect.stringMatching(/=.+/)]);
    ada.auth.use(null);
    expect(await ada.auth.refresh()).toBe(true);
    expect(await ada.auth.me()).toMatchObject({ username: 'ada' });
    await ada.auth.signOut();
    expect([cookie.endsWith('='), await ada.auth.refresh()]).toEqual([true, false]);
  });

  it('runs operations of GraphQL, and hears its events', async () => {
    const query = 'query ($name: String) { tags(filters: { name: { eq: $name } }) { name } }';
    expect(await client.graphql(query, { name: 'nothing' })).toEqual({ tags: [] });
    expect(await refusal(client.graphql('{ nothing }'))).toMatchObject({ status: 400 });
    const failed = await refusal(
      client.graphql('mutation { createArticle(data: { title: "x", rating: 9 }) { title } }'),
    );
    expect(failed).toBeInstanceOf(GraphqlError);
    const events = client.subscribe<{ readonly tagCreated: Pick<Tag, 'name'> }>(
      'subscription ($name: String) { tagCreated(filters: { name: { startsWith: $name } }) { name } }',
      { name: 'heard' },
    );
    let event: unknown;
    const next = events.next().then(({ value }) => (event = value));
    for (let count = 0; event === undefined; count += 1) await client.tags.create({ name: `heard ${count}` });
    await next;
    expect(event).toEqual({ tagCreated: { name: expect.stringMatching(/^heard \d/) } });
    await events.return();
    const unknown = connect({ token: 'no-such-key' }).subscribe('subscription { tagCreated { name } }');
    expect(await refusal(unknown.next())).toBeInstanceOf(UnauthorizedError);
    const wrong = client.subscribe('subscription { nothing }');
    expect(await refusal(wrong.next())).toBeInstanceOf(GraphqlError);
    const aborting = new AbortController();
    const aborted = refusal(
      client.subscribe('subscription { tagDeleted { name } }', {}, { signal: aborting.signal }).next(),
    );
    aborting.abort(new Error('enough'));
    expect(await aborted).toMatchObject({ message: 'enough' });
  });

  it('distinguishes errors by their class', async () => {
    const visitor = connect();
    const invalid = await refusal(client.articles.create({ title: null as never }));
    expect(invalid).toBeInstanceOf(ValidationError);
    expect(invalid).toMatchObject({ name: 'ValidationError', status: 400, issues: [{ path: ['title'] }] });
    expect(await refusal(visitor.articles.find())).toBeInstanceOf(ForbiddenError);
    expect(await refusal(connect({ token: 'x' }).tags.find())).toBeInstanceOf(UnauthorizedError);
    const code = { code: 'wrong', password: PASSWORD, passwordConfirmation: PASSWORD };
    // The project grants neither; an unknown path would be a NotFoundError.
    expect(await refusal(visitor.auth.forgotPassword(ADA))).toBeInstanceOf(ForbiddenError);
    expect(await refusal(visitor.auth.resetPassword(code))).toBeInstanceOf(ForbiddenError);
    expect(await refusal(visitor.auth.sendConfirmation(ADA))).toBeInstanceOf(ForbiddenError);
    const busy = async (): Promise<Response> =>
      new Response('<h1>Slow down</h1>', { status: 429, headers: { 'retry-after': '7' } });
    const limited = await refusal(connect({ fetch: busy }).tags.find());
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toMatchObject({ name: 'ApiError', status: 429, retryAfter: 7 });
    expect(await refusal(connect({ url: 'http://127.0.0.1:9' }).tags.find())).toBeInstanceOf(NetworkError);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await refusal(client.tags.find({}, { signal }))).toMatchObject({ message: 'enough' });
    expect(await client.request('GET', '/_health')).toBeUndefined();
    expect(site.log).toEqual([]);
  });
});
