import {
  HTTPAuthorizationError,
  HTTPBadRequestError,
  HTTPError,
  HTTPForbiddenError,
  HTTPNotFoundError,
} from '@strapi/client';
import type { StrapiClient } from '@strapi/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { createImage } from '../media/support/client.js';
import { connect, connectAs, postCredentials } from './front-end.js';

const PASSWORD = 'correct horse';

/** The error of a request that must fail. */
const refusal = async (request: Promise<unknown>): Promise<HTTPError> => {
  const outcome = await request.catch((error: unknown) => error);
  if (outcome instanceof HTTPError) return outcome;
  throw new Error(`not refused by the server: ${String(outcome)}`);
};

/** What an error's answer says, which is what front ends show. */
const detailsOf = async ({ response }: HTTPError): Promise<unknown> =>
  ((await response.json()) as { readonly error: unknown }).error;

describe.each(databases)('@strapi/client on $name', (database) => {
  let site: Site;
  let client: StrapiClient;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    client = connect(site, site.tokens['full']);
  });
  afterAll(() => site.close());
  afterEach(({ expect: expectHere }) => {
    expectHere(site.log).toEqual([]);
  });

  it('creates, reads, lists, changes and deletes documents', async () => {
    const articles = client.collection('articles');
    const { data: author } = await client.collection('authors').create({ name: 'Ann' });
    const { data: made, meta } = await articles.create(
      {
        title: 'By the client',
        author: author.documentId,
        seo: { metaTitle: 'Seo' },
        links: [{ label: 'One', href: 'https://example.com' }],
      },
      { populate: ['author', 'seo'] },
    );
    expect([made, meta]).toMatchObject([
      { title: 'By the client', author: { name: 'Ann' }, seo: { metaTitle: 'Seo' } },
      {},
    ]);
    expect(
      (
        await articles.findOne(made.documentId, {
          fields: ['title'],
          populate: { author: { fields: ['name'] }, links: true },
        })
      ).data,
    ).toMatchObject({
      documentId: made.documentId,
      title: 'By the client',
      author: { name: 'Ann' },
      links: [{ label: 'One' }],
    });
    expect(
      (await articles.update(made.documentId, { title: 'Changed', author: null }, { populate: '*' })).data,
    ).toMatchObject({ title: 'Changed', author: null, links: [{ label: 'One' }] });
    expect(await articles.delete(made.documentId)).toBeUndefined();
    expect(await refusal(articles.findOne(made.documentId))).toBeInstanceOf(HTTPNotFoundError);
    expect(await articles.delete(made.documentId)).toBeUndefined();
  });

  it('lists by filters, order and page', async () => {
    const tags = client.collection('tags');
    for (const name of ['red', 'green', 'blue', 'grey']) await tags.create({ name });
    const { data, meta } = await tags.find({
      filters: { $or: [{ name: { $startsWith: 'gr' } }, { name: { $in: ['red'] } }] },
      sort: ['name:desc'],
      pagination: { page: 1, pageSize: 2 },
      fields: ['name'],
    });
    expect(data.map((tag) => (tag as { readonly name?: unknown }).name)).toEqual(['red', 'grey']);
    expect(meta).toEqual({ pagination: { page: 1, pageSize: 2, pageCount: 2, total: 3 } });
    const paged = await tags.find({
      filters: { name: { $ne: null } },
      sort: 'name',
      pagination: { start: 1, limit: 2, withCount: false },
    });
    expect([paged.data.length, paged.meta]).toEqual([2, { pagination: { start: 1, limit: 2 } }]);
    expect((await tags.find({ filters: { createdAt: { $gt: new Date(0) } } })).meta.pagination?.total).toBe(
      4,
    );
  });

  it('keeps drafts and locales apart', async () => {
    const articles = client.collection('articles');
    const { data: draft } = await articles.create({ title: 'Hidden' }, { status: 'draft' });
    expect(draft).toMatchObject({ publishedAt: null, locale: 'en' });
    expect(await refusal(articles.findOne(draft.documentId))).toBeInstanceOf(HTTPNotFoundError);
    expect((await articles.findOne(draft.documentId, { status: 'draft' })).data).toMatchObject({
      title: 'Hidden',
    });
    await articles.update(draft.documentId, { title: 'Caché' }, { locale: 'fr' });
    expect(
      (await articles.findOne(draft.documentId, { locale: 'fr', populate: ['localizations'] })).data,
    ).toMatchObject({ title: 'Caché', locale: 'fr' });
    await articles.delete(draft.documentId, { locale: 'fr' });
    expect(await refusal(articles.findOne(draft.documentId, { locale: 'fr' }))).toBeInstanceOf(
      HTTPNotFoundError,
    );
    expect((await articles.findOne(draft.documentId, { status: 'draft' })).data).toMatchObject({
      title: 'Hidden',
    });
  });

  it('reads, writes and deletes a single type', async () => {
    const homepage = client.single('homepage');
    expect(await refusal(homepage.find())).toBeInstanceOf(HTTPNotFoundError);
    expect((await homepage.update({ headline: 'Hello', theme: 'dark' })).data).toMatchObject({
      headline: 'Hello',
      theme: 'dark',
    });
    expect(
      (await homepage.update({ headline: 'Bonjour' }, { locale: 'fr', populate: '*' })).data,
    ).toMatchObject({ headline: 'Bonjour', locale: 'fr' });
    expect((await homepage.find({ fields: ['headline'], populate: ['seo'] })).data).toMatchObject({
      headline: 'Hello',
      seo: null,
    });
    expect(await homepage.delete()).toBeUndefined();
    expect(await refusal(homepage.find())).toBeInstanceOf(HTTPNotFoundError);
    expect((await homepage.find({ locale: 'fr' })).data).toMatchObject({ headline: 'Bonjour' });
  });

  it('uploads, finds, changes and deletes files', async () => {
    const { files } = client;
    const [picked] = await files.upload(await createImage(600, 400), {
      filename: 'sea.png',
      mimetype: 'image/png',
      fileInfo: { alternativeText: 'The sea', caption: 'Blue' },
    });
    expect(picked).toMatchObject({
      name: 'sea.png',
      mime: 'image/png',
      width: 600,
      height: 400,
      alternativeText: 'The sea',
      caption: 'Blue',
      formats: { thumbnail: { width: 234 } },
    });
    const [blob] = await files.upload(new Blob(['some text'], { type: 'text/plain' }), {
      fileInfo: { name: 'note.txt' },
    });
    expect(blob).toMatchObject({ name: 'note.txt', mime: 'text/plain', width: null });
    const [named] = await files.upload(new File(['more text'], 'named.txt', { type: 'text/plain' }));
    expect(named).toMatchObject({ name: 'named.txt' });
    const id = picked?.id ?? 0;
    expect(await files.findOne(id)).toMatchObject({ id, name: 'sea.png', url: picked?.url });
    expect(await files.update(id, { name: 'ocean.png', alternativeText: 'The ocean' })).toMatchObject({
      id,
      name: 'ocean.png',
      alternativeText: 'The ocean',
      caption: 'Blue',
    });
    expect(
      (
        await files.find({
          filters: { mime: { $contains: 'image' }, name: { $contains: 'ocean' } },
          sort: ['name:asc'],
        })
      ).map((file) => file.id),
    ).toEqual([id]);
    expect((await files.find({ sort: 'name' })).map(({ name }) => name)).toEqual([
      'named.txt',
      'note.txt',
      'ocean.png',
    ]);
    const { data: article } = await client
      .collection('articles')
      .create({ title: 'With a picture', cover: id }, { populate: ['cover'] });
    expect(article).toMatchObject({ cover: { id, alternativeText: 'The ocean' } });
    expect(await files.delete(id)).toMatchObject({ id, name: 'ocean.png' });
    expect(
      (await client.collection('articles').findOne(article.documentId, { populate: ['cover'] })).data,
    ).toMatchObject({ cover: null });
    const missing = await refusal(files.findOne(id));
    expect(missing).toBeInstanceOf(HTTPNotFoundError);
    expect(missing.name).toBe('FileNotFoundError');
    expect((await refusal(files.delete(id))).name).toBe('FileNotFoundError');
    expect((await refusal(files.update(id, { name: 'x' }))).name).toBe('FileNotFoundError');
  });

  it('signs somebody up, in, and speaks for them', async () => {
    const visitor = connect(site);
    const signedUp = await postCredentials(visitor, '/auth/local/register', {
      username: 'bea',
      email: 'bea@example.com',
      password: PASSWORD,
    });
    expect(signedUp.user).toMatchObject({ username: 'bea' });
    const { jwt } = await postCredentials(visitor, '/auth/local', {
      identifier: 'bea@example.com',
      password: PASSWORD,
    });
    const signedIn = {
      'by bea': connect(site, jwt),
      'by bea again': connectAs(site, { identifier: 'bea', password: PASSWORD }),
    };
    for (const [name, bea] of Object.entries(signedIn)) {
      expect(await (await bea.fetch('/users/me')).json()).toMatchObject({
        username: 'bea',
        email: 'bea@example.com',
      });
      expect((await bea.collection('articles').find()).meta.pagination?.page).toBe(1);
      expect((await bea.collection('tags').create({ name })).data).toMatchObject({ name });
      expect(await refusal(bea.collection('articles').create({ title: 'not hers to write' }))).toBeInstanceOf(
        HTTPForbiddenError,
      );
    }
    expect(
      (await refusal(postCredentials(visitor, '/auth/local', { identifier: 'bea', password: 'wrong' })))
        .response.status,
    ).toBe(400);
    expect(
      await refusal(connectAs(site, { identifier: 'bea', password: 'wrong' }).collection('articles').find()),
    ).toBeInstanceOf(HTTPForbiddenError);
  });

  it('manages users, whose bodies have no envelope', async () => {
    const users = client.collection('users');
    const roles = (await (await client.fetch('/users-permissions/roles')).json()) as {
      readonly roles: readonly { readonly id: number; readonly type: string }[];
    };
    const role = roles.roles.find(({ type }) => type === 'authenticated')?.id ?? 0;
    const made = (await users.create({
      username: 'carl',
      email: 'carl@example.com',
      password: PASSWORD,
      role,
    })) as unknown as { readonly id: number };
    expect(made).toMatchObject({ username: 'carl', role: { type: 'authenticated' } });
    expect(await users.find({ filters: { username: 'carl' } })).toMatchObject([
      { id: made.id, email: 'carl@example.com' },
    ]);
    expect(await users.findOne(made.id, { populate: 'role' })).toMatchObject({
      username: 'carl',
      role: { type: 'authenticated' },
    });
    expect(await users.update(made.id, { blocked: true })).toMatchObject({ blocked: true });
    expect(
      (
        await refusal(
          postCredentials(connect(site), '/auth/local', { identifier: 'carl', password: PASSWORD }),
        )
      ).response.status,
    ).toBe(400);
    await users.delete(made.id);
    expect(await refusal(users.findOne(made.id))).toBeInstanceOf(HTTPNotFoundError);
  });

  it('gets errors of the class it has for them, with what is wrong', async () => {
    const articles = client.collection('articles');
    const invalid = await refusal(articles.create({ title: null, rating: 9 }));
    expect(invalid).toBeInstanceOf(HTTPBadRequestError);
    expect(await detailsOf(invalid)).toMatchObject({
      status: 400,
      name: 'ValidationError',
      details: { errors: [{ path: ['title'] }, { path: ['rating'] }] },
    });
    expect(await refusal(articles.find({ filters: { nope: 1 } }))).toBeInstanceOf(HTTPBadRequestError);
    expect(await refusal(articles.find({ sort: 'internalNote' }))).toBeInstanceOf(HTTPBadRequestError);
    expect(await refusal(articles.update('nothing', { title: 'x' }))).toBeInstanceOf(HTTPNotFoundError);
    expect(await refusal(client.collection('nothings').find())).toBeInstanceOf(HTTPNotFoundError);
    const anonymous = connect(site);
    expect(await refusal(anonymous.collection('articles').find())).toBeInstanceOf(HTTPForbiddenError);
    expect((await refusal(anonymous.files.find())).name).toBe('FileForbiddenError');
    expect((await anonymous.collection('tags').find()).data.length).toBeGreaterThan(0);
    expect(await refusal(connect(site, 'no-such-key').collection('tags').find())).toBeInstanceOf(
      HTTPAuthorizationError,
    );
    const readonly = connect(site, site.tokens['readonly']);
    expect(await refusal(readonly.collection('tags').create({ name: 'x' }))).toBeInstanceOf(
      HTTPForbiddenError,
    );
    expect((await refusal(readonly.files.upload(new Blob(['x'])))).name).toBe('FileForbiddenError');
  });
});
