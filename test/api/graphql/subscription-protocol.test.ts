import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startServer } from '../../../src/project/serve/start-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { createSubscriber, expectEvents, waitUntilReceiving } from './support/subscriber.js';
import { defined } from '../../../src/lib/assert.js';

interface SocketClient {
  readonly socket: WebSocket;
  readonly messages: unknown[];
  readonly send: (message: unknown) => void;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

const POLL_OPTIONS = { timeout: 20_000, interval: 10 };
const INIT = { type: 'connection_init' };

describe.each(databases)('the socket on $name', (database) => {
  let site: Site;
  let writeCount = 0;
  const open: WebSocket[] = [];
  const openSocket = async (
    options: {
      readonly protocol?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly url?: string;
    } = {},
  ): Promise<SocketClient> => {
    const socket = new WebSocket(
      `${(options.url ?? site.server.url).replace(/^http/, 'ws')}/graphql`,
      options.protocol ?? 'graphql-transport-ws',
      { headers: options.headers ?? {} },
    );
    open.push(socket);
    const messages: unknown[] = [];
    socket.on('message', (data) => messages.push(JSON.parse((data as Buffer).toString())));
    const closed = once(socket, 'close').then(([code, reason]) => ({
      code: code as number,
      reason: String(reason),
    }));
    closed.catch(() => undefined);
    await once(socket, 'open');
    return {
      socket,
      messages,
      send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
      closed,
    };
  };
  const openInitialisedSocket = async (
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${site.tokens['full']}` },
  ): Promise<SocketClient> => {
    const client = await openSocket({ headers });
    client.send(INIT);
    await expect.poll(() => client.messages, POLL_OPTIONS).toEqual([{ type: 'connection_ack' }]);
    client.messages.length = 0;
    return client;
  };
  const subscribe = (id: string, query: string, rest: object = {}) => ({
    id,
    type: 'subscribe',
    payload: { query, ...rest },
  });
  const nextMessage = async (client: SocketClient): Promise<Readonly<Record<string, unknown>>> => {
    await expect.poll(() => client.messages.length, POLL_OPTIONS).toBeGreaterThan(0);
    return client.messages.shift() as Readonly<Record<string, unknown>>;
  };

  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      config: { plugins: { graphql: { config: { subscriptions: { maxPerConnection: 2 } } } } },
    });
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.terminate();
  });
  afterAll(() => site.close());

  it.each([
    ['a message that is not JSON', ['{'], 4400],
    ['an unknown message', [{ type: 'hello' }], 4400],
    ['a subscription without an id', [INIT, { type: 'subscribe', payload: {} }], 4400],
    ['a subscription before connection_init', [subscribe('1', 'subscription { tagCreated { name } }')], 4401],
    ['a second connection_init', [INIT, INIT], 4429],
    ['an invalid token', [{ ...INIT, payload: { Authorization: 'Bearer nobody' } }], 4403],
    [
      'an invalid token in headers',
      [{ ...INIT, payload: { headers: { authorization: 'Bearer nobody' } } }],
      4403,
    ],
  ] as const)('closes the connection on %s', async (_what, messages, code) => {
    const client = await openSocket();
    for (const message of messages) client.send(message);
    expect((await client.closed).code).toBe(code);
  });

  it('closes the connection on a second subscription of one id, and refuses other protocols', async () => {
    const client = await openInitialisedSocket();
    client.send(subscribe('1', 'subscription { tagCreated { name } }'));
    client.send(subscribe('1', 'subscription { tagCreated { name } }'));
    expect(await client.closed).toEqual({ code: 4409, reason: 'Subscriber for 1 already exists' });
    await expect(openSocket({ protocol: 'graphql-ws' })).rejects.toThrow();
    expect(site.log).toEqual([]);
  });

  it('closes the connection with a shortened reason where an id is long', async () => {
    const client = await openInitialisedSocket();
    const id = 'ü'.repeat(200);
    client.send(subscribe(id, 'subscription { tagCreated { name } }'));
    client.send(subscribe(id, 'subscription { tagCreated { name } }'));
    const { code, reason } = await client.closed;
    expect([code, reason]).toEqual([4409, expect.stringMatching(/^Subscriber for ü+$/)]);
    expect(site.log).toEqual([]);
  });

  it('runs persisted documents, which have a hash in place of a query', async () => {
    const client = await openInitialisedSocket();
    const query = '{ __typename }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    client.send({ id: 'sent', type: 'subscribe', payload: { query, extensions } });
    expect(await nextMessage(client)).toMatchObject({ id: 'sent', type: 'next' });
    expect(await nextMessage(client)).toEqual({ id: 'sent', type: 'complete' });
    client.send({ id: 'cached', type: 'subscribe', payload: { extensions } });
    expect(await nextMessage(client)).toEqual({
      id: 'cached',
      type: 'next',
      payload: { data: { __typename: 'Query' } },
    });
  });

  it('refuses invalid operations and too many of them, and keeps the connection open', async () => {
    const client = await openInitialisedSocket();
    client.send({ type: 'ping', payload: { a: 1 } });
    expect(await nextMessage(client)).toEqual({ type: 'pong', payload: { a: 1 } });
    const refused = [
      'subscription { nothing }',
      'subscription { tagCreated { name } tagUpdated { name } }',
      '{',
      'subscription { tagCreated(filters: { name: { eq: 1 } }) { name } }',
    ];
    for (const [index, query] of refused.entries()) {
      client.send(subscribe(String(index), query));
      expect(await nextMessage(client)).toMatchObject({
        id: String(index),
        type: 'error',
        payload: [{ message: expect.any(String) as string }],
      });
    }
    client.send({ id: 'x', type: 'subscribe', payload: [] });
    expect(await nextMessage(client)).toMatchObject({ id: 'x', type: 'error' });
    for (const id of ['a', 'b', 'c']) client.send(subscribe(id, 'subscription { tagCreated { name } }'));
    expect(await nextMessage(client)).toMatchObject({
      id: 'c',
      type: 'error',
      payload: [{ message: 'This connection already has 2 subscriptions, the maximum.' }],
    });
    client.send({ id: 'a', type: 'complete' });
    client.send({ id: 'unknown', type: 'complete' });
    client.send(
      subscribe('q', 'query Tags($n: Int) { tags(pagination: { limit: $n }) { name } }', {
        variables: { n: 1 },
      }),
    );
    expect(await nextMessage(client)).toEqual({ id: 'q', type: 'next', payload: { data: { tags: [] } } });
    expect(await nextMessage(client)).toEqual({ id: 'q', type: 'complete' });
    const nobody = await openInitialisedSocket({});
    nobody.send(subscribe('s', 'subscription { authorCreated { name } }'));
    expect(await nextMessage(nobody)).toMatchObject({
      id: 's',
      type: 'error',
      payload: [{ extensions: { code: 'FORBIDDEN' }, path: ['authorCreated'] }],
    });
    nobody.send(subscribe('q', '{ authors { name } }'));
    expect(await nextMessage(nobody)).toMatchObject({
      id: 'q',
      type: 'next',
      payload: { errors: [{ extensions: { code: 'FORBIDDEN' } }] },
    });
  });

  it('refuses subscriptions over HTTP and upgrades of other paths', async () => {
    const headers = { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' };
    const posted = await fetch(`${site.server.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: 'subscription { tagCreated { name } }' }),
    });
    expect([posted.status, await posted.text()]).toEqual([
      400,
      expect.stringContaining('only available over WebSocket'),
    ]);
    const got = await fetch(
      `${site.server.url}/graphql?query=${encodeURIComponent('subscription { tagCreated { name } }')}`,
      { headers },
    );
    expect(got.status).toBe(405);
    const elsewhere = new WebSocket(
      `${site.server.url.replace(/^http/, 'ws')}/api/nothing`,
      'graphql-transport-ws',
    );
    await expect(once(elsewhere, 'open')).rejects.toThrow('404');
  });

  it('closes connections without waiting when the server stops, and clients reconnect', async () => {
    const start = (port = 0) =>
      startServer(site.root, {
        overrides: { host: '127.0.0.1', port },
        logger: createLogger({ level: 'silent' }),
      });
    const first = await start();
    const { port } = new URL(first.url);
    const subscriber = createSubscriber({
      url: first.url,
      as: defined(site.tokens['full'], 'the full-access token'),
      retries: 200,
    });
    const received = subscriber.subscribe('subscription { tagCreated { name } }');
    const write = () =>
      site.server.app.documents.create({
        type: 'api::tag.tag',
        data: { name: `stopped ${database.name} ${(writeCount += 1)}` },
        selection: { fields: [], populate: [] },
      });
    await waitUntilReceiving([received], write);
    const silent = await openSocket({ url: first.url });
    // A client that never replies to a close frame.
    silent.socket.pause();
    await first.close();
    await expect.poll(() => subscriber.closes, POLL_OPTIONS).toContain(1012);
    const second = await start(Number(port));
    await waitUntilReceiving([received], write);
    await write();
    await expectEvents(received, [{ tagCreated: { name: `stopped ${database.name} ${writeCount}` } }]);
    subscriber.close();
    await second.close();
  });
});

describe.each(databases.slice(0, 1))('a project without subscriptions', (database) => {
  it('has no subscriptions in its schema and refuses upgrades', async () => {
    const site = await createSite({
      project: 'magazine',
      database,
      config: { plugins: { graphql: { config: { subscriptions: false, introspection: true } } } },
    });
    const response = await fetch(`${site.server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __schema { subscriptionType { name } } }' }),
    });
    expect(await response.json()).toEqual({ data: { __schema: { subscriptionType: null } } });
    const socket = new WebSocket(`${site.server.url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    await expect(once(socket, 'open')).rejects.toThrow('404');
    await site.close();
  });
});
