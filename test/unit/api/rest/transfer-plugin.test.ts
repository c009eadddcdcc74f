import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Access } from '../../../../src/access/access.js';
import { createError } from '../../../../src/errors/catalogue.js';
import { createTransferPlugin } from '../../../../src/api/rest/transfer-plugin.js';
import type { ArchiveImport } from '../../../../src/api/rest/transfer-plugin.js';
import { model } from './rest-endpoint.js';

describe('the endpoints of transfers', () => {
  const caller = { kind: 'token', tokenId: 1, grants: { kind: 'all' } } as const;
  const access = { authenticateFor: async () => caller } as unknown as Access;
  const open = async (
    isEnabled: boolean,
    importArchive: (stream: Readable, request: ArchiveImport) => Promise<object> = async () => ({}),
  ) => {
    const exportArchive = async () => Readable.from(['an archive']);
    const app = fastify();
    await app.register(
      createTransferPlugin({ access, model, prefix: '/api' }, { isEnabled, exportArchive, importArchive }),
    );
    return (method: 'GET' | 'POST', query = '') =>
      app.inject({
        method,
        url: `/api/cms/archive${query}`,
        ...(method === 'POST' ? { headers: { 'content-type': 'application/gzip' }, payload: 'bytes' } : {}),
      });
  };

  it('refuse everybody unless they are enabled', async () => {
    const send = await open(false);
    expect((await send('GET')).json()).toMatchObject({
      message: expect.stringContaining('transfer.enabled') as string,
    });
    expect((await send('POST')).json()).toMatchObject({
      message: expect.stringContaining('transfer.enabled') as string,
    });
    expect((await (await open(true))('GET')).body).toBe('an archive');
  });

  it('report the progress of an import, and then its result', async () => {
    const send = await open(true, async (stream, { existing, isDryRun, types, onProgress }) => {
      const text = (await stream.toArray()).join('');
      onProgress('half');
      await new Promise(setImmediate);
      return { text, existing, isDryRun, types };
    });
    const lines = (await send('POST', '?existing=skip&dryRun=true&types=a,b')).body.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { progress: 'half' },
      { data: { text: 'bytes', existing: 'skip', isDryRun: true, types: ['a', 'b'] } },
    ]);
  });

  it('report in the last line why an import has failed', async () => {
    const send = await open(true, async () => {
      throw createError('transfer/not-accepted', { reason: 'It is damaged.' });
    });
    expect((await send('POST')).json()).toMatchObject({ error: { status: 400, message: 'It is damaged.' } });
    const broken = await open(true, async () => {
      throw new Error('a path of this machine');
    });
    expect((await broken('POST')).json()).toMatchObject({
      error: { status: 500, message: 'Internal Server Error' },
    });
  });
});
