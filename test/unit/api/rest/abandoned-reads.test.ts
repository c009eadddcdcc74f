import { get } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { createError } from '../../../../src/errors/catalogue.js';
import { createRestEndpoint } from './rest-endpoint.js';

let state = 'not asked';

const endpoint = await createRestEndpoint(undefined, {
  findMany: async (_query, signal) =>
    new Promise((_resolve, reject) => {
      state = 'reading';
      signal?.().addEventListener('abort', () => {
        state = 'ended';
        reject(createError('request/abandoned'));
      });
    }),
});
afterAll(() => endpoint.app.close());

it('a read learns that its client has left', async () => {
  const address = await endpoint.app.listen({ port: 0, host: '127.0.0.1' });
  const request = get(`${address}/api/tags`, { headers: { authorization: 'full' } });
  request.on('error', () => undefined);
  await expect.poll(() => state).toBe('reading');
  request.destroy();
  await expect.poll(() => state).toBe('ended');
});
