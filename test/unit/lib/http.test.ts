import { describe, expect, it } from 'vitest';
import {
  areLongTexts,
  encodedEtag,
  findEtag,
  isKnownEtag,
  normalizeUrl,
  parseIfMatch,
  toBody,
  toStream,
  urlPath,
} from '../../../src/lib/http.js';

const encode = async (texts: readonly string[]): Promise<readonly Buffer[]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of toStream(texts)) chunks.push(Buffer.from(chunk as Buffer));
  return chunks;
};

it('cuts the query from a URL', () => {
  expect(['/a/b', '/a?b=1?', '?x', ''].map(urlPath)).toEqual(['/a/b', '/a', '', '']);
});

it('reduces the spellings of a URL to one', () => {
  const plain = '/api/tags-2?a=%61%5B';
  for (const url of [plain, '/%61pi/tags%2D%32?a=%61%5B#x?y', 'HTTP://a:80/api/tags-2?a=%61%5B'])
    expect(normalizeUrl(url)).toBe(plain);
  const others = ['*', '', '/', '/%2561', '/%2Fapi%3F', '/%C3%A9', '/%6', 'http:///a', '/http://a/b'];
  expect(others.map(normalizeUrl)).toEqual(others);
});

describe('ETags', () => {
  const digest = `"${'aB-_'.repeat(6)}xyz"`;
  const compressed = `${digest.slice(0, -1)}.gzip"`;

  it('differ by encoding if they are digests, and become weak otherwise', () => {
    expect(encodedEtag(digest, 'gzip')).toBe(compressed);
    expect(['"x"', 'W/"x"'].map((etag) => encodedEtag(etag, 'br'))).toEqual(['W/"x"', 'W/"x"']);
  });

  it('are known in any encoding, also if a proxy has weakened them', () => {
    for (const known of [digest, compressed, `W/${digest}`, `"other", ${compressed}`])
      expect([known, isKnownEtag(known, digest)]).toEqual([known, true]);
    expect(findEtag(`"other", ${compressed}`, digest)).toBe(compressed);
    expect([undefined, '"other"', ''].map((known) => isKnownEtag(known, digest))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('match strongly in If-Match', () => {
    expect(parseIfMatch(undefined)).toBeUndefined();
    expect(parseIfMatch(' * ')).toBe('*');
    expect(parseIfMatch(`W/${digest}, ${compressed},"x" , y`)).toEqual([digest, '"x"']);
  });
});

describe('encoding long texts', () => {
  it.each([
    { what: 'none', texts: [] },
    { what: 'short ones', texts: ['a', '', 'é😀'] },
    { what: 'many', texts: Array.from({ length: 9000 }, (_, index) => `${index}é${'x'.repeat(99)}`) },
    { what: 'long ones', texts: ['x'.repeat(700_001), '', 'é'.repeat(300_000), 'z'] },
    // Whether chunks have an even or an odd length, one of the two would end within a character.
    { what: 'pairs of surrogates', texts: ['😀'.repeat(300_000), `x${'😀'.repeat(300_000)}`] },
  ])('leaves nothing out of $what', async ({ texts }) => {
    const chunks = await encode(texts);
    expect(Buffer.concat(chunks).equals(Buffer.from(texts.join('')))).toBe(true);
    expect(Math.max(0, ...chunks.map(({ length }) => length))).toBeLessThan(1_100_000);
  });

  it('makes a stream of a long body only', async () => {
    expect(toBody('short')).toBe('short');
    const long = 'x'.repeat(600_000);
    const body = toBody(long);
    expect(typeof body === 'string' ? body : Buffer.concat(await body.toArray()).toString()).toBe(long);
    expect(body).not.toBe(long);
  });

  it('is worth it only for long ones', () => {
    expect(areLongTexts(['x'.repeat(1000)])).toBe(false);
    expect(areLongTexts(Array.from({ length: 600 }, () => 'x'.repeat(1000)))).toBe(true);
  });
});
