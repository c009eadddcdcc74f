import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createCompressor, isCompressible } from '../../../src/http/compressor.js';
import { noteConstant } from '../../../src/lib/constant-bodies.js';

const BYTES = 1_000_000;

describe('a compressor', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip ; q=0.2', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['deflate, zstd', null],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['*;q=0', null],
    ['br;q=many', 'br'],
  ])('chooses by Accept-Encoding: %s', (accepted, encoding) => {
    const compressor = createCompressor(BYTES);
    expect([compressor.encodingFor(accepted), compressor.encodingFor(accepted)]).toEqual([
      encoding,
      encoding,
    ]);
  });

  it('compresses constant bodies once in each form, also for those who ask meanwhile', async () => {
    const compressor = createCompressor(BYTES);
    const body = Buffer.from('a text '.repeat(500));
    noteConstant(body);
    const first = compressor.compress(body, 'br');
    expect(first).toBeInstanceOf(Promise);
    expect(compressor.compress(body, 'br')).toBe(first);
    const compressed = await first;
    expect(compressor.compress(body, 'br')).toBe(compressed);
    expect(brotliDecompressSync(compressed)).toEqual(body);
    expect(gunzipSync(await compressor.compress(body, 'gzip'))).toEqual(body);
  });

  it('keeps nothing of other bodies, nor more than it may', async () => {
    const body = Buffer.from('a text '.repeat(500));
    const compressor = createCompressor(BYTES);
    await compressor.compress(body, 'gzip');
    expect(compressor.compress(body, 'gzip')).toBeInstanceOf(Promise);
    noteConstant(body);
    for (const maxBytes of [0, body.length]) {
      const small = createCompressor(maxBytes);
      await small.compress(body, 'gzip');
      expect(small.compress(body, 'gzip'), String(maxBytes)).toBeInstanceOf(Promise);
    }
  });

  it('leaves alone what is compressed already, and streams of events', () => {
    const types = {
      'application/json; charset=utf-8': true,
      'application/graphql-response+json; charset=utf-8': true,
      'text/html': true,
      'image/svg+xml': true,
      'text/event-stream': false,
      'image/png': false,
      'application/gzip': false,
      'application/octet-stream': false,
      '': false,
    };
    const found = Object.keys(types).map((type) => [type, isCompressible(type)]);
    expect(Object.fromEntries(found)).toEqual(types);
  });
});
