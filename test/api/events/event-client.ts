import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';

/** One message of a stream. */
export interface Message {
  readonly event: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client of GET /api/events that keeps what it has received, as a browser's EventSource would. */
export interface EventClient {
  readonly messages: Message[];
  /** The status of the response; null: there is none yet. */
  status: number | null;
  headers: IncomingMessage['headers'];
  /** The body of a response that is no stream. */
  body: string;
  lastEventId: string;
  isEnded: boolean;
  readonly close: () => void;
  /** Resolves once the stream has begun. */
  readonly opened: Promise<void>;
  /** Stops reading from the socket. */
  readonly pause: () => void;
  readonly resume: () => void;
}

export interface EventClientOptions {
  readonly url: string;
  readonly query?: string;
  readonly as?: string | undefined;
  readonly lastEventId?: string;
  readonly onMessage?: (message: Message) => void;
  readonly onEnd?: () => void;
}

const parseBlock = (block: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );

/** Connects. Without `fetch`, whose connections share a pool. */
export function listen({
  url,
  query = '',
  as,
  lastEventId,
  onMessage,
  onEnd,
}: EventClientOptions): EventClient {
  let open = (): void => undefined;
  let incoming: IncomingMessage | null = null;
  const client: EventClient = {
    messages: [],
    status: null,
    headers: {},
    body: '',
    lastEventId: lastEventId ?? '',
    isEnded: false,
    close: () => void request.destroy(),
    opened: new Promise((resolve) => (open = resolve)),
    pause: () => void incoming?.pause(),
    resume: () => void incoming?.resume(),
  };
  const end = (): void => {
    if (client.isEnded) return;
    client.isEnded = true;
    open();
    onEnd?.();
  };
  const take = (block: string): void => {
    const { id, event = 'message', data } = parseBlock(block);
    if (id !== undefined) client.lastEventId = id;
    if (data === undefined || event === 'position') return;
    const message = { event, id: id ?? '', data: JSON.parse(data) as Message['data'] };
    client.messages.push(message);
    onMessage?.(message);
  };
  const request = get(
    `${url}/api/events${query}`,
    {
      agent: false,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    },
    (response) => {
      incoming = response;
      client.status = response.statusCode ?? null;
      client.headers = response.headers;
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (client.status !== 200) {
          client.body += text;
          return;
        }
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) take(block);
        open();
      });
      response.once('close', end);
    },
  );
  request.once('error', end);
  return client;
}

const TIMEOUT_MS = 20_000;

/** Waits until the client has received exactly these messages, and returns them without their ids. */
export async function expectMessages(
  client: EventClient,
  expected: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  await expect
    .poll(() => client.messages.length, { timeout: TIMEOUT_MS, interval: 10 })
    .toBeGreaterThanOrEqual(expected.length);
  expect(client.messages.map(({ event, data }) => (event === 'message' ? data : { event }))).toEqual(
    expected.map((message) => ('event' in message ? message : (expect.objectContaining(message) as unknown))),
  );
}
