import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { bytes, call, errorName, get, picture, send, storedFiles, traces, upload, uploadOne } from './support/client.js';
import type { FileRecord } from './support/client.js';

const ARTICLE = 'api::article.article';

describe.each(databases)('the media library on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());
  afterEach(({ expect: expectHere }) => {
    expectHere(site.log).toEqual([]);
  });

  const article = async (data: object, query = ''): Promise<string> => {
    const { status, body } = await call(site, 'POST', `/api/articles${query}`, { data });
    expect(status).toBe(201);
    return (body as { data: { documentId: string } }).data.documentId;
  };
  const read = async (path: string): Promise<Record<string, unknown>> => ((await call(site, 'GET', path)).body as { data: Record<string, unknown> }).data;
  const pathOf = (url: string): string => join(site.project.config.upload.directory, decodeURIComponent(url.slice('/uploads/'.length)));

  it('makes the smaller copies that are smaller', async () => {
    const record = await uploadOne(site, { name: 'Über uns.PNG', content: await picture(1200, 800), type: 'image/png' });
    expect(record).toMatchObject({ name: 'Über uns.PNG', ext: '.png', mime: 'image/png', width: 1200, height: 800 });
    expect(record.hash).toMatch(/^Uber_uns_[0-9a-f]{16}$/);
    expect(Object.fromEntries(Object.entries(record.formats ?? {}).map(([name, { width, height }]) => [name, [width, height]]))).toEqual({
      thumbnail: [234, 156], small: [500, 333], medium: [750, 500], large: [1000, 667],
    });
    for (const format of Object.values(record.formats ?? {})) {
      const response = await get(site, format.url);
      const content = Buffer.from(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(content.length).toBe(format.sizeInBytes);
      expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: format.width, height: format.height });
    }
  });

  it('makes only the thumbnail of an image that is hardly larger', async () => {
    const record = await uploadOne(site, { name: 'p.jpg', content: await picture(300, 100, 'jpeg'), type: 'image/jpeg' });
    expect(Object.keys(record.formats ?? {})).toEqual(['thumbnail']);
  });

  it('tells the size of a turned image as people see it, and turns its copies', async () => {
    const content = await sharp(await picture(600, 400, 'jpeg')).withMetadata({ orientation: 6 }).toBuffer();
    const record = await uploadOne(site, { name: 'turned.jpg', content, type: 'image/jpeg' });
    expect(record).toMatchObject({ width: 400, height: 600 });
    expect(record.formats?.['thumbnail']).toMatchObject({ width: 104, height: 156 });
  });

  it('stores exactly what was sent', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_value, index) => (index * 31) % 251));
    const record = await uploadOne(site, { name: 'data.bin', content });
    expect(record).toMatchObject({ mime: 'application/octet-stream', ext: '.bin', size: 300, width: null, height: null, formats: null });
    expect(Buffer.from(await (await get(site, record.url)).arrayBuffer()).equals(content)).toBe(true);
  });

  it('answers many files in the order sent, each with its own words', async () => {
    const names = Array.from({ length: 12 }, (_value, index) => `f${index}.txt`);
    const records = await upload(site, names.map((name) => ({ name, content: `text of ${name}` })), { fileInfo: names.map((name) => ({ caption: `about ${name}` })) });
    expect(records.map(({ name, caption }) => [name, caption])).toEqual(names.map((name) => [name, `about ${name}`]));
    expect(records.map(({ id }) => id)).toEqual(records.map(({ id }) => id).toSorted((left, right) => left - right));
  });

  it('takes words about one file of several sent as fields of the same name', async () => {
    const form = new FormData();
    for (const name of ['a.txt', 'b.txt']) {
      form.append('files', new Blob([bytes(name)]), name);
      form.append('fileInfo', JSON.stringify({ name: `new ${name}`, focalPoint: { x: 10, y: 90 } }));
    }
    const { status, body } = await call(site, 'POST', '/api/upload', form);
    expect(status).toBe(201);
    expect((body as FileRecord[]).map(({ name, focalPoint }) => [name, focalPoint])).toEqual([['new a.txt', { x: 10, y: 90 }], ['new b.txt', { x: 10, y: 90 }]]);
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
  ])('keeps of the name %s what may be kept', async (given, kept) => {
    const before = await storedFiles(site);
    const record = await uploadOne(site, { name: given, content: 'harmless' });
    expect(record.name).toBe(kept);
    expect(record.url).toMatch(/^\/uploads\/[A-Za-z0-9_-]{1,97}\.[a-z]+$/);
    expect((await storedFiles(site)).filter((path) => !before.includes(path))).toEqual([pathOf(record.url)]);
    expect(await (await get(site, record.url)).text()).toBe('harmless');
  });

  it('changes only the words that are sent', async () => {
    const { id, hash } = await uploadOne(site, { name: 'w.txt', content: 'w' }, { fileInfo: { alternativeText: 'alt', caption: 'cap' } });
    expect((await send(site, [], { fileInfo: { caption: null } }, `?id=${id}`)).body).toMatchObject({ id, hash, name: 'w.txt', alternativeText: 'alt', caption: null });
    expect((await send(site, [], { fileInfo: {} }, '?id=99999')).status).toBe(404);
    expect((await send(site, [], { fileInfo: {} }, '?id=abc')).status).toBe(404);
    expect((await send(site, [], { x: 'y' }, `?id=${id}`)).status).toBe(400);
  });

  it('replaces the content of a file, keeps its links and removes what was', async () => {
    const old = await uploadOne(site, { name: 'old.png', content: await picture(700, 700), type: 'image/png' }, { fileInfo: { alternativeText: 'kept' } });
    const documentId = await article({ title: 'Replaced', cover: old.id });
    const { status, body } = await send(site, [{ name: 'new.jpg', content: await picture(20, 10, 'jpeg'), type: 'image/jpeg' }], {}, `?id=${old.id}`);
    expect(status).toBe(200);
    const now = body as FileRecord;
    expect(now).toMatchObject({ id: old.id, documentId: old.documentId, name: 'new.jpg', ext: '.jpg', width: 20, height: 10, formats: null, alternativeText: 'kept' });
    expect(now.url).not.toBe(old.url);
    expect((await get(site, now.url)).status).toBe(200);
    for (const { url } of [old, ...Object.values(old.formats ?? {})]) expect(existsSync(pathOf(url))).toBe(false);
    expect(await read(`/api/articles/${documentId}?populate=cover`)).toMatchObject({ cover: { id: old.id, url: now.url } });
    expect((await send(site, [{ name: 'a.txt', content: 'a' }, { name: 'b.txt', content: 'b' }], {}, `?id=${old.id}`)).status).toBe(400);
  });

  it('links new files to the document named, by document id and by number', async () => {
    const documentId = await article({ title: 'Linked' });
    const [first] = await upload(site, [{ name: '1.txt', content: '1' }], { ref: ARTICLE, refId: documentId, field: 'gallery' });
    const { id } = await read(`/api/articles/${documentId}`);
    const more = await upload(site, [{ name: '2.txt', content: '2' }, { name: '3.txt', content: '3' }], { ref: ARTICLE, refId: String(id), field: 'gallery' });
    const [cover] = await upload(site, [{ name: 'c.png', content: await picture(8, 8) }], { ref: ARTICLE, refId: documentId, field: 'cover' });
    const found = await read(`/api/articles/${documentId}?populate=*`);
    expect((found['gallery'] as FileRecord[]).map((file) => file.id)).toEqual([first?.id, ...more.map((file) => file.id)]);
    expect(found['cover']).toMatchObject({ id: cover?.id });
  });

  it('leaves a draft a draft when it links a file to it', async () => {
    const documentId = await article({ title: 'Draft' }, '?status=draft');
    const [file] = await upload(site, [{ name: 'd.txt', content: 'd' }], { ref: ARTICLE, refId: documentId, field: 'gallery' });
    expect((await call(site, 'GET', `/api/articles/${documentId}`)).status).toBe(404);
    expect(await read(`/api/articles/${documentId}?status=draft&populate=gallery`)).toMatchObject({ gallery: [{ id: file?.id }] });
  });

  it('keeps nothing of files that cannot be linked', async () => {
    const before = await traces(site);
    const documentId = await article({ title: 'Refused' });
    const file = { name: 'n.txt', content: 'n' };
    const wrong = [
      { ref: 'api::nope.nope', refId: documentId, field: 'cover' },
      { ref: ARTICLE, refId: 'nothing', field: 'cover' },
      { ref: ARTICLE, refId: '99999', field: 'cover' },
      { ref: ARTICLE, refId: '99999999999', field: 'cover' },
      { ref: ARTICLE, refId: documentId, field: 'title' },
      { ref: ARTICLE, refId: documentId, field: '__proto__' },
      { ref: ARTICLE, refId: documentId },
      { ref: 'plugin::upload.file', refId: '1', field: 'name' },
    ];
    for (const fields of wrong) expect([fields, (await send(site, [file], fields)).status]).toEqual([fields, 400]);
    expect((await send(site, [file, file], { ref: ARTICLE, refId: documentId, field: 'cover' })).status).toBe(400);
    expect(await traces(site)).toEqual(before);
  });

  it('unlinks a deleted file everywhere and removes all of its copies', async () => {
    const file = await uploadOne(site, { name: 'gone.png', content: await picture(1100, 1100) });
    const other = await uploadOne(site, { name: 'stays.txt', content: 's' });
    const seo = { metaTitle: 'SEO', image: file.id };
    const documentId = await article({ title: 'Loses a file', cover: file.id, gallery: [file.id, other.id, file.id], seo });
    const populated = `/api/articles/${documentId}?populate[cover]=true&populate[gallery]=true&populate[seo][populate]=*`;
    expect(await read(populated)).toMatchObject({ cover: { id: file.id }, gallery: [{ id: file.id }, { id: other.id }] });
    const deleted = await call(site, 'DELETE', `/api/upload/files/${file.id}`);
    expect([deleted.status, (deleted.body as FileRecord).id]).toEqual([200, file.id]);
    for (const { url } of [file, ...Object.values(file.formats ?? {})]) expect([existsSync(pathOf(url)), (await get(site, url)).status]).toEqual([false, 404]);
    const after = await read(populated);
    expect(after).toMatchObject({ cover: null, gallery: [{ id: other.id }] });
    expect(JSON.stringify(after)).not.toContain(file.hash);
    expect((await call(site, 'DELETE', `/api/upload/files/${file.id}`)).status).toBe(404);
  });

  it('lists by filters, order and page', async () => {
    const records = await upload(site, ['z', 'x', 'y'].map((name) => ({ name: `list-${name}.csv`, content: `${name};1` })));
    const list = async (query: string): Promise<readonly string[]> => ((await call(site, 'GET', `/api/upload/files?filters[name][$startsWith]=list-${query}`)).body as FileRecord[]).map(({ name }) => name);
    expect(records.map(({ mime }) => mime)).toEqual(['text/csv', 'text/csv', 'text/csv']);
    expect(await list('&sort=name')).toEqual(['list-x.csv', 'list-y.csv', 'list-z.csv']);
    expect(await list('&sort=name:desc&pagination[page]=2&pagination[pageSize]=2')).toEqual(['list-x.csv']);
    expect(await list('&sort=id&pagination[start]=1&pagination[limit]=1')).toEqual(['list-x.csv']);
    expect((await call(site, 'GET', '/api/upload/files?filters[nope]=1')).status).toBe(400);
    expect((await call(site, 'GET', '/api/upload/files?fields=name&pagination[limit]=1')).body).toEqual([{ id: expect.any(Number) as unknown, documentId: expect.any(String) as unknown, name: expect.any(String) as unknown, isUrlSigned: false }]);
  });

  it('asks for the right of every action', async () => {
    const { id } = await uploadOne(site, { name: 'r.txt', content: 'r' });
    const form = (): FormData => {
      const made = new FormData();
      made.append('files', new Blob(['x']), 'x.txt');
      return made;
    };
    const before = await traces(site);
    for (const token of ['readonly', 'tagger']) {
      const { status, body } = await call(site, 'POST', '/api/upload', form(), token);
      expect([token, status, errorName(body)]).toEqual([token, 403, 'ForbiddenError']);
      expect((await call(site, 'POST', `/api/upload?id=${id}`, form(), token)).status).toBe(403);
      expect((await call(site, 'DELETE', `/api/upload/files/${id}`, undefined, token)).status).toBe(403);
    }
    expect((await call(site, 'GET', `/api/upload/files/${id}`, undefined, 'readonly')).status).toBe(200);
    expect((await call(site, 'GET', '/api/upload/files', undefined, 'tagger')).status).toBe(403);
    expect((await call(site, 'GET', `/api/upload/files/${id}`, undefined, 'tagger')).status).toBe(403);
    expect(await traces(site)).toEqual(before);
  });

  it('answers 405 and 404 in the envelope', async () => {
    expect((await call(site, 'PUT', '/api/upload', {})).status).toBe(405);
    expect((await call(site, 'POST', '/api/upload/files', {})).status).toBe(405);
    expect((await call(site, 'PATCH', '/api/upload/files/1', {})).status).toBe(405);
    for (const id of ['abc', '0', '-1', '1.5', '99999999999', '%00']) expect([id, (await call(site, 'GET', `/api/upload/files/${id}`)).status]).toEqual([id, 404]);
  });
});
