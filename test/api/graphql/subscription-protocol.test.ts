import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startServer } from '../../../src/app/start-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { createSubscriber, expectHeard, untilHeard } from './support/subscriber.js';

interface Talk {
  readonly socket: WebSocket;
  readonly messages: unknown[];
  readonly send: (message: unknown) => void;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

const PATIENCE = { timeout: 20_000, interval: 10 };
const INIT = { type: 'connection_init' };

describe.each(databases)('the socket on $name', (database) => {
  let site: Site;
  let written = 0;
  const open: WebSocket[] = [];
  const talk = async (options: { readonly protocol?: string; readonly headers?: Readonly<Record<string, string>>; readonly url?: string } = {}): Promise<Talk> => {
    const socket = new WebSocket(`${(options.url ?? site.server.url).replace(/^http/, 'ws')}/graphql`, options.protocol ?? 'graphql-transport-ws', { headers: options.headers ?? {} });
    open.push(socket);
    const messages: unknown[] = [];
    socket.on('message', (data) => messages.push(JSON.parse((data as Buffer).toString())));
    const closed = once(socket, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }));
    closed.catch(() => undefined);
    await once(socket, 'open');
    return { socket, messages, send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)), closed };
  };
  const ready = async (headers: Readonly<Record<string, string>> = { authorization: `Bearer ${site.tokens['full']}` }): Promise<Talk> => {
    const made = await talk({ headers });
    made.send(INIT);
    await expect.poll(() => made.messages, PATIENCE).toEqual([{ type: 'connection_ack' }]);
    made.messages.length = 0;
    return made;
  };
  const subscribe = (id: string, query: string, rest: object = {}) => ({ id, type: 'subscribe', payload: { query, ...rest } });
  const heardOf = async (made: Talk): Promise<Readonly<Record<string, unknown>>> => {
    await expect.poll(() => made.messages.length, PATIENCE).toBeGreaterThan(0);
    return made.messages.shift() as Readonly<Record<string, unknown>>;
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { plugins: { graphql: { config: { subscriptions: { maxPerConnection: 2 } } } } } });
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.terminate();
  });
  afterAll(() => site.close());

  it.each([
    ['garbage', ['{'], 4400],
    ['an unknown message', [{ type: 'hello' }], 4400],
    ['a subscription without an id', [INIT, { type: 'subscribe', payload: {} }], 4400],
    ['a subscription before the first message', [subscribe('1', 'subscription { tagCreated { name } }')], 4401],
    ['two first messages', [INIT, INIT], 4429],
    ['a token that is none', [{ ...INIT, payload: { Authorization: 'Bearer nobody' } }], 4403],
    ['a token among headers that is none', [{ ...INIT, payload: { headers: { authorization: 'Bearer nobody' } } }], 4403],
  ] as const)('ends on %s', async (_what, messages, code) => {
    const made = await talk();
    for (const message of messages) made.send(message);
    expect((await made.closed).code).toBe(code);
  });

  it('ends on a second subscription of one id, and speaks no other protocol', async () => {
    const made = await ready();
    made.send(subscribe('1', 'subscription { tagCreated { name } }'));
    made.send(subscribe('1', 'subscription { tagCreated { name } }'));
    expect(await made.closed).toEqual({ code: 4409, reason: 'Subscriber for 1 already exists' });
    await expect(talk({ protocol: 'graphql-ws' })).rejects.toThrow();
    expect(site.log).toEqual([]);
  });

  it('refuses what is no good operation, and more than it may have at once, and goes on', async () => {
    const made = await ready();
    made.send({ type: 'ping', payload: { a: 1 } });
    expect(await heardOf(made)).toEqual({ type: 'pong', payload: { a: 1 } });
    const refused = ['subscription { nothing }', 'subscription { tagCreated { name } tagUpdated { name } }', '{', 'subscription { tagCreated(filters: { name: { eq: 1 } }) { name } }'];
    for (const [index, query] of refused.entries()) {
      made.send(subscribe(String(index), query));
      expect(await heardOf(made)).toMatchObject({ id: String(index), type: 'error', payload: [{ message: expect.any(String) as string }] });
    }
    made.send({ id: 'x', type: 'subscribe', payload: [] });
    expect(await heardOf(made)).toMatchObject({ id: 'x', type: 'error' });
    for (const id of ['a', 'b', 'c']) made.send(subscribe(id, 'subscription { tagCreated { name } }'));
    expect(await heardOf(made)).toMatchObject({ id: 'c', type: 'error', payload: [{ message: 'This connection has 2 subscriptions, which is all it may have.' }] });
    made.send({ id: 'a', type: 'complete' });
    made.send({ id: 'unknown', type: 'complete' });
    made.send(subscribe('q', 'query Tags($n: Int) { tags(pagination: { limit: $n }) { name } }', { variables: { n: 1 } }));
    expect(await heardOf(made)).toEqual({ id: 'q', type: 'next', payload: { data: { tags: [] } } });
    expect(await heardOf(made)).toEqual({ id: 'q', type: 'complete' });
    const nobody = await ready({});
    nobody.send(subscribe('s', 'subscription { authorCreated { name } }'));
    expect(await heardOf(nobody)).toMatchObject({ id: 's', type: 'error', payload: [{ extensions: { code: 'FORBIDDEN' }, path: ['authorCreated'] }] });
    nobody.send(subscribe('q', '{ authors { name } }'));
    expect(await heardOf(nobody)).toMatchObject({ id: 'q', type: 'next', payload: { errors: [{ extensions: { code: 'FORBIDDEN' } }] } });
  });

  it('is the only way to subscribe', async () => {
    const headers = { 'authorization': `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' };
    const posted = await fetch(`${site.server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: 'subscription { tagCreated { name } }' }) });
    expect([posted.status, await posted.text()]).toEqual([400, expect.stringContaining('over WebSocket only')]);
    const got = await fetch(`${site.server.url}/graphql?query=${encodeURIComponent('subscription { tagCreated { name } }')}`, { headers });
    expect(got.status).toBe(405);
    const elsewhere = new WebSocket(`${site.server.url.replace(/^http/, 'ws')}/api/nothing`, 'graphql-transport-ws');
    await expect(once(elsewhere, 'open')).rejects.toThrow('404');
  });

  it('is told that the server stops, which does not wait for it, and hears the next one', async () => {
    const start = (port = 0) => startServer(site.root, { overrides: { host: '127.0.0.1', port }, logger: createLogger({ level: 'silent' }) });
    const first = await start();
    const { port } = new URL(first.url);
    const subscriber = createSubscriber({ url: first.url, as: site.tokens['full'] ?? '', retries: 200 });
    const heard = subscriber.subscribe('subscription { tagCreated { name } }');
    const write = () => site.server.app.documents.create({ type: 'api::tag.tag', data: { name: `stopped ${database.name} ${written += 1}` }, selection: { fields: [], populate: [] } });
    await untilHeard([heard], write);
    const silent = await talk({ url: first.url });
    // One that never answers a goodbye.
    silent.socket.pause();
    await first.close();
    await expect.poll(() => subscriber.closes, PATIENCE).toContain(1012);
    const second = await start(Number(port));
    await untilHeard([heard], write);
    await write();
    await expectHeard(heard, [{ tagCreated: { name: `stopped ${database.name} ${written}` } }]);
    subscriber.close();
    await second.close();
  });
});

describe.each(databases.slice(0, 1))('a project without subscriptions', (database) => {
  it('has none in its schema, and upgrades nothing', async () => {
    const site = await createSite({ project: 'magazine', database, config: { plugins: { graphql: { config: { subscriptions: false, introspection: true } } } } });
    const response = await fetch(`${site.server.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{ __schema { subscriptionType { name } } }' }) });
    expect(await response.json()).toEqual({ data: { __schema: { subscriptionType: null } } });
    const socket = new WebSocket(`${site.server.url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    await expect(once(socket, 'open')).rejects.toThrow('404');
    await site.close();
  });
});
