import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import {
  bytes,
  call,
  errorName,
  get,
  createImage,
  send,
  storedFiles,
  readUploadState,
  upload,
  uploadOne,
} from './support/client.js';
import type { FileRecord } from './support/client.js';

describe.each(databases)('the media library on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      config: { upload: { transforms: { sizes: [100] } } },
    });
  });
  afterAll(() => site.close());
  afterEach(({ expect: expectHere }) => {
    expectHere(site.log).toEqual([]);
  });

  const pathOf = (url: string): string =>
    join(site.project.config.upload.directory, decodeURIComponent(url.slice('/uploads/'.length)));

  it('generates only copies that are smaller', async () => {
    const record = await uploadOne(site, {
      name: 'Über uns.PNG',
      content: await createImage(1200, 800),
      type: 'image/png',
    });
    expect(record).toMatchObject({
      name: 'Über uns.PNG',
      ext: '.PNG',
      mime: 'image/png',
      width: 1200,
      height: 800,
    });
    expect(record.hash).toMatch(/^Uber_uns_[0-9a-f]{16}$/);
    expect(
      Object.fromEntries(
        Object.entries(record.formats ?? {}).map(([name, { width, height }]) => [name, [width, height]]),
      ),
    ).toEqual({
      thumbnail: [234, 156],
      small: [500, 333],
      medium: [750, 500],
      large: [1000, 667],
    });
    for (const format of Object.values(record.formats ?? {})) {
      const response = await get(site, format.url);
      const content = Buffer.from(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(content.length).toBe(format.sizeInBytes);
      expect(await sharp(content).metadata()).toMatchObject({
        format: 'png',
        width: format.width,
        height: format.height,
      });
    }
  });

  it('crops an image around its focal point, and anew once that is another', async () => {
    const left = await createImage(200, 200);
    const content = await sharp(left)
      .extend({ right: 200, background: { r: 0, g: 0, b: 255 } })
      .toBuffer();
    const fileInfo = { focalPoint: { x: 0, y: 50 } };
    const { id, url } = await uploadOne(site, { name: 'two.png', content }, { fileInfo });
    const crop = async (): Promise<readonly [string, string, string]> => {
      const response = await get(site, `${url}?width=100&height=100`);
      const { data } = await sharp(Buffer.from(await response.arrayBuffer()))
        .raw()
        .toBuffer({ resolveWithObject: true });
      // Not the last pixel before the edge, where both sides mix.
      const colours = [5, 90].map((column) => data.subarray(column * 3, column * 3 + 3).join());
      const { headers } = response;
      return [colours.join(' '), headers.get('cache-control') ?? '', headers.get('etag') ?? ''];
    };
    const [before, cacheControl, etag] = await crop();
    expect([before, cacheControl]).toEqual([
      '200,30,90 200,30,90',
      'public, max-age=60, stale-while-revalidate=86400',
    ]);
    const moved = { fileInfo: { focalPoint: { x: 100, y: 50 } } };
    expect((await send(site, [], moved, `?id=${id}`)).status).toBe(200);
    const after = await crop();
    expect([after[0], after[2] === etag]).toEqual(['0,0,255 0,0,255', false]);
    await call(site, 'DELETE', `/api/upload/files/${id}`);
  });

  it('generates only the thumbnail of a small image', async () => {
    const record = await uploadOne(site, {
      name: 'p.jpg',
      content: await createImage(300, 100, 'jpeg'),
      type: 'image/jpeg',
    });
    expect(Object.keys(record.formats ?? {})).toEqual(['thumbnail']);
  });

  it('reports the displayed size of a rotated image, and rotates its copies', async () => {
    const content = await sharp(await createImage(600, 400, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const record = await uploadOne(site, { name: 'turned.jpg', content, type: 'image/jpeg' });
    expect(record).toMatchObject({ width: 400, height: 600 });
    expect(record.formats?.['thumbnail']).toMatchObject({ width: 104, height: 156 });
  });

  it('stores exactly what was sent', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_value, index) => (index * 31) % 251));
    const record = await uploadOne(site, { name: 'data.bin', content });
    expect(record).toMatchObject({
      mime: 'application/octet-stream',
      ext: '.bin',
      size: 300,
      width: null,
      height: null,
      formats: null,
    });
    expect(Buffer.from(await (await get(site, record.url)).arrayBuffer()).equals(content)).toBe(true);
  });

  it('returns many files in the order sent, each with its own information', async () => {
    const names = Array.from({ length: 12 }, (_value, index) => `f${index}.txt`);
    const records = await upload(
      site,
      names.map((name) => ({ name, content: `text of ${name}` })),
      { fileInfo: names.map((name) => ({ caption: `about ${name}` })) },
    );
    expect(records.map(({ name, caption }) => [name, caption])).toEqual(
      names.map((name) => [name, `about ${name}`]),
    );
    expect(records.map(({ id }) => id)).toEqual(
      records.map(({ id }) => id).toSorted((left, right) => left - right),
    );
  });

  it('accepts file information in several fields of the same name', async () => {
    const form = new FormData();
    for (const name of ['a.txt', 'b.txt']) {
      form.append('files', new Blob([bytes(name)]), name);
      form.append('fileInfo', JSON.stringify({ name: `new ${name}`, focalPoint: { x: 10, y: 90 } }));
    }
    const { status, body } = await call(site, 'POST', '/api/upload', form);
    expect(status).toBe(201);
    expect((body as FileRecord[]).map(({ name, focalPoint }) => [name, focalPoint])).toEqual([
      ['new a.txt', { x: 10, y: 90 }],
      ['new b.txt', { x: 10, y: 90 }],
    ]);
  });

  it.each([
    ['../../../etc/passwd.txt', 'passwd.txt'],
    ['..\\..\\windows\\system.txt', 'system.txt'],
    ['日本語 ✓.txt', '日本語 ✓.txt'],
    ['e\u0301te\u0301.txt', 'été.txt'],
    ['.htaccess', '.htaccess'],
    ['...', 'file'],
    ['a\u202Etxt.exe.txt', 'atxt.exe.txt'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(251)}.txt`],
    [`${'😀'.repeat(300)}.txt`, `${'😀'.repeat(125)}.txt`],
    ["'; DROP TABLE files; --.txt", "'; DROP TABLE files; --.txt"],
  ])('sanitises the name %s', async (given, kept) => {
    const before = await storedFiles(site);
    const record = await uploadOne(site, { name: given, content: 'harmless' });
    expect(record.name).toBe(kept);
    expect(record.url).toMatch(/^\/uploads\/[A-Za-z0-9_-]{1,97}\.[a-z]+$/);
    expect((await storedFiles(site)).filter((path) => !before.includes(path))).toEqual([pathOf(record.url)]);
    expect(await (await get(site, record.url)).text()).toBe('harmless');
  });

  it('updates only the information that is sent', async () => {
    const { id, hash } = await uploadOne(
      site,
      { name: 'w.txt', content: 'w' },
      { fileInfo: { alternativeText: 'alt', caption: 'cap' } },
    );
    expect((await send(site, [], { fileInfo: { caption: null } }, `?id=${id}`)).body).toMatchObject({
      id,
      hash,
      name: 'w.txt',
      alternativeText: 'alt',
      caption: null,
    });
    expect((await send(site, [], { fileInfo: {} }, '?id=99999')).status).toBe(404);
    expect((await send(site, [], { fileInfo: {} }, '?id=abc')).status).toBe(404);
    expect((await send(site, [], { x: 'y' }, `?id=${id}`)).status).toBe(400);
  });

  it('lists with filters, sort and pagination', async () => {
    const records = await upload(
      site,
      ['z', 'x', 'y'].map((name) => ({ name: `list-${name}.csv`, content: `${name};1` })),
    );
    const list = async (query: string): Promise<readonly string[]> =>
      (
        (await call(site, 'GET', `/api/upload/files?filters[name][$startsWith]=list-${query}`))
          .body as FileRecord[]
      ).map(({ name }) => name);
    expect(records.map(({ mime }) => mime)).toEqual(['text/csv', 'text/csv', 'text/csv']);
    expect(await list('&sort=name')).toEqual(['list-x.csv', 'list-y.csv', 'list-z.csv']);
    expect(await list('&sort=name:desc&pagination[page]=2&pagination[pageSize]=2')).toEqual(['list-x.csv']);
    expect(await list('&sort=id&pagination[start]=1&pagination[limit]=1')).toEqual(['list-x.csv']);
    expect((await call(site, 'GET', '/api/upload/files?filters[nope]=1')).status).toBe(400);
    expect((await call(site, 'GET', '/api/upload/files?fields=name&pagination[limit]=1')).body).toEqual([
      {
        id: expect.any(Number) as unknown,
        documentId: expect.any(String) as unknown,
        name: expect.any(String) as unknown,
        isUrlSigned: false,
      },
    ]);
  });

  it('checks the permission of every action', async () => {
    const { id } = await uploadOne(site, { name: 'r.txt', content: 'r' });
    const form = (): FormData => {
      const made = new FormData();
      made.append('files', new Blob(['x']), 'x.txt');
      return made;
    };
    const before = await readUploadState(site);
    for (const token of ['readonly', 'tagger']) {
      const { status, body } = await call(site, 'POST', '/api/upload', form(), token);
      expect([token, status, errorName(body)]).toEqual([token, 403, 'ForbiddenError']);
      expect((await call(site, 'POST', `/api/upload?id=${id}`, form(), token)).status).toBe(403);
      expect((await call(site, 'DELETE', `/api/upload/files/${id}`, undefined, token)).status).toBe(403);
    }
    expect((await call(site, 'GET', `/api/upload/files/${id}`, undefined, 'readonly')).status).toBe(200);
    expect((await call(site, 'GET', '/api/upload/files', undefined, 'tagger')).status).toBe(403);
    expect((await call(site, 'GET', `/api/upload/files/${id}`, undefined, 'tagger')).status).toBe(403);
    expect(await readUploadState(site)).toEqual(before);
  });

  it('accepts the documentId of a file wherever it accepts the id', async () => {
    const { id, documentId } = await uploadOne(site, { name: 'd.txt', content: 'd' });
    const path = `/api/upload/files/${documentId}`;
    expect(await call(site, 'GET', path)).toMatchObject({ status: 200, body: { id, documentId } });
    const fileInfo = { caption: 'Changed' };
    expect(await send(site, [], { fileInfo }, `?id=${documentId}`)).toMatchObject({
      status: 200,
      body: { id, caption: 'Changed', name: 'd.txt' },
    });
    const replacing = await send(site, [{ name: 'e.txt', content: 'eee' }], {}, `?id=${documentId}`);
    expect(replacing).toMatchObject({ status: 200, body: { id, documentId } });
    const update = `updateUploadFile(id: "${documentId}", info: { caption: "Again" })`;
    const query = `mutation { ${update} { caption } }`;
    expect((await call(site, 'POST', '/graphql', { query })).body).toEqual({
      data: { updateUploadFile: { caption: 'Again' } },
    });
    expect(await call(site, 'DELETE', path)).toMatchObject({ status: 200, body: { id, caption: 'Again' } });
    expect((await call(site, 'DELETE', path)).status).toBe(404);
    expect((await send(site, [], { fileInfo }, `?id=${documentId}`)).status).toBe(404);
    const { documentId: other } = await uploadOne(site, { name: 'f.txt', content: 'f' });
    const removal = `mutation { deleteUploadFile(id: "${other}") { name } }`;
    expect((await call(site, 'POST', '/graphql', { query: removal })).body).toMatchObject({
      data: { deleteUploadFile: { name: 'f.txt' } },
    });
  });

  it('responds with 405 and 404 in the envelope', async () => {
    expect((await call(site, 'PUT', '/api/upload', {})).status).toBe(405);
    expect((await call(site, 'POST', '/api/upload/files', {})).status).toBe(405);
    expect((await call(site, 'PATCH', '/api/upload/files/1', {})).status).toBe(405);
    for (const id of ['abc', '0', '-1', '1.5', '99999999999', '%00'])
      expect([id, (await call(site, 'GET', `/api/upload/files/${id}`)).status]).toEqual([id, 404]);
  });
});
