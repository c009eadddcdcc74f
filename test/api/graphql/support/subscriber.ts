import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import { expect } from 'vitest';
import WebSocket from 'ws';

/** What one subscription was told. */
export interface Heard {
  readonly data: Readonly<Record<string, unknown>>[];
  readonly errors: unknown[];
  /** The server has ended it. */
  isComplete: boolean;
}

export interface Subscriber {
  readonly client: Client;
  /** Codes of the closes seen so far. */
  readonly closes: number[];
  readonly subscribe: (query: string, variables?: Record<string, unknown>) => Heard;
  readonly close: () => void;
}

export interface SubscriberOptions {
  /** `http://127.0.0.1:1337` */
  readonly url: string;
  /** A key or JWT; unset: nobody. */
  readonly as?: string;
  /** How often it connects again. */
  readonly retries?: number;
}

/** A client of the published package, unmodified. */
export function createSubscriber({ url, as, retries = 0 }: SubscriberOptions): Subscriber {
  const closes: number[] = [];
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: retries,
    // By itself it tries again only where a connection was there before.
    shouldRetry: () => retries > 0,
    retryWait: async () => new Promise((resolve) => setTimeout(resolve, 50)),
    ...(as === undefined ? {} : { connectionParams: { authorization: `Bearer ${as}` } }),
    on: { closed: (event) => void closes.push((event as { readonly code: number }).code) },
  });
  const subscribe: Subscriber['subscribe'] = (query, variables) => {
    const heard: Heard = { data: [], errors: [], isComplete: false };
    client.subscribe<Record<string, unknown>>({ query, ...(variables === undefined ? {} : { variables }) }, {
      next: (result) => {
        if (result.data !== undefined && result.data !== null) heard.data.push(result.data);
        if (result.errors !== undefined) heard.errors.push(...result.errors);
      },
      error: (error) => {
        heard.errors.push(...(Array.isArray(error) ? error : [error]) as unknown[]);
        heard.isComplete = true;
      },
      complete: () => {
        heard.isComplete = true;
      },
    });
    return heard;
  };
  return { client, closes, subscribe, close: () => void Promise.resolve(client.dispose()).catch(() => undefined) };
}

const PATIENCE = 20_000;
const TURN = 250;

/** Writes until the subscription hears of it, since nothing tells a client that it is heard from now on; then forgets what it heard. */
export async function untilHeard(heard: readonly Heard[], write: () => Promise<unknown>): Promise<void> {
  const isHeard = (): boolean => heard.every(({ data }) => data.length > 0);
  for (const deadline = Date.now() + PATIENCE; !isHeard() && Date.now() < deadline;) {
    await write();
    await expect.poll(isHeard, { timeout: TURN, interval: 10 }).toBe(true).catch(() => undefined);
  }
  expect(heard.map(({ errors }) => errors)).toEqual(heard.map(() => []));
  expect(isHeard()).toBe(true);
  // Of several writes the later ones may be on their way still.
  let before = -1;
  const count = (): number => heard.reduce((sum, { data }) => sum + data.length, 0);
  while (count() !== before) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, TURN));
  }
  for (const { data } of heard) data.length = 0;
}

/** Waits for exactly that. */
export async function expectHeard(heard: Heard, data: readonly unknown[]): Promise<void> {
  await expect.poll(() => heard.data, { timeout: PATIENCE, interval: 10 }).toEqual(data);
}
