import { createServer, ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWriteHead } from '../../../src/http/answer-head.js';
import type { ShortAnswer, WriteHead } from '../../../src/http/answer-head.js';

const HEADERS = {
  'x-request-id': 'of before',
  // Names of headers that differ may be values of others.
  'access-control-expose-headers': 'etag',
  'x-frame-options': 'SAMEORIGIN',
  etag: '"of before"',
  'content-type': 'application/json; charset=utf-8',
};

const SHORT: ShortAnswer = { body: '{"data":"ü"}', etag: '"abc"' };
const LONG: ShortAnswer = { body: Buffer.from('x'.repeat(2000)), etag: '"defghi"' };

const RECENT = new Date('2026-01-02T03:04:05.100Z');

describe('the head of an answer that is given again', () => {
  let server: Server;
  let answerBy: (response: ServerResponse) => void;
  let count = 0;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: RECENT });
    count = 0;
    server = createServer((_, response) => answerBy(response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** All bytes of the answers to requests on one connection, the last of which closes it. */
  const receive = async (requests: readonly string[]): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(requests.join(''));
    return (await text(socket)).replaceAll(/^Date: \w{3}, [^\r]* GMT\r$/gm, 'Date: now\r');
  };
  const next = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

  const answerWith = (writeHead: WriteHead | null, answers: readonly ShortAnswer[]): void => {
    answerBy = (response) => {
      const answer = answers[count % answers.length] ?? SHORT;
      count += 1;
      writeHead?.(response, answer, { requestId: `request-${count}` });
      response.end(answer.body);
    };
  };
  const byNode = (answers: readonly ShortAnswer[]): void => {
    answerBy = (response) => {
      const { body, etag } = answers[count % answers.length] ?? SHORT;
      count += 1;
      response.writeHead(200, {
        ...HEADERS,
        'x-request-id': `request-${count}`,
        ...(etag === undefined ? {} : { etag }),
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    };
  };
  /** What Node.js sends, and what is sent with heads that are printed once. */
  const both = async (
    requests: readonly string[],
    answers: readonly ShortAnswer[],
  ): Promise<{ readonly expected: string; readonly received: string; readonly printed: number }> => {
    byNode(answers);
    const expected = await receive(requests);
    count = 0;
    answerWith(createWriteHead(HEADERS), answers);
    const print = vi.spyOn(ServerResponse.prototype, 'writeHead');
    const received = await receive(requests);
    return { expected, received, printed: print.mock.calls.length };
  };

  it('is what Node.js prints, which prints it once a second', async () => {
    const { expected, received, printed } = await both([next, next, next, last], [SHORT, LONG]);
    expect(received).toBe(expected);
    expect(received.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(4);
    // The last one says that the connection is closed.
    expect(printed).toBe(2);
  });

  it.each([
    ['an older version', ['GET / HTTP/1.0\r\n\r\n']],
    [
      'an older version on a connection that is kept',
      ['GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', last],
    ],
    ['a client that waits', ['GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n', last]],
  ])('is what Node.js prints for %s', async (_, requests) => {
    const { expected, received } = await both([next, next, ...requests], [SHORT]);
    expect(received).toBe(expected);
    expect(received).toContain('HTTP/1.1 200 OK\r\nx-request-id: request-3\r\n');
  });

  it('says the time of now', async () => {
    answerWith(createWriteHead(HEADERS), [SHORT]);
    const print = vi.spyOn(ServerResponse.prototype, 'writeHead');
    const closing = (): Promise<string> => receive([next, next, last]);
    await closing();
    expect(print).toHaveBeenCalledTimes(2);
    vi.setSystemTime(RECENT.getTime() + 1000);
    await closing();
    expect(print).toHaveBeenCalledTimes(4);
  });

  it('has the headers that were set for this answer alone', async () => {
    const writeHead = createWriteHead(HEADERS);
    answerBy = (response) => {
      count += 1;
      if (count === 3) response.setHeader('connection', 'close');
      writeHead?.(response, SHORT, { requestId: `request-${count}` });
      response.end(SHORT.body);
    };
    const received = await receive([next, next, next]);
    expect(received.match(/^connection: close\r$/gim)).toHaveLength(1);
    expect(received.match(/^x-request-id: request-\d\r$/gm)).toHaveLength(3);
  });

  it('is shown to what looks at the heads of answers', async () => {
    const writeHead = createWriteHead(HEADERS);
    const seen: unknown[] = [];
    answerBy = (response) => {
      const writeOfThis = vi.spyOn(response, 'writeHead');
      writeHead?.(response, SHORT, { requestId: 'same' });
      response.end(SHORT.body);
      seen.push(...writeOfThis.mock.calls.map(([status]) => status));
    };
    await receive([next, next, last]);
    expect(seen).toEqual([200, 200, 200]);
  });

  it('says in which form the body is', async () => {
    const writeHead = createWriteHead(HEADERS);
    const encodings = ['br', undefined, null, 'br', null, undefined] as const;
    answerBy = (response) => {
      const encoding = encodings[count];
      count += 1;
      writeHead?.(response, SHORT, { requestId: 'same', encoding });
      response.end(SHORT.body);
    };
    const received = await receive([next, next, next, next, next, last]);
    const lines = (pattern: RegExp): readonly string[] => received.match(pattern) ?? [];
    expect(lines(/^content-encoding: br\r$/gim)).toHaveLength(2);
    expect(lines(/^etag: W\/"abc"\r$/gim)).toHaveLength(2);
    expect(lines(/^etag: "abc"\r$/gim)).toHaveLength(4);
    expect(lines(/^vary: Accept-Encoding\r$/gim)).toHaveLength(4);
  });

  it('cannot be given again where a header has several values', () => {
    expect(createWriteHead({ ...HEADERS, 'set-cookie': ['a=1', 'b=2'] })).toBeNull();
  });
});
