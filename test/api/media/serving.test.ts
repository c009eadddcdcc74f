import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, get, createImage, send, uploadOne } from './support/client.js';
import type { FileRecord } from './support/client.js';

/** Sends the path unchanged. `fetch` would resolve the dots, and drop caches for conditional requests. */
const getRaw = (
  site: Site,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.server.url);
    request({ hostname, port, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });

describe.each(databases.slice(0, 1))('serving uploaded files', (database) => {
  let site: Site;
  let directory: string;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { trash: { days: 0 } } });
    directory = site.project.config.upload.directory;
    await mkdir(join(directory, '.incoming'), { recursive: true });
    await writeFile(join(directory, '.incoming', 'half.txt'), 'not whole yet');
    await writeFile(join(dirname(directory), 'secret.txt'), 'secret');
  });
  afterAll(() => site.close());

  it('serves ranges, and rejects unsatisfiable ones', async () => {
    const { url } = await uploadOne(site, { name: 'r.txt', content: '0123456789' });
    const whole = await get(site, url);
    expect([
      whole.status,
      await whole.text(),
      whole.headers.get('accept-ranges'),
      whole.headers.get('content-length'),
    ]).toEqual([200, '0123456789', 'bytes', '10']);
    const part = await get(site, url, { range: 'bytes=2-5' });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '2345',
      'bytes 2-5/10',
    ]);
    expect(await (await get(site, url, { range: 'bytes=-3' })).text()).toBe('789');
    const none = await get(site, url, { range: 'bytes=50-60' });
    expect([none.status, none.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  });

  it('leads from former addresses of replaced files to their content', async () => {
    const { id, url } = await uploadOne(site, { name: 'a.txt', content: 'one' });
    const replace = async (name: string, content: string | Buffer) =>
      (await send(site, [{ name, content }], {}, `?id=${id}`)).body as FileRecord;
    const second = await replace('b.txt', 'two');
    expect(second.url).not.toBe(url);
    const former = await get(site, url);
    expect([former.status, await former.text(), former.headers.get('cache-control')]).toEqual([
      200,
      'two',
      'public, no-cache',
    ]);
    expect((await get(site, url, { range: 'bytes=1-1' })).status).toBe(206);
    // Of another type, what stands around the address in a text may not fit: the address says where it is.
    const third = await replace('c.json', '{"three": 3}');
    for (const address of [url, second.url]) {
      const moved = await fetch(`${site.server.url}${address}?x=1`, { redirect: 'manual' });
      expect([moved.status, moved.headers.get('location')]).toEqual([302, `${third.url}?x=1`]);
      expect(await (await get(site, address)).text()).toBe('{"three": 3}');
    }
    const fourth = await replace('d.txt', 'four');
    expect(await (await get(site, url)).text()).toBe('four');
    expect(await (await get(site, third.url)).text()).toBe('four');
    await call(site, 'DELETE', `/api/upload/files/${id}`);
    for (const address of [url, second.url, third.url, fourth.url])
      expect((await get(site, address)).status).toBe(404);
  });

  it('leads from former addresses of smaller copies to those of the new image', async () => {
    const { id, formats } = await uploadOne(site, { name: 'i.png', content: await createImage(300, 300) });
    const thumbnail = (formats as Record<string, { url: string }>)['thumbnail']?.url ?? '';
    const { body } = await send(
      site,
      [{ name: 'j.png', content: await createImage(400, 200) }],
      {},
      `?id=${id}`,
    );
    const replaced = (body as FileRecord).formats as Record<string, { url: string }>;
    const [former, present] = await Promise.all(
      [thumbnail, replaced['thumbnail']?.url ?? ''].map(async (address) =>
        (await get(site, address)).arrayBuffer(),
      ),
    );
    expect(former).toEqual(present);
    await send(site, [{ name: 'k.png', content: await createImage(20, 20) }], {}, `?id=${id}`);
    expect((await get(site, thumbnail)).status).toBe(200);
    await call(site, 'DELETE', `/api/upload/files/${id}`);
  });

  it('allows permanent caching, and conditional requests', async () => {
    const { url } = await uploadOne(site, { name: 'c.png', content: await createImage(5, 5) });
    const first = await get(site, url);
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    expect(await getRaw(site, url, { 'if-none-match': etag })).toEqual({ status: 304, text: '' });
    expect(
      await getRaw(site, url, { 'if-modified-since': first.headers.get('last-modified') ?? '' }),
    ).toEqual({ status: 304, text: '' });
    const head = await fetch(site.server.url + url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'image/png',
      '',
    ]);
  });

  it.each([
    [
      'a page',
      'a.html',
      '<!DOCTYPE html><script>alert(1)</script>',
      'text/plain; charset=utf-8',
      'attachment',
    ],
    [
      'a page without a name',
      'noname',
      '<html><body onload="alert(1)">',
      'text/plain; charset=utf-8',
      'attachment',
    ],
    [
      'a drawing',
      'a.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><script>alert(1)</script></svg>',
      'image/svg+xml',
      'attachment',
    ],
    [
      'XML',
      'a.xml',
      '<?xml version="1.0"?><a xmlns:x="http://www.w3.org/1999/xhtml"><x:script>alert(1)</x:script></a>',
      'text/plain; charset=utf-8',
      'attachment',
    ],
    [
      'XHTML',
      'a.xhtml',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>',
      'text/plain; charset=utf-8',
      'attachment',
    ],
    ['a script', 'a.js', 'alert(1)', 'text/plain; charset=utf-8', 'attachment'],
    ['a style', 'a.css', '* { color: red }', 'text/plain; charset=utf-8', 'attachment'],
    ['text with tags', 'a.txt', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline'],
    [
      'an unknown extension',
      'a.shtml',
      '<script>alert(1)</script>',
      'text/plain; charset=utf-8',
      'attachment',
    ],
    ['Markdown', 'a.md', '<h1>hello</h1>', 'text/markdown; charset=utf-8', 'attachment'],
  ])('never serves %s as active content', async (_what, name, content, type, disposition) => {
    const { url } = await uploadOne(site, { name, content });
    const { status, headers } = await get(site, url);
    expect([
      status,
      headers.get('content-type'),
      headers.get('content-disposition'),
      headers.get('x-content-type-options'),
    ]).toEqual([200, type, disposition, 'nosniff']);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/);
  });

  it('does so for every spelling of the path', async () => {
    const { url } = await uploadOne(site, { name: 'a.html', content: '<!DOCTYPE html>' });
    for (const path of [
      url.replace('.html', '%2Ehtml'),
      url.replace('.html', '.%68tml'),
      `${url}?x.png`,
      `${url}/`,
    ]) {
      const { status, headers } = await get(site, path);
      expect([path, status === 404 || headers.get('content-disposition') === 'attachment']).toEqual([
        path,
        true,
      ]);
    }
  });

  it.each([
    '/uploads/../secret.txt',
    '/uploads/..%2fsecret.txt',
    '/uploads/%2e%2e/secret.txt',
    '/uploads/%2e%2e%2fsecret.txt',
    '/uploads/..%5csecret.txt',
    '/uploads/x/../../secret.txt',
    '/uploads/%252e%252e%252fsecret.txt',
    '/uploads//../secret.txt',
    '/uploads/..;/secret.txt',
    '/uploads/secret.txt%00.png',
    '/uploads/%c0%ae%c0%ae/secret.txt',
    '/uploads/.incoming/half.txt',
    '/uploads/%2eincoming/half.txt',
    '/uploads/.incoming',
    '/uploads/',
    '/uploads/.',
    '/uploads/%',
    '/uploads/nothing.png',
  ])('finds nothing at %s', async (path) => {
    const { status, text } = await getRaw(site, path);
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('secret');
    expect(text).not.toContain('not whole yet');
    expect(JSON.parse(text)).toMatchObject({ data: null, error: { status } });
  });

  it('serves files in subfolders', async () => {
    await mkdir(join(directory, 'brand'));
    await writeFile(join(directory, 'brand', 'logo.txt'), 'logo');
    await symlink(join(directory, 'brand'), join(directory, 'alias'));
    expect(await (await get(site, '/uploads/brand/logo.txt')).text()).toBe('logo');
    expect((await get(site, '/uploads/brand')).status).toBe(404);
  });

  it('leaves images as they are unless sizes are configured, for any parameters', async () => {
    const content = await createImage(50, 50);
    const { url } = await uploadOne(site, { name: 'whole.png', content });
    const response = await get(site, `${url}?width=10&format=webp`);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  });

  it('requires no permission, since URLs are public', async () => {
    const { url } = await uploadOne(site, { name: 'p.txt', content: 'p' });
    expect((await get(site, url, { authorization: 'Bearer nonsense' })).status).toBe(200);
    expect((await fetch(site.server.url + url, { method: 'DELETE' })).status).toBe(405);
  });
});
