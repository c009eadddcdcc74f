import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listActionGroups } from '../../../src/access/permissions/actions.js';
import type { Strapi } from '../../../src/strapi/strapi.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { PLUGIN_FILES } from './plugins-project.js';

interface JsonResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

type Call = (method: string, ...values: readonly unknown[]) => Promise<never>;

const PASSWORD = 'Secret-Sea-1';

describe.each(databases)('plugins of code written for Strapi, on $name', (database) => {
  let site: Site;
  let strapi: Strapi;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: PLUGIN_FILES });
    strapi = Reflect.get(globalThis, 'strapi') as Strapi;
  });
  afterAll(() => site.close());

  const send = async (
    method: string,
    path: string,
    { body, jwt }: { readonly body?: unknown; readonly jwt?: unknown } = {},
  ): Promise<JsonResponse> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(typeof jwt === 'string' ? { authorization: `Bearer ${jwt}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  };
  /** Calls methods of a service by their names. */
  const service =
    (plugin: string, name: string): Call =>
    async (method, ...values) => {
      const found = strapi.plugin(plugin).service(name) as unknown as Readonly<Record<string, Call>>;
      return Reflect.apply(Reflect.get(found, method), found, values) as never;
    };
  const signUp = (username: string, domain = 'example.com'): Promise<JsonResponse> =>
    send('POST', '/api/auth/local/register', {
      body: { username, email: `${username}@${domain}`, password: PASSWORD },
    });

  it('lets an extension replace actions, which may call those that they replace', async () => {
    const { body: spam } = await signUp('bot', 'spam.example');
    expect(spam).toMatchObject({ error: { status: 400, message: 'No spam' } });
    const { status, body } = await signUp('nina');
    expect(status).toBe(200);
    expect(strapi.config.get('seen.registered')).toBe('nina');
    const me = await send('GET', '/api/users/me', { jwt: body['jwt'] });
    expect(me.body).toMatchObject({ username: 'nina', shout: 'NINA' });
    expect(me.body).not.toHaveProperty('password');
    // Code can compare private attributes, and a response with the whole user does not show them.
    const seen = me.headers.get('x-seen')?.split(' ');
    expect(seen).toEqual(expect.arrayContaining(['username', 'role']));
    expect(seen).not.toContain('password');
    expect(seen).not.toContain('confirmationToken');
    expect(me.headers.get('x-private')).toBe('$2 ');
    expect((await send('GET', '/api/users/me')).status).toBe(403);
    const login = await send('POST', '/api/auth/local', { body: { identifier: 'nina', password: PASSWORD } });
    expect(login.body).toMatchObject({ user: { username: 'nina' } });
  });

  it('has content-types that modules define, and what code adds to any of them in register', async () => {
    const jwt = site.tokens['full'];
    const write = (path: string, data: object): Promise<JsonResponse> =>
      send('POST', `/api/${path}`, { jwt, body: { data } });
    expect(await write('gadgets', { rating: 1 })).toMatchObject({ status: 400 });
    expect(await write('gadgets', { label: 'a', rating: 'many' })).toMatchObject({ status: 400 });
    expect((await write('gadgets?populate=owner', { label: 'a', rating: 5 })).body['data']).toMatchObject({
      label: 'a',
      rating: 5,
      owner: null,
    });
    expect((await write('tags', { name: 'loud', loudness: 11 })).body['data']).toMatchObject({
      loudness: 11,
    });
    expect(strapi.contentTypes['api::gadget.gadget']).toMatchObject({
      attributes: { rating: { type: 'integer', customField: 'global::stars' } },
    });
    expect(site.log.filter((line) => line.includes('in register'))).toEqual([]);
    const { types } = site.project.definitions;
    const loudness = types
      .find(({ uid }) => uid === 'api::tag.tag')
      ?.attributes.find(({ name }) => name === 'loudness');
    expect(loudness).toMatchObject({ file: 'src/plugins/shouter/strapi-server.js', line: 4 });
  });

  it('lets an extension add, guard and remove routes', async () => {
    expect((await send('GET', '/api/users/hello')).body).toEqual({ hello: 'nobody' });
    const guarded = await send('GET', '/api/users', { jwt: site.tokens['full'] });
    expect(guarded).toMatchObject({ status: 403, body: { error: { name: 'PolicyError' } } });
    const removed = await send('POST', '/api/auth/forgot-password', { body: { email: 'nina@example.com' } });
    expect(removed.status).toBe(404);
    expect(await service('users-permissions', 'greeter')('greet', 'Ada')).toBe('Hi Ada');
  });

  it('lets an extension extend services, and warns of parts that the server does not call', async () => {
    expect(await service('users-permissions', 'role')('types')).toContain('public');
    expect(await service('upload', 'upload')('describe')).toBe('changed');
    const warned = site.log.flatMap((line) => / changes (\S+ of \S+), which only/.exec(line)?.[1] ?? []);
    expect(warned).toEqual(
      expect.arrayContaining([
        'services.role of users-permissions',
        'services.upload of upload',
        'controllers.content-api of upload',
      ]),
    );
    expect(warned).toHaveLength(3);
  });

  it('issues and verifies tokens synchronously, which identify users until they are blocked', async () => {
    const users = service('users-permissions', 'user');
    const user: { id: number; documentId: string } = await users('add', {
      username: 'otto',
      email: 'otto@example.com',
      password: PASSWORD,
      confirmed: true,
      role: (
        await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'authenticated' } })
      )?.id,
    });
    const { body } = await send('POST', '/api/tokens', { body: { id: user.id } });
    expect(await service('users-permissions', 'jwt')('verify', body['jwt'])).toMatchObject({ id: user.id });
    await expect(service('users-permissions', 'jwt')('verify', 'x.y.z')).rejects.toThrow('Invalid token.');
    expect((await send('GET', '/api/users/me', { jwt: body['jwt'] })).body).toMatchObject({ shout: 'OTTO' });
    const stored: { password: string } = await users('fetch', user.id);
    expect(await users('validatePassword', PASSWORD, stored.password)).toBe(true);
    await users('edit', user.id, { blocked: true });
    expect((await send('GET', '/api/users/me', { jwt: body['jwt'] })).status).toBe(401);
    expect(await users('count', { username: 'otto' })).toBe(1);
    await users('remove', { id: user.id });
    expect(await users('fetch', user.id)).toBeNull();
  });

  it('signs users in with other services as project code says', async () => {
    const connect = (token: string): Promise<JsonResponse> =>
      send('GET', `/api/auth/acme/callback?access_token=${token}&name=mona`);
    expect((await connect('mona@else.example')).body).toMatchObject({
      error: { status: 400, message: 'Forbidden email address' },
    });
    const { body } = await connect('Mona@strapi.example');
    expect(body).toMatchObject({ user: { username: 'mona', email: 'mona@strapi.example' } });
    const { body: again } = await connect('mona@strapi.example');
    expect(again).toMatchObject({ user: { id: (body['user'] as { id: number }).id } });
    expect((await send('GET', '/api/auth/google/callback?access_token=x')).body).toMatchObject({
      error: { message: 'This provider is disabled' },
    });
  });

  it('manages roles and what they may do', async () => {
    const roles = service('users-permissions', 'role');
    const permissions = { 'api::tag': { controllers: { tag: { find: { enabled: true } } } } };
    await roles('createRole', { name: 'Editors', description: 'They edit', permissions });
    const found = (await roles('find')) as readonly { id: number; name: string; nb_users: number }[];
    const editors = found.find(({ name }) => name === 'Editors');
    expect(editors).toMatchObject({ type: 'editors', nb_users: 0 });
    expect(await roles('findOne', editors?.id)).toMatchObject({ permissions });
    await roles('deleteRole', editors?.id);
    expect(await roles('find')).toHaveLength(found.length - 1);
  });

  it('runs plugins of folders and packages', async () => {
    const answer = await send('GET', '/api/shouter?text=sea');
    expect(answer).toMatchObject({ status: 200, body: { text: 'SEA!!' } });
    expect(answer.headers.get('x-shouter')).toBe('yes');
    expect((await send('GET', '/api/shouter?text=silence')).status).toBe(403);
    expect((await send('GET', '/shouter/settings')).status).toBe(404);
    expect((await send('GET', '/shouter/open')).status).toBe(200);
    expect(strapi.config.get('seen.registered-plugin')).toBe(2);
    expect(strapi.config.get('seen.bootstrapped')).toBe(false);
    expect(strapi.config.get('seen.synced')).toBe(true);
    expect(await service('sitemap', 'sitemap')('pages')).toEqual(['/']);
    expect(strapi.plugin('silent')).toBeUndefined();
  });

  it('has the content-types of plugins in its model, with what extensions change in them', () => {
    const { types, typesByUid } = site.project.model;
    expect(types.filter(({ origin }) => origin === 'plugin').map(({ uid }) => uid)).toEqual([
      'plugin::library.book',
      'plugin::library.shelf',
    ]);
    const { 'plugin::library.book': book, 'plugin::users-permissions.user': user } = typesByUid;
    expect(book).toMatchObject({
      collectionName: 'library_books',
      draftAndPublish: true,
      file: 'src/plugins/library/server/src/content-types/book/schema.json',
      pluginOptions: { 'content-manager': { visible: false } },
    });
    expect(Object.keys(book?.attributes ?? {})).toContain('rating');
    expect(typesByUid['plugin::library.shelf']?.storage.version.table).toBe('library_shelf');
    expect(Object.keys(user?.attributes ?? {})).toEqual(
      expect.arrayContaining(['motto', 'nickname', 'lent']),
    );
    expect(Reflect.get(strapi.plugin('library'), 'contentTypes')).toHaveProperty('book');
    expect(strapi.contentTypes['plugin::library.book']).toMatchObject({ plugin: 'library' });
  });

  it('reads and writes content of plugins, also in relations from and to the project', async () => {
    const [tag, shelf] = await Promise.all([
      strapi.documents('api::tag.tag').create({ data: { name: 'Sea', slug: 'sea-books' } }),
      strapi.documents('plugin::library.shelf').create({ data: { name: 'A', secret: 'hidden' } }),
    ]);
    const books = strapi.documents('plugin::library.book');
    const book = await books.create({
      data: { title: 'Waves', rating: 4, tags: [tag.documentId], shelf: shelf.documentId },
      status: 'published',
    });
    expect(book).toMatchObject({ slug: 'waves' });
    expect(strapi.config.get('seen.book')).toBe('Waves');
    await expect(books.create({ data: { title: 'x'.repeat(41) }, status: 'published' })).rejects.toThrow(
      /40/,
    );
    await strapi.documents('api::reader.reader').create({ data: { name: 'Ada', book: book['documentId'] } });
    const found = await strapi.db.query('plugin::library.book').findOne({
      where: { tags: { name: 'Sea' }, publishedAt: { $notNull: true } },
      populate: ['tags', 'shelf', 'readers'],
    });
    expect(found).toMatchObject({
      title: 'Waves',
      tags: [{ name: 'Sea' }],
      shelf: { name: 'A' },
      readers: [{ name: 'Ada' }],
    });
    const users = strapi.db.query('plugin::users-permissions.user');
    const user = await users.create({
      data: { username: 'lender', email: 'lender@example.com', nickname: 'L', lent: [book['documentId']] },
    });
    expect(await users.findOne({ where: { id: user['id'] }, populate: ['lent'] })).toMatchObject({
      nickname: 'L',
      lent: [{ title: 'Waves' }, { title: 'Waves' }],
    });
  });

  it('serves content of plugins by the routes of the plugins and by GraphQL', async () => {
    const jwt = site.tokens['full'];
    expect((await send('GET', '/api/library/books')).status).toBe(403);
    expect((await send('GET', '/api/library/books?populate=shelf', { jwt })).body).toMatchObject({
      data: [{ title: 'Waves', shelf: { name: 'A' } }],
    });
    const shelf = (await send('GET', '/api/library/books?populate=shelf', { jwt })).body['data'] as
      | readonly { readonly shelf: object }[]
      | undefined;
    expect(shelf?.[0]?.shelf).not.toHaveProperty('secret');
    expect((await send('GET', '/api/library/count', { jwt })).body).toEqual({ books: 1 });
    expect((await send('GET', '/api/books', { jwt })).status).toBe(404);
    const query = '{ libraryBooks { title shelf { name } } }';
    expect((await send('POST', '/graphql', { jwt, body: { query } })).body).toEqual({
      data: { libraryBooks: [{ title: 'Waves', shelf: { name: 'A' } }] },
    });
    const actions = listActionGroups(site.project.model);
    expect(actions.find(({ uid }) => uid === 'plugin::library.desk')?.actions).toEqual(['count']);
    expect(actions.find(({ uid }) => uid === 'plugin::users-permissions.user')?.actions).toContain('hello');
  });

  it('says which plugins do not run', () => {
    const messages = site.log.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages.filter((message) => message.startsWith('The plugin '))).toEqual([
      'The plugin mux-video-uploader does not run: mux-video-uploader is not installed.',
    ]);
  });

  it('stores files for project code, and links them', async () => {
    const path = join(site.root, 'note.txt');
    await writeFile(path, 'A note');
    const upload = service('upload', 'upload');
    const [file]: readonly { id: number; name: string; url: string }[] = await upload('upload', {
      data: { fileInfo: { name: 'hello.txt', caption: 'A caption' } },
      files: { filepath: path, originalFilename: 'note.txt', mimetype: 'text/plain', size: 6 },
    });
    expect(file).toMatchObject({ name: 'hello.txt', caption: 'A caption', mime: 'text/plain' });
    expect(await (await fetch(`${site.server.url}${file?.url}`)).text()).toBe('A note');
    const [other]: readonly { id: number }[] = await upload('upload', {
      files: [{ buffer: Buffer.from('{"a":1}'), name: 'data.json', type: 'application/json' }],
    });
    expect(await upload('findMany', { filters: { id: { $in: [file?.id, other?.id] } } })).toHaveLength(2);
    const image = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
    const authors = strapi.db.query('api::author.author');
    const { id } = await authors.create({ data: { name: 'Ada', email: 'ada@example.com' } });
    await upload('upload', {
      data: { ref: 'api::author.author', refId: id, field: 'avatar' },
      files: { buffer: image, name: 'ada.svg', type: 'image/svg+xml' },
    });
    expect(await authors.findOne({ where: { id }, populate: ['avatar'] })).toMatchObject({
      avatar: { name: 'ada.svg' },
    });
    await upload('remove', file);
    expect(await upload('findOne', file?.id)).toBeNull();
  });

  it('sends messages', async () => {
    const email = service('email', 'email');
    await email('send', { to: ['a@example.com'], from: 'shop@example.com', subject: 'Hi', text: 'Text' });
    await email(
      'sendTemplatedEmail',
      { to: 'b@example.com' },
      {
        subject: 'Dear <%= user.name %>',
        text: '<%= user.name %> <%= user.age %>',
        html: '<%= process.env %>',
      },
      { user: { name: 'Bo' } },
    );
    const folder = join(site.root, '.galley', 'mail');
    const messages = await Promise.all(
      (await readdir(folder)).toSorted().map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(messages[0]).toMatch(/From: shop@example.com[^]*To: a@example.com[^]*Subject: Hi/);
    expect(messages[1]).toMatch(/Subject: Dear Bo[^]*Bo <%= user.age %>[^]*<%= process.env %>/);
  });

  it('knows locales, and refuses what only the admin panel has', async () => {
    expect(await service('i18n', 'locales')('getDefaultLocale')).toBe('en');
    expect(await service('i18n', 'locales')('findByCode', 'en')).toMatchObject({ code: 'en' });
    const article = strapi.contentType('api::article.article');
    expect(await service('i18n', 'content-types')('isLocalizedContentType', article)).toBe(true);
    expect(() => strapi.service('admin::user')).toThrow('There is no service admin::user');
    expect(() => strapi.plugin('upload').service('folder')).toThrow('There is no service upload.folder');
    expect((strapi.policy('admin::isAuthenticatedAdmin') as () => boolean)()).toBe(false);
  });
});
