import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendRequest } from '../../../../src/transfer/remote/send.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ok: Answer = (_request, response) => response.end('{"data":1}');
const answer =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
const hangUp: Answer = (request) => request.socket.destroy();
const never: Answer = () => undefined;
const refusal = (status: number, message: string, details: object = {}): Answer =>
  answer(status, JSON.stringify({ data: null, error: { status, name: 'X', message, details } }));

describe('a request to a remote server', () => {
  let answers: Answer[] = [];
  let seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    answers.shift()?.(request, response);
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  });
  beforeEach(() => {
    answers = [];
    seen = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (isRepeatable: boolean, timeoutMs = 5000) =>
    sendRequest(
      { name: 'live', url, token: 't' },
      { method: 'POST', path: '/x', body: {}, isRepeatable, timeoutMs },
    );
  const codeOf = (sent: Promise<unknown>): Promise<unknown> =>
    sent.then(
      () => null,
      (error: { readonly code: string }) => error.code,
    );

  it('carries the token and returns the JSON of the response', async () => {
    answers = [ok];
    expect(await send(false)).toEqual({ data: 1 });
    expect(seen).toEqual(['POST /api/x Bearer t']);
  });

  it('waits as long as the server requests, and retries, also if it writes', async () => {
    answers = [answer(429, '{}', { 'retry-after': '0' }), answer(429, '{}', { 'retry-after': '0' }), ok];
    expect(await send(false)).toEqual({ data: 1 });
    expect(seen).toHaveLength(3);
  });

  it('is not sent again where it would have to wait too long', async () => {
    answers = [answer(429, '{}', { 'retry-after': '3600' })];
    expect(await codeOf(send(true))).toBe('remote/busy');
    expect(seen).toHaveLength(1);
  });

  it('is sent again after a break only where it reads', async () => {
    answers = [hangUp, answer(503, '{}', { 'retry-after': '0' }), ok];
    expect(await send(true)).toEqual({ data: 1 });
    answers = [hangUp, ok];
    seen = [];
    expect(await codeOf(send(false))).toBe('remote/uncertain');
    expect(seen).toHaveLength(1);
    answers = [answer(503, '{}', { 'retry-after': '0' }), ok];
    expect(await codeOf(send(false))).toBe('remote/busy');
  });

  it('reports a write without a response as uncertain', async () => {
    answers = [never];
    await expect(send(false, 50)).rejects.toMatchObject({
      code: 'remote/uncertain',
      message: expect.stringContaining('the request timed out') as string,
    });
  });

  it("reports the server's message, with the positions of errors", async () => {
    const errors = [{ path: ['title'], message: 'title must be set', name: 'ValidationError' }];
    answers = [refusal(400, 'title must be set', { errors })];
    await expect(send(false)).rejects.toMatchObject({
      code: 'remote/refused',
      message: 'title must be set',
      details: { errors },
    });
    const cases: readonly (readonly [Answer, string])[] = [
      [refusal(401, 'Missing or invalid credentials'), 'remote/unauthorized'],
      [refusal(403, 'Forbidden'), 'remote/forbidden'],
      [refusal(404, 'Not Found'), 'remote/unexpected-response'],
      [answer(200, '<html>'), 'remote/unexpected-response'],
      [answer(500, 'oh'), 'remote/unexpected-response'],
    ];
    for (const [given, code] of cases) {
      answers = [given];
      expect(await codeOf(send(false))).toBe(code);
    }
  });

  it('does not follow a redirect with its token', async () => {
    answers = [answer(301, '', { location: 'https://other.example.com/' }), ok];
    await expect(send(true)).rejects.toMatchObject({
      code: 'remote/unexpected-response',
      message: expect.stringContaining('https://other.example.com/') as string,
    });
    expect(seen).toHaveLength(1);
  });
});
