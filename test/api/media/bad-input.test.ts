import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, errorName, createImage, send, readUploadState, uploadOne } from './support/client.js';
import type { SentFile } from './support/client.js';

const LIMIT = 1_000_000;
const HTML = '<!DOCTYPE html><html><script>alert(1)</script></html>';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';

const crcTable = Array.from({ length: 256 }, (_value, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});
const crc = (data: Buffer): number => {
  let value = 0xffffffff;
  for (const byte of data) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};
const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG of a few kilobytes that decodes to many gigabytes. */
const decompressionBomb = (side: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A GIF of a few hundred bytes. Each of its pictures is within the limit, but all together are not. */
const animatedGif = (side: number, pictures: number): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side, 0);
  size.writeUInt16LE(side, 2);
  const frame = Buffer.concat([
    Buffer.from('21f9040000000000', 'hex'),
    Buffer.from('2c00000000', 'hex'),
    size,
    Buffer.from('0002024c0100', 'hex'),
  ]);
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    size,
    Buffer.from('800000000000ffffff', 'hex'),
    ...Array.from({ length: pictures }, () => frame),
    Buffer.from('3b', 'hex'),
  ]);
};

const BOUNDARY = 'xxBOUNDARYxx';
const head = (name: string, field = 'files'): string =>
  [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${field}"; filename="${name}"`,
    'Content-Type: text/plain',
    '',
    '',
  ].join('\r\n');

/** Bodies that are not complete multipart forms. */
const BODIES: readonly (readonly [what: string, body: string, type?: string])[] = [
  ['a form without an end', `${head('a.txt')}hello`],
  ['a form that ends in its boundary', `${head('a.txt')}hello\r\n--${BOUNDARY}`],
  ['a part without a body', `${head('a.txt').trimEnd()}`],
  ['a part cut in its header', `--${BOUNDARY}\r\nContent-Disposition: form-da`],
  ['an empty form', `--${BOUNDARY}--\r\n`],
  ['nothing', ''],
  [
    'another boundary than stated',
    `--other\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhello\r\n--other--\r\n`,
  ],
  ['no boundary', 'hello', 'multipart/form-data'],
  ['an empty boundary', 'hello', 'multipart/form-data; boundary='],
  ['a file and a second one cut off', `${head('a.txt')}hello\r\n${head('b.txt')}wor`],
  [
    'a field named after the prototype',
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--${BOUNDARY}--\r\n`,
  ],
  [
    'a file in a field named after the prototype',
    `${head('a.txt', '__proto__')}hello\r\n--${BOUNDARY}--\r\n`,
  ],
  ['text', 'hello', 'text/plain'],
  ['a URL-encoded form', 'files=hello', 'application/x-www-form-urlencoded'],
];

describe.each(databases)('rejected uploads on $name', (database) => {
  let site: Site;
  let before: Awaited<ReturnType<typeof readUploadState>>;
  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      config: {
        trash: { days: 0 },
        upload: {
          sizeLimit: LIMIT,
          maxFiles: 3,
          maxPixels: 1_000_000,
          maxRequestPixels: 1_500_000,
          deniedTypes: ['application/x-msdownload'],
        },
      },
    });
    await uploadOne(site, { name: 'there.txt', content: 'before' });
    before = await readUploadState(site);
  });
  afterAll(() => site.close());

  /** Expects a rejection with that status in the envelope, and that nothing was stored. */
  const expectRefused = async (
    files: readonly SentFile[],
    fields: Readonly<Record<string, unknown>> = {},
    status = 400,
  ): Promise<void> => {
    const answer = await send(site, files, fields);
    expect([answer.status, errorName(answer.body)]).toEqual([
      status,
      status === 413 ? 'PayloadTooLargeError' : 'ValidationError',
    ]);
    expect(await readUploadState(site)).toEqual(before);
    expect(site.log).toEqual([]);
  };

  it.each(
    BODIES.map(([what, body, type = `multipart/form-data; boundary=${BOUNDARY}`]) => ({ what, body, type })),
  )('rejects $what', async ({ body, type }) => {
    const response = await fetch(`${site.server.url}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': type },
      body,
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(errorName(await response.json())).toEqual(expect.any(String));
    expect(await readUploadState(site)).toEqual(before);
    expect(site.log).toEqual([]);
  });

  it.each([
    ['an empty file', { name: 'empty.txt', content: '' }],
    ['an empty file that is said to be an image', { name: 'empty.png', content: '', type: 'image/png' }],
    ['another field', { name: 'a.txt', content: 'a', field: 'file' }],
    ['a field with a dot', { name: 'a.txt', content: 'a', field: 'files.cover' }],
    ['a page called an image', { name: 'a.png', content: HTML, type: 'image/png' }],
    ['a page with the type of an image', { name: 'a', content: HTML, type: 'image/jpeg' }],
    ['a page with the name of an image', { name: 'a.gif', content: HTML }],
    ['text called an image', { name: 'a.png', content: 'hello', type: 'image/png' }],
    ['text called a film', { name: 'a.mp4', content: 'hello', type: 'video/mp4' }],
    ['text called a PDF', { name: 'a.pdf', content: 'hello', type: 'application/pdf' }],
    ['a drawing called a photograph', { name: 'a.jpg', content: SVG, type: 'image/jpeg' }],
    ['text called a drawing', { name: 'a.svg', content: 'hello', type: 'image/svg+xml' }],
    [
      'bytes called text',
      { name: 'a.txt', content: Buffer.from([0, 1, 2, 3, 255, 254]), type: 'text/plain' },
    ],
    [
      'a header without an image',
      { name: 'a.png', content: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), type: 'image/png' },
    ],
    ['a program', { name: 'a.exe', content: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(512)]) }],
  ] satisfies [string, SentFile][])('refuses %s', async (_what, file) => {
    await expectRefused([file]);
  });

  it('rejects an image of another format than its name says', async () => {
    await expectRefused([{ name: 'a.jpg', content: await createImage(4, 4, 'png'), type: 'image/jpeg' }]);
    await expectRefused([{ name: 'a.html', content: await createImage(4, 4, 'png'), type: 'text/html' }]);
  });

  it('rejects all files of a request if one is bad', async () => {
    const good = { name: 'good.png', content: await createImage(300, 300), type: 'image/png' };
    await expectRefused([good, { name: 'empty.txt', content: '' }]);
    await expectRefused([good, { name: 'a.txt', content: 'a', field: 'file' }]);
    await expectRefused([good, good, good, good]);
  });

  it('rejects a file above the limit, and accepts one at the limit', async () => {
    await expectRefused([{ name: 'large.txt', content: 'x'.repeat(LIMIT + 1) }], {}, 413);
    await expectRefused([{ name: 'larger.txt', content: 'x'.repeat(LIMIT * 5) }], {}, 413);
    const { id } = await uploadOne(site, { name: 'just.txt', content: 'x'.repeat(LIMIT) });
    await call(site, 'DELETE', `/api/upload/files/${id}`);
    expect(await readUploadState(site)).toEqual(before);
  });

  it('rejects images that would be huge when decoded', async () => {
    const rss = process.memoryUsage.rss();
    for (const side of [1001, 30_000, 60_000])
      await expectRefused([{ name: 'bomb.png', content: decompressionBomb(side), type: 'image/png' }]);
    await expectRefused([{ name: 'film.gif', content: animatedGif(900, 20), type: 'image/gif' }]);
    const refused = await send(site, [
      { name: 'film.gif', content: animatedGif(900, 20), type: 'image/gif' },
    ]);
    expect(JSON.stringify(refused.body)).toContain('900 × 18000');
    expect(process.memoryUsage.rss() - rss).toBeLessThan(150_000_000);
  });

  it('rejects more pixels in one request than are processed at a time', async () => {
    const images = ['a.png', 'b.png'].map((name) => ({
      name,
      content: decompressionBomb(900),
      type: 'image/png',
    }));
    await expectRefused(images, {}, 413);
  });

  it('rejects fields that exceed the limit in total', async () => {
    const form = new FormData();
    for (let index = 0; index < 3; index += 1) form.append('fileInfo', `"${'x'.repeat(100_000)}"`);
    form.append('files', new Blob(['a']), 'a.txt');
    const { status, body } = await call(site, 'POST', '/api/upload', form);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('larger than 262144 bytes in total');
  });

  it('rejects a truncated image', async () => {
    const whole = await createImage(900, 900, 'jpeg');
    await expectRefused([
      { name: 'half.jpg', content: whole.subarray(0, whole.length / 2), type: 'image/jpeg' },
    ]);
    await expectRefused([{ name: 'lies.png', content: decompressionBomb(1000), type: 'image/png' }]);
  });

  it.each([
    ['no JSON', '{'],
    ['a number', '1'],
    ['text', '"name"'],
    ['more of them than files', [{}, {}]],
    ['a list of texts', ['a']],
    ['a number for a name', { name: 1 }],
    ['an empty name', { name: '' }],
    ['NUL in a caption', { caption: 'a\u0000b' }],
    ['a caption without end', { caption: 'x'.repeat(20_000) }],
    ['an object for a text', { alternativeText: { $ne: null } }],
    ['a point outside', { focalPoint: { x: 101, y: 0 } }],
    ['half a point', { focalPoint: { x: 1 } }],
  ])('rejects file information that is %s', async (_what, fileInfo) => {
    await expectRefused([{ name: 'a.txt', content: 'a' }], { fileInfo });
  });

  it('rejects too many fields', async () => {
    const form = new FormData();
    for (let index = 0; index < 200; index += 1) form.append(`f${index}`, 'x');
    expect((await call(site, 'POST', '/api/upload', form)).status).toBe(400);
    const long = new FormData();
    long.append('fileInfo', 'x'.repeat(1_100_000));
    expect((await call(site, 'POST', '/api/upload', long)).status).toBe(400);
    expect(await readUploadState(site)).toEqual(before);
  });

  it('rejects what has very many parts, and reads on without them', async () => {
    const response = await fetch(`${site.server.url}/api/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${site.tokens['full']}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      },
      body: `\r\n--${BOUNDARY}`.repeat(50_000),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The form has more than');
    expect(await readUploadState(site)).toEqual(before);
  });

  it('keeps nothing of an upload whose client disconnects', async () => {
    const { port, hostname } = new URL(site.server.url);
    const start = [
      'POST /api/upload HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${site.tokens['full']}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length: 900000',
      '',
      '',
    ].join('\r\n');
    for (const sent of [
      start,
      `${start}${head('a.txt')}`,
      `${start}${head('a.txt')}${'x'.repeat(200_000)}`,
      `${start}${head('a.txt')}done\r\n${head('b.txt')}${'x'.repeat(70_000)}`,
    ]) {
      const socket = connect(Number(port), hostname);
      await new Promise<void>((resolve) => {
        socket.write(sent, () => resolve());
      });
      await sleep(60);
      socket.destroy();
    }
    await expect.poll(() => readUploadState(site), { timeout: 30_000 }).toEqual(before);
    expect(site.log).toEqual([]);
  });
});
