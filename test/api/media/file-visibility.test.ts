import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hiddenObjectsIn } from '../../../src/media/providers.js';
import { startServer } from '../../../src/project/serve/start-server.js';
import type { RunningServer } from '../../../src/project/serve/start-server.js';
import { FILE_UID } from '../../../src/model/content-types/builtin-types.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, createImage, readUploadState, send, uploadOne } from './support/client.js';
import type { FileRecord } from './support/client.js';

const objectUrls = ({ url, formats }: FileRecord): readonly string[] => [
  url,
  ...Object.values(formats ?? {}).map((format) => format.url),
];

describe.each(databases)('files in the trash on $name', (database) => {
  let site: Site;
  let other: RunningServer;
  let image: Buffer;
  let file: FileRecord;
  const hidden = () => hiddenObjectsIn(site.project.config.upload.directory);
  const hiddenNames = async () => (await hidden().list()).map(({ name }) => name).toSorted();
  const namesOf = (record: FileRecord) =>
    objectUrls(record)
      .map((url) => basename(url))
      .toSorted();

  beforeAll(async () => {
    const upload = { transforms: { sizes: [64] } };
    site = await createSite({ project: 'magazine', database, config: { upload } });
    image = await createImage(800, 600);
    const overrides = { host: '127.0.0.1', port: 0 };
    other = await startServer(site.root, { overrides, logger: createLogger({ level: 'silent' }) });
  });
  afterAll(async () => {
    await other.close();
    await site.close();
  });
  beforeEach(async () => {
    await site.server.app.documents.trash.purge({});
    file = await uploadOne(site, { name: 'plan.png', content: image });
  });

  /** Returns the distinct statuses of a file, its formats and a transformed copy on both servers. */
  const statuses = async (record = file): Promise<readonly number[]> => {
    const urls = [...objectUrls(record), `${record.url}?width=64`];
    const paths = [site.server.url, other.url].flatMap((base) => urls.map((url) => `${base}${url}`));
    const responses = await Promise.all(paths.map((url) => fetch(url)));
    await Promise.all(responses.map((response) => response.arrayBuffer()));
    return [...new Set(responses.map(({ status }) => status))];
  };
  const read = async ({ url }: FileRecord): Promise<Buffer> =>
    Buffer.from(await (await fetch(`${site.server.url}${url}`)).arrayBuffer());
  const remove = async ({ id }: FileRecord): Promise<void> => {
    expect((await call(site, 'DELETE', `/api/upload/files/${id}`)).status).toBe(200);
  };
  const restore = async (server: RunningServer = site.server): Promise<void> => {
    const [entry] = await server.app.documents.trash.list({ types: [FILE_UID], limit: 1 });
    expect(await server.app.documents.trash.restore({ id: entry?.id ?? 0 })).toMatchObject({ omitted: [] });
  };

  it('are served by no server until they are restored', async () => {
    expect(objectUrls(file).length).toBeGreaterThan(2);
    expect(await statuses()).toEqual([200]);
    await remove(file);
    expect(await statuses()).toEqual([404]);
    expect(await hiddenNames()).toEqual(namesOf(file));
    const [object] = await hidden().list();
    const path = object?.path.slice(site.project.config.upload.directory.length) ?? '';
    expect((await fetch(`${site.server.url}/uploads${path}`)).status).toBe(404);
    await site.server.app.media.sweep();
    expect(await statuses()).toEqual([404]);
    await restore(other);
    expect(await statuses()).toEqual([200]);
    expect(await read(file)).toEqual(image);
    expect(await hiddenNames()).toEqual([]);
  });

  it('are removed from the store when they are purged', async () => {
    await remove(file);
    expect(await site.server.app.media.findStrays()).toEqual([]);
    expect(await site.server.app.documents.trash.purge({})).toBe(1);
    expect(await hiddenNames()).toEqual([]);
    const { files } = await readUploadState(site);
    expect(files.filter((path) => namesOf(file).includes(basename(path)))).toEqual([]);
    expect(await statuses()).toEqual([404]);
  });

  it('are hidden by the next sweep if the process ended after the commit', async () => {
    await remove(file);
    await hidden().show(basename(file.url));
    expect(await statuses()).toEqual([200, 404]);
    await site.server.app.media.sweep();
    expect(await statuses()).toEqual([404]);
    for (const name of namesOf(file)) await hidden().show(name);
    await other.app.media.sweep();
    expect(await statuses()).toEqual([404]);
    expect(await hiddenNames()).toEqual(namesOf(file));
  });

  it('are served by the next sweep if the process ended after the restoration', async () => {
    await remove(file);
    await restore();
    for (const name of namesOf(file)) await hidden().hide(name);
    expect(await statuses()).toEqual([404]);
    await other.app.media.sweep();
    expect(await statuses()).toEqual([200]);
    await hidden().hide(basename(file.url));
    expect(await statuses()).toEqual([404, 200]);
    await site.server.app.media.sweep();
    expect(await statuses()).toEqual([200]);
    expect(await read(file)).toEqual(image);
  });

  it('are hidden with their former addresses if their content was replaced', async () => {
    const replaced = await send(
      site,
      [{ name: 'plan.png', content: await createImage(640, 480) }],
      {},
      `?id=${file.id}`,
    );
    expect(replaced.status).toBe(200);
    const current = replaced.body as FileRecord;
    expect(current.url).not.toBe(file.url);
    await remove(current);
    expect(await statuses(current)).toEqual([404]);
    expect(await statuses()).toEqual([404]);
    await restore();
    expect(await statuses(current)).toEqual([200]);
    expect(await read(file)).toEqual(await read(current));
  });

  it('become strays if the trash loses them, and prune removes them', async () => {
    const { media, database: opened } = site.server.app;
    await remove(file);
    await opened.transact((tx) => tx.execute('DELETE FROM "cms_trash"', []));
    await media.sweep();
    expect(await statuses()).toEqual([404]);
    const strays = (await media.findStrays())?.map(({ name }) => name) ?? [];
    expect(strays.toSorted()).toEqual(namesOf(file));
    await media.removeStrays(strays);
    expect(await hiddenNames()).toEqual([]);
  });

  it('are hidden by a sweep if the store fails during the deletion', async () => {
    const trash = join(site.project.config.upload.directory, '.trash');
    await rm(trash, { recursive: true, force: true });
    await writeFile(trash, 'in the way');
    await remove(file);
    expect(site.log.join('')).toContain('A background task failed');
    await rm(trash);
    await site.server.app.media.sweep();
    expect(await statuses()).toEqual([404]);
    await restore();
    expect(await read(file)).toEqual(image);
  });

  it('keep the objects that the same document uses again when they are purged', async () => {
    const { media, documents } = site.server.app;
    await remove(file);
    const session = await media.openUploadSession();
    const { documentId, hash } = file;
    await session.receive({
      name: 'plan.png',
      type: 'image/png',
      content: Readable.from([image]),
      isTruncated: () => false,
      identity: { documentId, hash },
    });
    await session.commit([{}]);
    await session.discard();
    await media.sweep();
    expect(await statuses()).toEqual([200]);
    expect(await documents.trash.purge({})).toBe(1);
    expect(await statuses()).toEqual([200]);
    expect(await read(file)).toEqual(image);
    expect(await hiddenNames()).toEqual([]);
  });

  it('survive concurrent deletions and restorations', async () => {
    const files = await Promise.all(
      Array.from({ length: 6 }, (_, index) => uploadOne(site, { name: `${index}.txt`, content: `${index}` })),
    );
    await Promise.all(files.map((each) => remove(each)));
    const entries = await site.server.app.documents.trash.list({ types: [FILE_UID], limit: 10 });
    await Promise.all(
      entries.map(async ({ id }, index) => {
        const server = index % 2 === 0 ? site.server : other;
        await server.app.documents.trash.restore({ id });
        await server.app.media.sweep();
      }),
    );
    for (const [index, each] of files.entries()) expect((await read(each)).toString()).toBe(`${index}`);
    expect(await hiddenNames()).toEqual([]);
  });
});
