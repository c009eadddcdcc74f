import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMediaStores } from '../../../src/project/open/content-stores.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, get, createImage, send, storedFiles, readUploadState, uploadOne } from './support/client.js';
import { BUCKET, CREDENTIALS, startS3Store } from './support/s3-server.js';
import type { S3Store } from './support/s3-server.js';

describe.each(databases)('files in an S3-compatible store on $name', (database) => {
  let store: S3Store;
  let client: S3Client;
  let site: Site;
  beforeAll(async () => {
    store = await startS3Store();
    client = new S3Client({
      endpoint: store.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { ...CREDENTIALS },
    });
    const s3 = { ...store.settings, prefix: 'media/', baseUrl: 'https://files.example.com/' };
    site = await createSite({
      project: 'magazine',
      database,
      config: { trash: { days: 0 }, upload: { provider: 's3', s3 } },
    });
  });
  afterAll(async () => {
    client.destroy();
    await site.close();
    await store.remove();
  });

  const keyOf = (url: string): string => url.slice('https://files.example.com/'.length);

  it('stores an image with its copies under URLs that clients can read', async () => {
    const content = await createImage(800, 600);
    const record = await uploadOne(site, { name: 'sea.png', content, type: 'image/png' });
    expect(record).toMatchObject({ provider: 's3', width: 800, height: 600 });
    const urls = [record.url, ...Object.values(record.formats ?? {}).map(({ url }) => url)];
    expect(urls.every((url) => url.startsWith('https://files.example.com/media/'))).toBe(true);
    expect(await store.keys()).toEqual(urls.map(keyOf).toSorted());
    const stored = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: keyOf(record.url) }));
    expect(Buffer.from((await stored.Body?.transformToByteArray()) ?? []).equals(content)).toBe(true);
    expect([stored.ContentType, stored.ContentDisposition, stored.CacheControl]).toEqual([
      'image/png',
      'inline',
      'public, max-age=31536000, immutable',
    ]);
    expect(await storedFiles(site)).toEqual([]);
    expect((await call(site, 'DELETE', `/api/upload/files/${record.id}`)).status).toBe(200);
    expect(await store.keys()).toEqual([]);
    expect((await readUploadState(site)).outboxEntries).toBe(0);
  });

  it('makes the copies of an image anew, from what it has stored', async () => {
    const content = await createImage(800, 600);
    const record = await uploadOne(site, { name: 'anew.png', content, type: 'image/png' });
    const opened = await openProjectDatabase(site.project);
    const { media } = await readMediaStores(opened);
    expect(await media.maintenance.regenerate(record.id)).toBe('regenerated');
    expect(await media.maintenance.findStrays()).toBeNull();
    const [now] = await media.find({ filters: { id: { $eq: record.id } } });
    await opened.close();
    expect(now?.url).toBe(record.url);
    const formats = (now?.['formats'] ?? {}) as NonNullable<typeof record.formats>;
    expect(Object.keys(formats)).toEqual(Object.keys(record.formats ?? {}));
    const urls = [record.url, ...Object.values(formats).map(({ url }) => url)];
    expect(await store.keys()).toEqual(urls.map(keyOf).toSorted());
    expect(formats).not.toEqual(record.formats);
    await call(site, 'DELETE', `/api/upload/files/${record.id}`);
    expect(await store.keys()).toEqual([]);
  });

  it('stores active content as a download', async () => {
    const record = await uploadOne(site, {
      name: 'a.html',
      content: '<!DOCTYPE html><script>alert(1)</script>',
    });
    const head = await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: keyOf(record.url) }));
    expect([head.ContentType, head.ContentDisposition]).toEqual(['text/plain; charset=utf-8', 'attachment']);
    await call(site, 'DELETE', `/api/upload/files/${record.id}`);
  });

  it('stores files that are larger than one part', async () => {
    const content = Buffer.alloc(12_000_000, 'large file ');
    const record = await uploadOne(site, { name: 'large.txt', content });
    const stored = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: keyOf(record.url) }));
    expect(Buffer.from((await stored.Body?.transformToByteArray()) ?? []).equals(content)).toBe(true);
    await call(site, 'DELETE', `/api/upload/files/${record.id}`);
  });

  it('replaces a stored file', async () => {
    const old = await uploadOne(site, { name: 'a.txt', content: 'old' });
    const { status, body } = await send(site, [{ name: 'b.txt', content: 'new' }], {}, `?id=${old.id}`);
    expect(status).toBe(200);
    expect(await store.keys()).toEqual([keyOf((body as { url: string }).url)]);
    await call(site, 'DELETE', `/api/upload/files/${old.id}`);
    expect(await store.keys()).toEqual([]);
  });

  it('responds with 503 and keeps nothing while the store is unavailable', async () => {
    const before = await readUploadState(site);
    await store.stop();
    const { status, body } = await send(site, [{ name: 'a.txt', content: 'a' }]);
    expect([status, body]).toMatchObject([503, { error: { name: 'ServiceUnavailableError' } }]);
    const after = await readUploadState(site);
    expect([after.files, after.rows]).toEqual([before.files, before.rows]);
    // Whether the store has the object is unknown, so the outbox entry stays for the next sweep.
    expect(after.outboxEntries).toBe(before.outboxEntries + 1);
    expect(
      (await get(site, '/api/upload/files', { authorization: `Bearer ${site.tokens['full']}` })).status,
    ).toBe(200);
  });
});
