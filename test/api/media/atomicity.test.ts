import { createReadStream } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseError } from '../../../src/database/database-error.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import { createMediaLibrary } from '../../../src/media/create-media-library.js';
import type { IncomingFile, MediaLibrary } from '../../../src/media/media.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { readUploadState, uploadOne } from './support/client.js';

const HOUR = 60 * 60 * 1000;

const incomingFile = (name: string, content: string): IncomingFile => ({
  name,
  type: 'text/plain',
  content: Readable.from([content]),
  isTruncated: () => false,
});

describe.each(databases)('consistency of files and rows on $name', (database) => {
  let site: Site;
  let initialState: Awaited<ReturnType<typeof readUploadState>>;
  const errors: unknown[] = [];
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    errors.length = 0;
    initialState = await readUploadState(site);
  });

  /** Opens a media library on the site's database, with some of its functions replaced. */
  const open = (overrides: Partial<Database> = {}): Promise<MediaLibrary> =>
    createMediaLibrary({
      database: { ...site.server.app.database, ...overrides },
      model: site.project.model,
      config: site.project.config.upload,
      onError: (error) => errors.push(error),
    });

  const uploadOneFile = async (media: MediaLibrary): Promise<readonly number[]> => {
    const session = await media.openUploadSession();
    try {
      await session.receive(incomingFile('a.txt', 'hello'));
      return await session.commit([{}]);
    } finally {
      await session.discard();
    }
  };

  /** Runs the work of the `nth` transaction and then fails like a database. */
  const failingAt = (nth: number, after = false): Pick<Database, 'transact'> => {
    let count = 0;
    const { transact } = site.server.app.database;
    return {
      transact: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
        count += 1;
        if (count !== nth) return transact(work);
        if (!after)
          return transact(async (tx) => {
            await work(tx);
            throw new Error('the connection broke');
          });
        await transact(work);
        throw new Error('the connection broke after the commit');
      },
    };
  };

  it('keeps no file whose row cannot be written', async () => {
    // The first transaction looks for leftovers, the second writes the outbox entry, the third the rows.
    const media = await open(failingAt(3));
    await expect(uploadOneFile(media)).rejects.toThrow('the connection broke');
    expect(await readUploadState(site)).toEqual(initialState);
    await media.close();
  });

  it('stores no file without an outbox entry', async () => {
    const media = await open(failingAt(2));
    await expect(uploadOneFile(media)).rejects.toThrow('the connection broke');
    expect(await readUploadState(site)).toEqual(initialState);
    await media.close();
  });

  it('keeps the file if the result of the commit was lost, since its row exists', async () => {
    const media = await open(failingAt(3, true));
    await expect(uploadOneFile(media)).rejects.toThrow('after the commit');
    const state = await readUploadState(site);
    expect([state.files.length, state.rows, state.outboxEntries]).toEqual([
      initialState.files.length + 1,
      initialState.rows + 2,
      0,
    ]);
    await media.close();
  });

  it('responds with 503 if the database is busy, and keeps nothing', async () => {
    const { transact } = site.server.app.database;
    let count = 0;
    const media = await open({
      transact: async (work) => {
        count += 1;
        if (count === 3) throw new DatabaseError({ kind: 'retry' }, new Error('busy'));
        return transact(work);
      },
    });
    await expect(uploadOneFile(media)).rejects.toMatchObject({ code: 'server/unavailable' });
    expect(await readUploadState(site)).toEqual(initialState);
    await media.close();
  });

  it('keeps neither if storing a file fails', async () => {
    const media = await open();
    const session = await media.openUploadSession();
    await session.receive(incomingFile('a.txt', 'one'));
    await session.receive(incomingFile('b.txt', 'two'));
    await rm(join(site.project.config.upload.directory, '.incoming'), { recursive: true });
    await expect(session.commit([{}, {}])).rejects.toThrow('ENOENT');
    await session.discard();
    expect(await readUploadState(site)).toEqual(initialState);
    await media.close();
  });

  it('removes leftovers of a process that ended between file and row, and nothing newer', async () => {
    const { directory } = site.project.config.upload;
    const outboxEntry = (name: string, at: number) => ({
      key: `upload:${name}`,
      value: JSON.stringify({
        provider: 'local',
        keys: [`${name}.txt`, `thumbnail_${name}.txt`],
        at,
        mark: name,
      }),
    });
    await mkdir(join(directory, '.incoming', 'request-old'), { recursive: true });
    await writeFile(join(directory, '.incoming', 'request-old', 'half'), 'half');
    await utimes(join(directory, '.incoming', 'request-old'), new Date(0), new Date(0));
    for (const name of ['dead', 'young']) await writeFile(join(directory, `${name}.txt`), name);
    await site.server.app.database.transact(async (tx) => {
      await tx.model('SystemState').create({ data: outboxEntry('dead', Date.now() - 2 * HOUR) });
      await tx.model('SystemState').create({ data: outboxEntry('young', Date.now()) });
    });
    await site.server.app.media.sweep();
    const remaining = await readUploadState(site);
    expect(remaining.files.filter((path) => !initialState.files.includes(path))).toEqual([
      join(directory, 'young.txt'),
    ]);
    expect(remaining.outboxEntries).toBe(1);
    await site.server.app.database.transact((tx) =>
      tx.model('SystemState').deleteMany({ where: { key: 'upload:young' } }),
    );
    await rm(join(directory, 'young.txt'));
    expect(await readUploadState(site)).toEqual(initialState);
    expect(site.log).toEqual([]);
  });

  it('rejects an upload whose outbox entry a sweep has claimed', async () => {
    const { transact } = site.server.app.database;
    let count = 0;
    const media = await open({
      transact: async (work) => {
        count += 1;
        if (count === 3)
          await transact((tx) =>
            tx.model('SystemState').updateMany({
              where: { key: { startsWith: 'upload:' } },
              data: { value: JSON.stringify({ provider: 'local', keys: [], at: 0 }) },
            }),
          );
        return transact(work);
      },
    });
    await expect(uploadOneFile(media)).rejects.toMatchObject({ code: 'upload/timed-out' });
    expect((await readUploadState(site)).rows).toBe(initialState.rows);
    await transact((tx) => tx.model('SystemState').deleteMany({ where: { key: { startsWith: 'upload:' } } }));
    await media.close();
  });

  it('removes a deleted file later if the store fails', async () => {
    const { id, url } = await uploadOne(site, { name: 'later.txt', content: 'l' });
    const path = join(site.project.config.upload.directory, url.slice('/uploads/'.length));
    await rm(path);
    await mkdir(join(path, 'in the way'), { recursive: true });
    const media = await open();
    expect(await media.remove(id)).toBe(true);
    expect(errors).toHaveLength(1);
    expect((await readUploadState(site)).outboxEntries).toBe(1);
    await rm(path, { recursive: true });
    await site.server.app.database.transact(async (tx) => {
      const [row] = await tx.model('SystemState').findMany({ where: { key: { startsWith: 'upload:' } } });
      const value = JSON.stringify({
        ...(JSON.parse(String(row?.['value'])) as object),
        at: Date.now() - 2 * HOUR,
      });
      await tx
        .model('SystemState')
        .updateMany({ where: { key: { startsWith: 'upload:' } }, data: { value } });
    });
    await media.sweep();
    expect((await readUploadState(site)).outboxEntries).toBe(0);
    await media.close();
  });

  it('stores a hundred simultaneous uploads', async () => {
    const records = await Promise.all(
      Array.from({ length: 100 }, (_value, index) =>
        uploadOne(site, { name: 'same.txt', content: `content ${index}` }),
      ),
    );
    expect(new Set(records.map(({ url }) => url)).size).toBe(100);
    const state = await readUploadState(site);
    expect([
      state.files.length - initialState.files.length,
      state.rows - initialState.rows,
      state.outboxEntries,
    ]).toEqual([100, 200, 0]);
    const path = join(site.project.config.upload.directory, records[42]?.url.slice('/uploads/'.length) ?? '');
    const [chunk] = (await createReadStream(path, 'utf8').toArray()) as readonly string[];
    expect(chunk).toBe('content 42');
  });
});
