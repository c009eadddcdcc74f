import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { PLUGIN_FILES } from './plugins-project.js';

type Call = (method: string, ...values: readonly unknown[]) => Promise<never>;

describe.each(databases)('plugins of code written for Strapi, on $name', (database) => {
  let site: Site;
  let strapi: Strapi;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: PLUGIN_FILES });
    strapi = Reflect.get(globalThis, 'strapi') as Strapi;
  });
  afterAll(() => site.close());

  /** Calls methods of a service by their names. */
  const service =
    (plugin: string, name: string): Call =>
    async (method, ...values) => {
      const found = strapi.plugin(plugin).service(name) as unknown as Readonly<Record<string, Call>>;
      return Reflect.apply(Reflect.get(found, method), found, values) as never;
    };

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

  it('says which plugins do not run', () => {
    const messages = site.log.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages.filter((message) => message.startsWith('The plugin '))).toEqual([
      expect.stringMatching(/^The plugin typed \(\.\/src\/plugins\/typed\) does not run: .*\(thing\)/),
      expect.stringMatching(/^The plugin mux-video-uploader of config\/plugins does not run/),
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
