import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addLocale } from '../../../../src/access/locales.js';
import { createToken } from '../../../../src/access/tokens.js';
import type { Database } from '../../../../src/database/database.js';
import { createServerState } from '../../../../src/database/server-state.js';
import { createDocumentService } from '../../../../src/documents/create-document-service.js';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import { joinTransaction } from '../../../../src/documents/document-context.js';
import { defined } from '../../../../src/lib/assert.js';
import { createDeliveryStore } from '../../../../src/api/webhooks/delivery-store.js';
import { createSiteWatch, createTagRecorder } from '../../../../src/api/webhooks/record-tags.js';
import { recordEvents } from '../../../../src/api/webhooks/record-events.js';
import { createWebhookRegistry } from '../../../../src/api/webhooks/webhook-registry.js';
import { startWebhookSender } from '../../../../src/api/webhooks/webhook-sender.js';
import type { WebhookSender } from '../../../../src/api/webhooks/webhook-sender.js';
import type { StoredWebhook } from '../../../../src/api/webhooks/webhook.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi } from '../../documents/service.js';
import type { Api } from '../../documents/service.js';
import { accept, openReceiver } from './receiver.js';
import type { Receiver } from './receiver.js';

/** Both databases are slow where others work on the machine, too. */
const eventually = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 20_000 });

const SECRET = 'whsec_c2VjcmV0IHNlY3JldA==';
const ENTRY_EVENTS = ['create', 'update', 'delete', 'publish', 'unpublish'].map((name) => `entry.${name}`);

describe.each(databases)('webhooks on $name', (database) => {
  let environment: TestEnvironment;
  let receiver: Receiver;
  let api: Api;
  let registry: ReturnType<typeof createWebhookRegistry>;
  let deliveries: ReturnType<typeof createDeliveryStore>;
  const senders: WebhookSender[] = [];
  const errors: unknown[] = [];
  const hooks = createDocumentHooks({ onError: (error) => errors.push(error) });

  /** Sends from a connection, as a server of its own does. */
  const startSender = (own: Database = environment.database, leaseMs = 10_000): WebhookSender => {
    const sender = startWebhookSender({
      database: own,
      registry: own === environment.database ? registry : createWebhookRegistry(own, { webhooks: [] }),
      deliveries: createDeliveryStore(own),
      onError: (error) => errors.push(error),
      onFailed: () => undefined,
      intervals: { checkMs: 20, leaseMs, stopMs: 10, repeatsMs: [50, 100] },
    });
    senders.push(sender);
    return sender;
  };
  const addWebhook = (changes: Partial<StoredWebhook> = {}): Promise<StoredWebhook> =>
    registry.add({
      name: 'site',
      url: `${receiver.url}/hook`,
      headers: {},
      events: ENTRY_EVENTS,
      isEnabled: true,
      retryPause: 1,
      ...changes,
    });
  const told = (): readonly string[] =>
    receiver.received.map(({ json }) => `${String(json['event'])} ${String(json['model'])}`);
  const logged = (status?: 'pending' | 'delivered' | 'failed') => deliveries.list({ status, limit: 1000 });

  beforeAll(async () => {
    environment = await createTestEnvironment({ model: 'magazine', database });
    const { database: opened, model } = environment;
    receiver = await openReceiver();
    registry = createWebhookRegistry(opened, { webhooks: [] });
    deliveries = createDeliveryStore(opened);
    api = createApi(environment, { hooks });
    const locales = { defaultCode: () => 'en', has: () => true };
    recordEvents({
      database: opened,
      model,
      hooks,
      documents: createDocumentService({ model, database: opened, locales }).unwrapped,
      defaultLocale: locales.defaultCode,
      registry,
      deliveries,
      onRecorded: () => {
        for (const sender of senders) sender.wake();
      },
    });
    // Called after what records events.
    hooks.before('create', ({ data }) => {
      if (JSON.stringify(data).includes('refused')) throw new Error('refused');
    });
  });
  afterAll(async () => {
    await receiver.close();
    await environment.close();
  });
  beforeEach(() => {
    receiver.answer = accept;
    receiver.received.length = 0;
    errors.length = 0;
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) await sender.stop();
    for (const { id } of await registry.stored()) await registry.remove(id);
    if (errors.length > 0)
      throw new AggregateError(errors.splice(0), 'Something went wrong in the background');
  });

  it('report what was written, signed, with the headers of the webhook', async () => {
    await addWebhook({ secret: SECRET, headers: { authorization: 'Bearer me' } });
    startSender();
    const { documentId } = await api.create('article', { title: 'Ferries' });
    await eventually(() => expect(told()).toEqual(['entry.create article', 'entry.publish article']));
    const [created, published] = receiver.received;
    expect(created?.json).toMatchObject({
      uid: 'api::article.article',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      entry: { documentId, title: 'Ferries', publishedAt: null, locale: 'en' },
    });
    expect(published?.json['entry']).toMatchObject({ documentId, publishedAt: expect.any(String) as string });
    const { headers, body } = defined(created, 'The first request');
    expect(headers).toMatchObject({
      'x-strapi-event': 'entry.create',
      'content-type': 'application/json',
      authorization: 'Bearer me',
    });
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const digest = createHmac('sha256', 'secret secret').update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${digest}`);
    await eventually(async () => expect(await logged('delivered')).toHaveLength(2));
    expect((await logged())[0]).toMatchObject({ responseStatus: 200, attempts: 1, error: null });
  });

  it('report their events, types and locales only', async () => {
    await addWebhook({ events: ['entry.delete', 'entry.update'], types: ['article'], locales: ['fr'] });
    const { documentId } = await api.create('article', { title: 'one' });
    await api.update('article', documentId, { title: 'un' }, { locale: 'fr', status: 'draft' });
    await api.update('article', documentId, { title: 'two' }, { status: 'draft' });
    await api.create('tag', { name: 'red' });
    await api.remove('article', documentId, '*');
    const found = (await logged()).toReversed();
    expect(found.map(({ event, locale }) => `${event} ${locale}`)).toEqual([
      'entry.update fr',
      'entry.delete fr',
    ]);
    startSender();
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[1]?.json['entry']).toMatchObject({ documentId, title: 'un' });
  });

  it('report nothing that was rolled back', async () => {
    await addWebhook();
    const { database: opened } = environment;
    const failing = joinTransaction(opened, async () => {
      await api.create('article', { title: 'lost' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await expect(api.create('article', { title: 'refused' })).rejects.toThrow('refused');
    await joinTransaction(opened, async () => {
      await api.create('tag', { name: 'kept' });
      // Undone alone, by a savepoint.
      await expect(api.create('tag', { name: 'refused' })).rejects.toThrow('refused');
    });
    expect((await logged()).map(({ event, type }) => `${event} ${type}`)).toEqual([
      'entry.create api::tag.tag',
    ]);
  });

  it('try again, in the order of a document, and with the same key', async () => {
    await addWebhook();
    let refusals = 2;
    receiver.answer = (_request, response) => {
      response.statusCode = refusals > 0 ? 503 : 200;
      refusals -= 1;
      response.end('later');
    };
    startSender();
    const { documentId } = await api.create('tag', { name: 'blue' });
    await api.update('tag', documentId, { name: 'navy' });
    await eventually(async () => expect(await logged('delivered')).toHaveLength(2));
    expect(told()).toEqual([...Array.from({ length: 3 }, () => 'entry.create tag'), 'entry.update tag']);
    const keys = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect((await logged())[1]).toMatchObject({ attempts: 3, error: null });
  });

  it('purge a service three times, even if the process ends in between or a repeat fails', async () => {
    await addWebhook({ events: ['cache.purge'], purge: 'varnish', retryPause: 1 });
    const recorder = createTagRecorder({ registry, deliveries, onRecorded: () => undefined });
    await environment.database.transact((tx) => recorder.announce(tx, ['tag:one', 'tag']));
    const sender = startSender();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await sender.stop();
    const [first] = await logged();
    expect(first).toMatchObject({ status: 'pending', responseStatus: 200, error: null });
    receiver.answer = (_request, response) => {
      response.statusCode = receiver.received.length === 2 ? 503 : 200;
      response.end();
    };
    startSender();
    await eventually(async () => expect(await logged('pending')).toEqual([]));
    expect(receiver.received).toHaveLength(5);
    const purged = receiver.received.map(({ headers }) => headers['x-cache-tags']);
    expect(new Set(purged).size).toBe(1);
    expect(await logged('delivered')).toMatchObject([{ attempts: 3 }]);
  });

  it('announce changed permissions once servers have loaded them, but no changed tokens', async () => {
    const { database: opened, model } = environment;
    let time = 0;
    const announced: string[] = [];
    const watch = createSiteWatch(
      opened,
      model,
      { announce: async (_tx, tags) => void announced.push(...tags) },
      { now: () => time },
    );
    const check = async (at: number): Promise<readonly string[]> => {
      time = at;
      await watch();
      return announced.splice(0);
    };
    await check(0);
    await check(1000);
    const locale = { code: 'nl' };
    await addLocale({ database: opened, model, salt: null }, locale);
    expect([await check(2000), await check(2800), await check(3000), await check(4000)]).toEqual([
      [],
      [],
      ['all'],
      [],
    ]);
    const salt = 'a salt of this test';
    await createToken({ database: opened, model, salt }, { name: 'reader', type: 'read-only' });
    expect([await check(5000), await check(7000)]).toEqual([[], []]);
  });

  it('do not wait for receivers that hang, and give up at last', async () => {
    const hanging = await addWebhook({
      name: 'hanging',
      url: `${receiver.url}/hang`,
      timeout: 30,
      retries: 1,
    });
    await addWebhook();
    await addWebhook({ name: 'moved', url: `${receiver.url}/moved`, retries: 0 });
    receiver.answer = ({ path }, response) => {
      if (path === '/moved') response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
      else if (path !== '/hang') response.end();
    };
    startSender();
    await api.create('tag', { name: 'green' });
    await eventually(async () => expect(await logged('failed')).toHaveLength(2));
    const byHook = Object.fromEntries((await logged()).map((delivery) => [delivery.webhookId, delivery]));
    expect(byHook[hanging.id]).toMatchObject({ attempts: 2, error: 'No response within 30 ms' });
    const statuses = new Set(Object.values(byHook).map(({ responseStatus }) => responseStatus));
    expect(statuses).toEqual(new Set([null, 200, 302]));
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
    receiver.answer = accept;
    // A busy machine may take longer than 30 ms to respond.
    await registry.update(hanging.id, { timeout: 10_000 });
    expect(await deliveries.redeliver({ failedOf: hanging.id })).toBe(1);
    await eventually(async () => expect(await logged('delivered')).toHaveLength(2));
  });

  it('are sent by one process of several, and by another one when it has ended', async () => {
    await addWebhook();
    const other = await environment.reopen();
    try {
      const first = startSender();
      await eventually(async () =>
        expect(await environment.database.readTexts(LEASE_SQL, [])).not.toEqual([]),
      );
      startSender(other);
      for (let index = 0; index < 20; index += 1) await api.create('tag', { name: `tag ${index}` });
      await eventually(async () => expect(await logged('delivered')).toHaveLength(20));
      expect(receiver.received).toHaveLength(20);
      await first.stop();
      await api.create('tag', { name: 'last' });
      await eventually(() => expect(receiver.received).toHaveLength(21));
    } finally {
      for (const sender of senders.splice(0)) await sender.stop();
      await other.close();
    }
  });

  it('are adopted from a process that was killed', async () => {
    await addWebhook();
    await createServerState(environment.database).write('webhooks/sender', 'killed 7');
    await api.create('tag', { name: 'left over' });
    startSender(environment.database, 60);
    await eventually(() => expect(told()).toEqual(['entry.create tag']));
  });
});

const LEASE_SQL = `SELECT "value" FROM "cms_state" WHERE "key" = 'webhooks/sender' AND "value" <> ''`;
