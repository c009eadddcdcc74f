import { once } from 'node:events';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { createCronClaims } from '../../../src/strapi/runtime/cron.js';
import { createServerState } from '../../../src/database/server-state.js';
import type { Strapi } from '../../../src/strapi/strapi.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const CATEGORY = 'api::category.category';

/** Tasks in the forms that projects write them in. */
const SERVER_CONFIG = `
module.exports = ({ env }) => ({
  cron: {
    enabled: env.bool('CRON_ENABLED', true),
    tasks: {
      tick: {
        task: ({ strapi }) => { strapi.config.set('seen.ticks', 1); },
        options: { rule: '* * * * * *', tz: 'Europe/Prague' },
      },
      '0 0 1 * * 1': ({ strapi }) => { strapi.config.set('seen.mondays', true); },
      broken: { task: () => { throw new Error('no newsletter'); }, options: { rule: '0 0 1 1 *' } },
      never: { task: () => undefined, options: 'every day' },
    },
  },
});
`;

const ENTRY = `
module.exports = {
  register({ strapi }) {
    strapi.customFields.register({ name: 'color', plugin: 'color-picker', type: 'string' });
    // What libraries for WebSockets do that share a server.
    const { httpServer } = strapi.server;
    const others = httpServer.listeners('request');
    httpServer.removeAllListeners('request');
    httpServer.on('request', (request, response) => {
      if (request.url === '/realtime') response.end('polled');
      else for (const listener of others) listener.call(httpServer, request, response);
    });
    httpServer.on('upgrade', (request, socket) => {
      if (request.url === '/realtime')
        socket.end(['HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket', '', 'hi']
          .join('\\r\\n'));
    });
  },
  bootstrap({ strapi }) {
    strapi.config.set('seen.wasLoaded', strapi.isLoaded);
    strapi.eventHub.on('entry.update', (event) => { strapi.config.set('seen.updated', event); });
  },
};
`;

const FILES = {
  'config/server.js': SERVER_CONFIG,
  'config/shop.js': 'module.exports = { currency: "EUR" };',
  'src/index.js': ENTRY,
  'src/api/category/services/prices.js': 'module.exports = () => ({ format: (price) => `${price} EUR` });',
};

describe.each(databases)('the runtime of code written for Strapi, on $name', (database) => {
  let site: Site;
  let strapi: Strapi;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: FILES });
    strapi = Reflect.get(globalThis, 'strapi') as Strapi;
  });
  afterAll(() => site.close());

  it('gives register the server, in front of which other protocols are put', async () => {
    const { url } = site.server;
    expect(await (await fetch(`${url}/realtime`)).text()).toBe('polled');
    expect((await fetch(`${url}/_health`)).status).toBe(204);
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
    const request = get(`${url}/realtime`, { headers: upgrade });
    const [, socket, head] = (await once(request, 'upgrade')) as [unknown, Duplex, Buffer];
    expect(`${head.toString()}${await text(socket)}`).toBe('hi');
  });

  it('stores values by type, name and key', async () => {
    const store = strapi.store({ type: 'plugin', name: 'mine' });
    expect(await store.get({ key: 'settings' })).toBeNull();
    await store.set({ key: 'settings', value: { every: [1, null] } });
    await strapi.store.set({ key: 'count', value: 0 });
    expect(await strapi.store({ type: 'plugin', name: 'mine', key: 'settings' }).get()).toEqual({
      every: [1, null],
    });
    expect(await strapi.store.get({ key: 'count' })).toBe(0);
    expect(await strapi.store.get({ type: 'core', key: 'count', environment: 'test' })).toBeNull();
    await store.delete({ key: 'settings' });
    expect(await store.get({ key: 'settings' })).toBeNull();
  });

  it("reads Strapi's settings as they apply here", async () => {
    const store = strapi.store({ type: 'plugin', name: 'users-permissions' });
    expect(await store.get({ key: 'advanced' })).toMatchObject({
      allow_register: true,
      unique_email: true,
      default_role: 'authenticated',
    });
    await store.set({ key: 'grant', value: { google: { enabled: true } } });
    expect(await store.get({ key: 'grant' })).toEqual({
      email: { enabled: true, icon: 'envelope' },
      google: { enabled: true },
    });
  });

  it("applies Strapi's settings of accounts immediately", async () => {
    const post = async (path: string, body: object): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${site.server.url}/api/auth/local${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const { error, jwt } = (await response.json()) as { error?: { message: string }; jwt?: string };
      return error?.message ?? { jwt };
    };
    const signUp = (username: string): Promise<unknown> =>
      post('/register', { username, email: `${username}@example.com`, password: 'Secret-1' });
    const store = strapi.store({ type: 'plugin', name: 'users-permissions' });
    await store.set({ key: 'advanced', value: { allow_register: false, unique_email: false } });
    expect(site.log.at(-1)).toContain('unique_email: false has no effect');
    expect(await store.get({ key: 'advanced' })).toMatchObject({ unique_email: true });
    expect(await signUp('eve')).toBe('Register action is currently disabled');
    await store.set({ key: 'advanced', value: { email_confirmation: true } });
    expect(await signUp('eve')).toEqual({ jwt: undefined });
    const eve = { identifier: 'eve', password: 'Secret-1' };
    expect(await post('', eve)).toBe('Your account email is not confirmed');
    const { id } = (await strapi.db
      .query('plugin::users-permissions.user')
      .findOne({ where: { username: 'eve' } })) as { id: number };
    const jwts = strapi.plugin('users-permissions').service('jwt') as unknown as {
      issue: (payload: object) => string;
    };
    const me = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${jwts.issue({ id })}` };
      return (await fetch(`${site.server.url}/api/users/me`, { headers })).status;
    };
    expect(await me()).toBe(401);
    await store.set({ key: 'advanced', value: {} });
    expect([await me(), await post('', eve)]).toEqual([200, { jwt: expect.any(String) as string }]);
    await store.set({ key: 'grant', value: { email: { enabled: false } } });
    expect(await post('', eve)).toBe('This provider is disabled');
    await store.delete({ key: 'grant' });
  });

  it('runs tasks when they are due, and says which one fails or never runs', async () => {
    await vi.waitFor(() => expect(strapi.config.get('seen.ticks')).toBe(1), { timeout: 10_000 });
    strapi.cron.remove('tick');
    expect(strapi.cron.jobs.map(({ name }) => name)).toEqual([null, 'broken', 'never']);
    for (const { name, job } of strapi.cron.jobs) if (name !== 'never') await job.invoke();
    expect(strapi.config.get('seen.mondays')).toBe(true);
    const messages = site.log.map((line) => JSON.parse(line) as { msg: string; err?: { at?: string } });
    expect(messages.find(({ msg }) => msg === 'Cron task broken failed')).toBeDefined();
    expect(messages.find(({ msg }) => msg === 'Cron task never never runs')).toBeDefined();
    strapi.cron.add({ later: { task: () => undefined, options: { rule: { hour: 1, minute: 30 } } } });
    const next = strapi.cron.jobs.at(-1)?.job.nextInvocation();
    expect([next?.getHours(), next?.getMinutes()]).toEqual([1, 30]);
  });

  it('lets one of several servers run a task that is due', async () => {
    const { database: other, close } = await openProjectDatabase(site.project);
    try {
      const first = await openProjectDatabase(site.project);
      const claimsOf = (opened: typeof other) => createCronClaims(createServerState(opened));
      const [one, two] = [claimsOf(other), claimsOf(first.database)];
      const due = new Date('2030-01-07T01:00:00Z');
      const claimed = await Promise.all([one.claim('weekly', due), two.claim('weekly', due)]);
      expect(claimed.toSorted()).toEqual([false, true]);
      expect(await two.claim('weekly', new Date('2030-01-14T01:00:00Z'))).toBe(true);
      expect(await one.claim('weekly', due)).toBe(false);
      await first.close();
    } finally {
      await close();
    }
  });

  it('announces what is written to documents', async () => {
    const events: unknown[] = [];
    const stop = strapi.eventHub.subscribe((name, payload) => void events.push([name, payload]));
    const documents = strapi.documents(CATEGORY);
    const { documentId } = await documents.create({ data: { name: 'Sea' } });
    await documents.update({ documentId, data: { name: 'Ocean' } });
    expect(strapi.config.get('seen.updated')).toMatchObject({
      uid: CATEGORY,
      entry: { documentId, name: 'Ocean' },
    });
    await documents.delete({ documentId });
    stop();
    await documents.create({ data: { name: 'Unheard' } });
    expect(events).toEqual(
      ['create', 'update', 'delete'].map((action) => [
        `entry.${action}`,
        { model: 'category', uid: CATEGORY, entry: expect.objectContaining({ documentId }) },
      ]),
    );
  });

  it('announces publications, and files as media', async () => {
    const events: unknown[] = [];
    const stop = strapi.eventHub.subscribe((name, payload) => void events.push([name, payload]));
    const documents = strapi.documents('api::article.article');
    const { documentId } = await documents.create({
      data: { title: 'Tides', seo: { metaTitle: 'Tides' } },
      status: 'published',
    });
    await documents.unpublish?.({ documentId });
    const session = await site.server.app.media.openUploadSession();
    await session.receive({
      name: 'note.txt',
      type: 'text/plain',
      content: Readable.from([Buffer.from('note')]),
      isTruncated: () => false,
    });
    await session.commit([{}]);
    await session.discard();
    stop();
    expect(events).toMatchObject([
      ['entry.create', { uid: 'api::article.article', entry: { documentId, publishedAt: null } }],
      ['entry.publish', { entry: { documentId, seo: { metaTitle: 'Tides' } } }],
      ['entry.unpublish', { entry: { documentId } }],
      ['media.create', { media: { name: 'note.txt' } }],
    ]);
  });

  it('keeps webhooks, and refuses events that do not exist', async () => {
    const { webhookStore } = strapi;
    const created = await webhookStore.createWebhook({
      name: 'build',
      url: 'https://example.com',
      events: ['entry.publish'],
      contentTypes: ['api::article.article'],
    });
    expect(created).toMatchObject({ id: '1', isEnabled: true, contentTypes: ['api::article.article'] });
    await webhookStore.updateWebhook(1, { isEnabled: false });
    expect(await webhookStore.findWebhook('1')).toMatchObject({
      name: 'build',
      isEnabled: false,
      contentTypes: ['api::article.article'],
    });
    expect(await strapi.db.query('strapi::webhook').findOne({ where: { name: 'build' } })).toMatchObject({
      contentTypes: ['api::article.article'],
    });
    expect(await webhookStore.updateWebhook('1', { contentTypes: null })).toMatchObject({ contentTypes: [] });
    await expect(webhookStore.updateWebhook('1', { contentTypes: 'all' as never })).rejects.toThrow(
      'list of uids',
    );
    await expect(webhookStore.createWebhook({ events: ['entry.read'] })).rejects.toThrow('entry.read');
    expect(await webhookStore.deleteWebhook('1')).toMatchObject({ name: 'build' });
    expect(await webhookStore.findWebhooks()).toEqual([]);
  });

  it('logs texts, objects and errors as Strapi does, and as pino does', () => {
    const before = site.log.length;
    strapi.log.warn('Limit exceeded', { ip: '127.0.0.1' });
    strapi.log.error(new Error('broken'));
    strapi.log.warn({ ip: '::1' }, 'pino');
    strapi.log.silly('not told');
    expect(site.log.slice(before).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { msg: 'Limit exceeded', ip: '127.0.0.1' },
      { msg: 'broken', err: { message: 'broken' } },
      { msg: 'pino', ip: '::1' },
    ]);
  });

  it("has the project's APIs, and what only config/ says", () => {
    expect(Object.keys(strapi.apis)).toContain('category');
    expect(strapi.api('nothing')).toBeUndefined();
    const prices = strapi.api('category')?.service('prices') as { format: (price: number) => string };
    expect(prices.format(3)).toBe('3 EUR');
    expect(strapi.apis['category']?.services['prices']).toBe(prices);
    expect(Reflect.get(strapi.config, 'shop')).toEqual({ currency: 'EUR' });
    expect(strapi.config.server.port).toBeTypeOf('number');
  });

  it('knows folders, features and custom fields', async () => {
    expect(strapi.dirs.app.root).toBe(site.root);
    expect(strapi.customFields.get('plugin::color-picker.color')).toMatchObject({ type: 'string' });
    expect(strapi.features.future.isEnabled('anything')).toBe(false);
    expect(await strapi.telemetry.send('didStart')).toBe(false);
    expect([strapi.EE, strapi.config.get('seen.wasLoaded'), strapi.isLoaded]).toEqual([false, false, true]);
  });
});
