import helmet from '@fastify/helmet';
import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { setSecurityHeaders } from '../../../src/server/security-headers.js';

/** Returns all headers of a response but those that no plugin sets. */
const headersOf = async (fastify: FastifyInstance): Promise<Readonly<Record<string, unknown>>> => {
  fastify.get('/', async () => 'x');
  const { headers } = await fastify.inject('/');
  await fastify.close();
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...rest } = headers;
  return rest;
};

describe('security headers', () => {
  // The headers are read from a response without a socket, which a new version of helmet may not support.
  it('are those that @fastify/helmet sets when it is registered', async () => {
    const expected = createFastify();
    await expected.register(helmet, { crossOriginResourcePolicy: { policy: 'cross-origin' } });
    const actual = createFastify();
    await setSecurityHeaders(actual, {});
    const headers = await headersOf(actual);
    expect(headers).toEqual(await headersOf(expected));
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  });
});
