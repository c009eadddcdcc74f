import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readMediaStores } from '../../../src/project/open/content-stores.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { usagesOf } from '../../../src/transfer/store/media-store.js';
import { defined } from '../../../src/lib/assert.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, get, createImage, send, readUploadState, upload, uploadOne } from './support/client.js';
import type { FileRecord } from './support/client.js';

const ARTICLE = 'api::article.article';

describe.each(databases)('links to files on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { trash: { days: 0 } } });
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
  const read = async (path: string): Promise<Record<string, unknown>> =>
    ((await call(site, 'GET', path)).body as { data: Record<string, unknown> }).data;
  const pathOf = (url: string): string =>
    join(site.project.config.upload.directory, decodeURIComponent(url.slice('/uploads/'.length)));

  it('survive a new content, and the old content is removed', async () => {
    const old = await uploadOne(
      site,
      { name: 'old.png', content: await createImage(700, 700), type: 'image/png' },
      { fileInfo: { alternativeText: 'kept' } },
    );
    const documentId = await article({ title: 'Replaced', cover: old.id });
    const { status, body } = await send(
      site,
      [{ name: 'new.jpg', content: await createImage(20, 10, 'jpeg'), type: 'image/jpeg' }],
      {},
      `?id=${old.id}`,
    );
    expect(status).toBe(200);
    const now = body as FileRecord;
    expect(now).toMatchObject({
      id: old.id,
      documentId: old.documentId,
      name: 'new.jpg',
      ext: '.jpg',
      width: 20,
      height: 10,
      formats: null,
      alternativeText: 'kept',
    });
    expect(now.url).not.toBe(old.url);
    expect((await get(site, now.url)).status).toBe(200);
    for (const { url } of [old, ...Object.values(old.formats ?? {})])
      expect(existsSync(pathOf(url))).toBe(false);
    expect(await read(`/api/articles/${documentId}?populate=cover`)).toMatchObject({
      cover: { id: old.id, url: now.url },
    });
    expect(
      (
        await send(
          site,
          [
            { name: 'a.txt', content: 'a' },
            { name: 'b.txt', content: 'b' },
          ],
          {},
          `?id=${old.id}`,
        )
      ).status,
    ).toBe(400);
  });

  it('are made for new files, by document id and by numeric id', async () => {
    const documentId = await article({ title: 'Linked' });
    const [first] = await upload(site, [{ name: '1.txt', content: '1' }], {
      ref: ARTICLE,
      refId: documentId,
      field: 'gallery',
    });
    const { id } = await read(`/api/articles/${documentId}`);
    const more = await upload(
      site,
      [
        { name: '2.txt', content: '2' },
        { name: '3.txt', content: '3' },
      ],
      { ref: ARTICLE, refId: String(id), field: 'gallery' },
    );
    const [cover] = await upload(site, [{ name: 'c.png', content: await createImage(8, 8) }], {
      ref: ARTICLE,
      refId: documentId,
      field: 'cover',
    });
    const found = await read(`/api/articles/${documentId}?populate=*`);
    expect((found['gallery'] as FileRecord[]).map((file) => file.id)).toEqual([
      first?.id,
      ...more.map((file) => file.id),
    ]);
    expect(found['cover']).toMatchObject({ id: cover?.id });
  });

  it('are found in all versions, in lists and components, and as addresses in texts', async () => {
    const image = await createImage(300, 300);
    const files = await upload(
      site,
      ['cover', 'gallery', 'seo', 'body', 'content', 'nobody'].map((name) => ({
        name: `${name}.png`,
        content: image,
      })),
    );
    const of = (name: string): FileRecord =>
      defined(
        files.find((file) => file.name === `${name}.png`),
        name,
      );
    const documentId = await article({
      title: 'User',
      cover: of('cover').id,
      gallery: [of('gallery').id],
      seo: { metaTitle: 'User', image: of('seo').id },
      body: `![](http://elsewhere${of('body').formats?.['thumbnail']?.url ?? ''})`,
      content: [{ type: 'paragraph', children: [{ type: 'text', text: `See ${of('content').url}?v=1.` }] }],
    });
    await call(site, 'PUT', `/api/articles/${documentId}?status=draft`, { data: { cover: null } });
    const opened = await openProjectDatabase(site.project);
    const { media } = await readMediaStores(opened);
    const stored = await media.find({ filters: { id: { $in: files.map(({ id }) => id) } } });
    const usages = await usagesOf(media.maintenance, stored);
    await opened.close();
    expect(new Set(usages.map((usage) => [usage.type, usage.documentId, usage.locale].join()))).toEqual(
      new Set([[ARTICLE, documentId, 'en'].join()]),
    );
    const names = new Map(files.map((file) => [file.documentId, file.name.replace('.png', '')]));
    expect(
      usages
        .map(({ file, attribute, by, status }) => [names.get(file), attribute, by, status].join(' '))
        .toSorted(),
    ).toEqual([
      'body body address draft',
      'body body address published',
      'content content address draft',
      'content content address published',
      'cover cover link published',
      'gallery gallery link draft',
      'gallery gallery link published',
      'seo seo link draft',
      'seo seo link published',
    ]);
  });

  it('leave a draft a draft', async () => {
    const documentId = await article({ title: 'Draft' }, '?status=draft');
    const [file] = await upload(site, [{ name: 'd.txt', content: 'd' }], {
      ref: ARTICLE,
      refId: documentId,
      field: 'gallery',
    });
    expect((await call(site, 'GET', `/api/articles/${documentId}`)).status).toBe(404);
    expect(await read(`/api/articles/${documentId}?status=draft&populate=gallery`)).toMatchObject({
      gallery: [{ id: file?.id }],
    });
  });

  it('that cannot be made reject the upload, of which nothing is kept', async () => {
    const before = await readUploadState(site);
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
    for (const fields of wrong)
      expect([fields, (await send(site, [file], fields)).status]).toEqual([fields, 400]);
    expect((await send(site, [file, file], { ref: ARTICLE, refId: documentId, field: 'cover' })).status).toBe(
      400,
    );
    expect(await readUploadState(site)).toEqual(before);
  });

  it('end everywhere with the file, whose copies are removed', async () => {
    const file = await uploadOne(site, { name: 'gone.png', content: await createImage(1100, 1100) });
    const other = await uploadOne(site, { name: 'stays.txt', content: 's' });
    const seo = { metaTitle: 'SEO', image: file.id };
    const documentId = await article({
      title: 'Loses a file',
      cover: file.id,
      gallery: [file.id, other.id, file.id],
      seo,
    });
    const populated = [
      `/api/articles/${documentId}?populate[cover]=true`,
      'populate[gallery]=true',
      'populate[seo][populate]=*',
    ].join('&');
    expect(await read(populated)).toMatchObject({
      cover: { id: file.id },
      gallery: [{ id: file.id }, { id: other.id }],
    });
    const deleted = await call(site, 'DELETE', `/api/upload/files/${file.id}`);
    expect([deleted.status, (deleted.body as FileRecord).id]).toEqual([200, file.id]);
    for (const { url } of [file, ...Object.values(file.formats ?? {})])
      expect([existsSync(pathOf(url)), (await get(site, url)).status]).toEqual([false, 404]);
    const after = await read(populated);
    expect(after).toMatchObject({ cover: null, gallery: [{ id: other.id }] });
    expect(JSON.stringify(after)).not.toContain(file.hash);
    expect((await call(site, 'DELETE', `/api/upload/files/${file.id}`)).status).toBe(404);
  });
});
