import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import { expect } from 'vitest';
import WebSocket from 'ws';

/** What one subscription has received. */
export interface ReceivedEvents {
  readonly data: Readonly<Record<string, unknown>>[];
  readonly errors: unknown[];
  /** True if the server has ended it. */
  isComplete: boolean;
}

export interface Subscriber {
  readonly client: Client;
  /** The close codes received so far. */
  readonly closes: number[];
  readonly subscribe: (query: string, variables?: Record<string, unknown>) => ReceivedEvents;
  readonly close: () => void;
}

export interface SubscriberOptions {
  /** `http://127.0.0.1:1337` */
  readonly url: string;
  /** An API token or JWT; undefined: a public caller. */
  readonly as?: string;
  /** How often it tries to reconnect. */
  readonly retries?: number;
}

/** Creates a client of graphql-ws. */
export function createSubscriber({ url, as, retries = 0 }: SubscriberOptions): Subscriber {
  const closes: number[] = [];
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: retries,
    // By default a client only retries after a connection that was established.
    shouldRetry: () => retries > 0,
    retryWait: async () => new Promise((resolve) => setTimeout(resolve, 50)),
    ...(as === undefined ? {} : { connectionParams: { authorization: `Bearer ${as}` } }),
    on: { closed: (event) => void closes.push((event as { readonly code: number }).code) },
  });
  const subscribe: Subscriber['subscribe'] = (query, variables) => {
    const received: ReceivedEvents = { data: [], errors: [], isComplete: false };
    client.subscribe<Record<string, unknown>>(
      { query, ...(variables === undefined ? {} : { variables }) },
      {
        next: (result) => {
          if (result.data !== undefined && result.data !== null) received.data.push(result.data);
          if (result.errors !== undefined) received.errors.push(...result.errors);
        },
        error: (error) => {
          received.errors.push(...((Array.isArray(error) ? error : [error]) as unknown[]));
          received.isComplete = true;
        },
        complete: () => {
          received.isComplete = true;
        },
      },
    );
    return received;
  };
  return {
    client,
    closes,
    subscribe,
    close: () => void Promise.resolve(client.dispose()).catch(() => undefined),
  };
}

const TIMEOUT_MS = 20_000;
const ATTEMPT_MS = 250;

/**
 * Writes until the subscriptions receive an event, because a client is not told when its subscription starts.
 * Then discards the events.
 */
export async function waitUntilReceiving(
  received: readonly ReceivedEvents[],
  write: () => Promise<unknown>,
): Promise<void> {
  const hasReceivedAll = (): boolean => received.every(({ data }) => data.length > 0);
  const deadline = Date.now() + TIMEOUT_MS;
  // On a busy machine events take longer, and fewer writes keep fewer of them on the way.
  let waitMs = ATTEMPT_MS / 2;
  while (!hasReceivedAll() && Date.now() < deadline) {
    waitMs *= 2;
    await write();
    await expect
      .poll(hasReceivedAll, { timeout: waitMs, interval: 10 })
      .toBe(true)
      .catch(() => undefined);
  }
  expect(received.map(({ errors }) => errors)).toEqual(received.map(() => []));
  expect(hasReceivedAll()).toBe(true);
  // Events of the last writes may not have arrived yet.
  let before = -1;
  const count = (): number => received.reduce((sum, { data }) => sum + data.length, 0);
  while (count() !== before) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  for (const { data } of received) data.length = 0;
}

/** Waits until the subscription has received exactly these events. */
export async function expectEvents(received: ReceivedEvents, data: readonly unknown[]): Promise<void> {
  await expect.poll(() => received.data, { timeout: TIMEOUT_MS, interval: 10 }).toEqual(data);
}
