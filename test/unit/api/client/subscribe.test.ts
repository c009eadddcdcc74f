import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { createClient } from '../../../../src/api/client/create-client.js';
import type { SubscribeOptions } from '../../../../src/api/client/subscribe.js';
import { NetworkError } from '../../../../src/api/client/transport.js';

/** What a server does with a connection once a client has subscribed; `send` sends an event. */
type Serve = (send: (value: number) => void, socket: WebSocket) => void;

describe('a subscription of the client', () => {
  let server: WebSocketServer;
  let connections: Serve[] = [];
  let aborting = new AbortController();

  const serve = (socket: WebSocket): void => {
    const run = connections.shift();
    if (run === undefined) {
      socket.terminate();
      return;
    }
    socket.on('message', (text) => {
      const { type } = JSON.parse((text as Buffer).toString('utf8')) as { readonly type: string };
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
      if (type !== 'subscribe') return;
      run((data) => socket.send(JSON.stringify({ id: '1', type: 'next', payload: { data } })), socket);
    });
  };
  beforeEach(async () => {
    aborting = new AbortController();
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: ([first = '']) => first });
    server.on('connection', serve);
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  const open = (options: SubscribeOptions = {}): AsyncGenerator<unknown, void> =>
    createClient({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      WebSocket,
    }).subscribe('subscription { number }', {}, { retryPause: 0, signal: aborting.signal, ...options });
  const next = async (events: AsyncGenerator<unknown, void>): Promise<unknown> => (await events.next()).value;

  it('goes on over another connection when the first one breaks, and says so', async () => {
    connections = [
      (send, socket) => {
        send(1);
        socket.close(1012, 'restarting');
      },
      (send, socket) => {
        send(2);
        socket.terminate();
      },
      (send) => send(3),
    ];
    let count = 0;
    const events = open({ onReconnect: () => (count += 1) });
    expect([await next(events), await next(events), await next(events)]).toEqual([1, 2, 3]);
    expect(count).toBe(2);
    await events.return();
  });

  it('tries again until the server is back, or until it is aborted', async () => {
    connections = [
      (send, socket) => {
        send(1);
        socket.terminate();
      },
    ];
    const events = open();
    expect(await next(events)).toBe(1);
    const after = next(events);
    // Turns away what comes meanwhile.
    await once(server, 'connection');
    await once(server, 'connection');
    connections = [(send) => send(2)];
    expect(await after).toBe(2);
    const end = events.next();
    aborting.abort(new Error('enough'));
    await expect(end).rejects.toThrow('enough');
  });

  it('is aborted while it waits for another attempt', async () => {
    connections = [(_send, socket) => socket.terminate()];
    const events = open({ retryPause: 30_000 });
    const end = events.next();
    await once(server, 'connection');
    const [socket] = server.clients;
    if (socket !== undefined) await once(socket, 'close');
    aborting.abort(new Error('enough'));
    await expect(end).rejects.toThrow('enough');
  });

  it('fails where the first connection does, where it is refused, and where that is wanted', async () => {
    connections = [];
    await expect(next(open())).rejects.toThrow(NetworkError);
    connections = [(_send, socket) => socket.close(4400, 'wrong')];
    await expect(next(open())).rejects.toThrow('4400, wrong');
    connections = [(_send, socket) => socket.close(1012)];
    await expect(next(open({ retryPause: false }))).rejects.toThrow('1012');
  });

  it('ends where the server ends it', async () => {
    connections = [(_send, socket) => socket.send('{"id":"1","type":"complete"}')];
    expect(await open().next()).toEqual({ value: undefined, done: true });
  });
});
