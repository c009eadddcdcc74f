import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Metadata } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, createImage, get, send, uploadOne } from './support/client.js';
import type { FileRecord } from './support/client.js';

describe.each(databases.slice(0, 1))('images as addresses ask for them', (database) => {
  let site: Site;
  let directory: string;
  let image: FileRecord;
  beforeAll(async () => {
    const transforms = { sizes: [40, 80], qualities: [20, 90], formats: ['webp', 'avif', 'jpeg'] };
    site = await createSite({
      project: 'magazine',
      database,
      config: { trash: { days: 0 }, upload: { transforms } },
    });
    ({ directory } = site.project.config.upload);
    const gradient = await sharp(await createImage(10, 10))
      .extend({ left: 5, background: { r: 0, g: 200, b: 0, alpha: 0 } })
      .resize(115, 80, { fit: 'fill' })
      .png()
      .toBuffer();
    image = await uploadOne(site, { name: 'image.png', content: gradient });
  });
  afterAll(() => site.close());

  const metadata = async (response: Response): Promise<Metadata> =>
    sharp(Buffer.from(await response.arrayBuffer())).metadata();

  const copies = async (): Promise<readonly string[]> => {
    const entries = await readdir(join(directory, '.transforms'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  it.each([
    ['width=40', 'png', [40, 27]],
    ['height=40', 'png', [60, 40]],
    ['width=40&height=40', 'png', [40, 40]],
    ['width=40&height=40&fit=inside', 'png', [40, 27]],
    ['width=80&height=40', 'png', [80, 40]],
    ['width=40&format=webp', 'webp', [40, 27]],
    ['width=40&format=avif&quality=20', 'heif', [40, 27]],
    ['width=40&format=jpeg', 'jpeg', [40, 27]],
    ['format=webp', 'webp', [80, 53]],
  ] as const)('%s is %s in %j', async (query, format, [width, height]) => {
    const response = await get(site, `${image.url}?${query}`);
    const type = format === 'heif' ? 'avif' : format;
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `image/${type}`]);
    expect(await metadata(response)).toMatchObject({ format, width, height });
  });

  it('shows white where a JPEG cannot be transparent', async () => {
    const response = await get(site, `${image.url}?width=40&format=jpeg`);
    const { data } = await sharp(Buffer.from(await response.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(250);
  });

  it('never enlarges, and keeps the shape that was asked for', async () => {
    const { url } = await uploadOne(site, { name: 'tiny.png', content: await createImage(30, 20) });
    expect(await metadata(await get(site, `${url}?width=80`))).toMatchObject({ width: 30, height: 20 });
    const square = await get(site, `${url}?width=80&height=80`);
    expect(await metadata(square)).toMatchObject({ width: 20, height: 20 });
  });

  it('crops what is shown of an image that is stored turned', async () => {
    const content = await sharp(await createImage(60, 40, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { url } = await uploadOne(site, { name: 'turned.jpg', content });
    expect(await metadata(await get(site, `${url}?width=40`))).toMatchObject({ width: 40, height: 60 });
    const crop = await get(site, `${url}?width=40&height=80`);
    expect(await metadata(crop)).toMatchObject({ width: 30, height: 60 });
  });

  it('is cached without expiry, and supports conditional requests and HEAD', async () => {
    const url = `${image.url}?width=80&quality=90&v=1`;
    const first = await get(site, url);
    const made = await copies();
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(first.headers.get('vary') ?? '').not.toContain('Accept');
    const etag = first.headers.get('etag') ?? '';
    // PNG has no quality, and the other parameter is not ours.
    const again = await get(site, `${image.url}?width=80`);
    expect([again.headers.get('etag'), await copies()]).toEqual([etag, made]);
    const known = await get(site, url, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect(known.status).toBe(304);
    const head = await fetch(site.server.url + url, { method: 'HEAD' });
    const { length } = Buffer.from(await first.arrayBuffer());
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(length), '']);
  });

  it.each([
    ['image/avif,image/webp,*/*', 'image/avif'],
    ['image/avif;q=0, image/webp', 'image/webp'],
    ['*/*', 'image/png'],
  ])('chooses for %s %s', async (accept, type) => {
    const { headers } = await get(site, `${image.url}?width=40&format=auto`, { accept });
    expect([headers.get('content-type'), headers.get('vary')]).toEqual([
      type,
      expect.stringContaining('Accept'),
    ]);
  });

  it.each([
    ['width=41', 'The parameter width may not be 41. Allowed: 40, 80.'],
    ['width=', 'width'],
    ['height=-40', 'height'],
    ['width=40.0', 'width'],
    ['width=40&width=80', 'width may not be 40, 80'],
    ['width[]=40&height=1e1', 'height'],
    ['width=40&fit=fill', 'Allowed: cover, inside.'],
    ['format=png', 'Allowed: webp, avif, jpeg, auto.'],
    ['format=../x', 'format'],
    ['width=40&quality=50', 'Allowed: 20, 90.'],
  ])('refuses %s', async (query, message) => {
    const before = await copies();
    const { status, body } = await call(site, 'GET', `${image.url}?${query}`);
    expect([status, body]).toMatchObject([
      400,
      { error: { message: expect.stringContaining(message) as unknown } },
    ]);
    expect(await copies()).toEqual(before);
  });

  it('sends drawings as they are, and refuses what is no image', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const drawing = await uploadOne(site, { name: 'd.svg', content: svg });
    expect(await (await get(site, `${drawing.url}?width=40&format=webp`)).text()).toBe(svg);
    const text = await uploadOne(site, { name: 't.txt', content: 'text' });
    expect(await call(site, 'GET', `${text.url}?width=40`)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('text/plain') as unknown } },
    });
    await writeFile(join(directory, 'broken.png'), 'no image');
    expect(await call(site, 'GET', '/uploads/broken.png?width=40')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('damaged') as unknown } },
    });
  });

  it('finds nothing outside the folder, nor what is hidden there', async () => {
    await writeFile(join(directory, '..', 'outside.png'), await createImage(9, 9));
    const [copy = ''] = await readdir(join(directory, '.transforms'), { recursive: true });
    for (const path of [
      '..%2foutside.png',
      '..%5coutside.png',
      `.transforms/${copy}`,
      '.transforms',
      '%',
      'x%00.png',
    ])
      expect([path, [400, 404].includes((await get(site, `/uploads/${path}?width=40`)).status)]).toEqual([
        path,
        true,
      ]);
    expect((await get(site, '/uploads/nothing.png?width=40')).status).toBe(404);
    expect((await get(site, `/uploads/.transforms/${copy}`)).status).toBe(404);
  });

  it('loses the copies of files that are replaced or deleted', async () => {
    const content = await createImage(90, 90);
    const { id, url } = await uploadOne(site, { name: 'lost.png', content });
    const before = await copies();
    expect((await get(site, `${url}?width=40`)).status).toBe(200);
    expect((await copies()).length).toBe(before.length + 1);
    const { body } = await send(site, [{ name: 'new.png', content }], {}, `?id=${id}`);
    const { url: replaced } = body as FileRecord;
    // The former address leads to the new content, and so do its copies.
    expect((await get(site, `${url}?width=40`)).status).toBe(200);
    expect((await get(site, `${replaced}?width=40`)).status).toBe(200);
    await call(site, 'DELETE', `/api/upload/files/${id}`);
    expect((await get(site, `${replaced}?width=40`)).status).toBe(404);
    expect((await copies()).toSorted()).toEqual(before.toSorted());
    await expect(access(join(directory, 'lost.png'))).rejects.toThrow('ENOENT');
  });
});
