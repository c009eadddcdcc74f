import { createReadStream } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseFault } from '../../../src/database/database-fault.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import { createMediaLibrary } from '../../../src/media/create-media-library.js';
import type { IncomingFile, MediaLibrary } from '../../../src/media/media.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { traces, uploadOne } from './support/client.js';

const HOUR = 60 * 60 * 1000;

const incoming = (name: string, content: string): IncomingFile => ({ name, type: 'text/plain', content: Readable.from([content]), isCut: () => false });

describe.each(databases)('files and rows together, on $name', (database) => {
  let site: Site;
  let clean: Awaited<ReturnType<typeof traces>>;
  const errors: unknown[] = [];
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    errors.length = 0;
    clean = await traces(site);
  });

  /** A library over the site's database, or over one that behaves otherwise. */
  const open = (over: Partial<Database> = {}): Promise<MediaLibrary> =>
    createMediaLibrary({ database: { ...site.server.app.database, ...over }, model: site.project.model, config: site.project.config.upload, onError: (error) => errors.push(error) });

  const keepOne = async (media: MediaLibrary): Promise<readonly number[]> => {
    const intake = await media.openIntake();
    try {
      await intake.receive(incoming('a.txt', 'hello'));
      return await intake.keep([{}]);
    } finally {
      await intake.discard();
    }
  };

  /** Runs the work of the `nth` transaction, then fails as a database would. */
  const failingAt = (nth: number, after = false): Pick<Database, 'transact'> => {
    let count = 0;
    const { transact } = site.server.app.database;
    return {
      transact: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
        count += 1;
        if (count !== nth) return transact(work);
        if (!after) return transact(async (tx) => {
          await work(tx);
          throw new Error('the connection broke');
        });
        await transact(work);
        throw new Error('the connection broke after the commit');
      },
    };
  };

  it('keeps no file whose row cannot be written', async () => {
    // The first look for leftovers is one transaction, the note the second, the rows the third.
    const media = await open(failingAt(3));
    await expect(keepOne(media)).rejects.toThrow('the connection broke');
    expect(await traces(site)).toEqual(clean);
    await media.close();
  });

  it('stores no file that could not be noted', async () => {
    const media = await open(failingAt(2));
    await expect(keepOne(media)).rejects.toThrow('the connection broke');
    expect(await traces(site)).toEqual(clean);
    await media.close();
  });

  it('keeps the file where the answer of a commit was lost, since its row is there', async () => {
    const media = await open(failingAt(3, true));
    await expect(keepOne(media)).rejects.toThrow('after the commit');
    const now = await traces(site);
    expect([now.files.length, now.rows, now.notes]).toEqual([clean.files.length + 1, clean.rows + 2, 0]);
    await media.close();
  });

  it('asks to try again where the database is busy, and keeps nothing', async () => {
    const { transact } = site.server.app.database;
    let count = 0;
    const media = await open({
      transact: async (work) => {
        count += 1;
        if (count === 3) throw new DatabaseFault({ kind: 'retry' }, new Error('busy'));
        return transact(work);
      },
    });
    await expect(keepOne(media)).rejects.toMatchObject({ code: 'server/unavailable' });
    expect(await traces(site)).toEqual(clean);
    await media.close();
  });

  it('keeps neither where a file cannot be put in its place', async () => {
    const media = await open();
    const intake = await media.openIntake();
    await intake.receive(incoming('a.txt', 'one'));
    await intake.receive(incoming('b.txt', 'two'));
    await rm(join(site.project.config.upload.directory, '.incoming'), { recursive: true });
    await expect(intake.keep([{}, {}])).rejects.toThrow('ENOENT');
    await intake.discard();
    expect(await traces(site)).toEqual(clean);
    await media.close();
  });

  it('removes what a process left that ended between file and row, and nothing younger', async () => {
    const { directory } = site.project.config.upload;
    const note = (name: string, at: number) => ({ key: `upload:${name}`, value: JSON.stringify({ provider: 'local', keys: [`${name}.txt`, `thumbnail_${name}.txt`], at, mark: name }) });
    await mkdir(join(directory, '.incoming', 'request-old'), { recursive: true });
    await writeFile(join(directory, '.incoming', 'request-old', 'half'), 'half');
    await utimes(join(directory, '.incoming', 'request-old'), new Date(0), new Date(0));
    for (const name of ['dead', 'young']) await writeFile(join(directory, `${name}.txt`), name);
    await site.server.app.database.transact(async (tx) => {
      await tx.model('SystemState').create({ data: note('dead', Date.now() - 2 * HOUR) });
      await tx.model('SystemState').create({ data: note('young', Date.now()) });
    });
    await site.server.app.media.sweep();
    const left = await traces(site);
    expect(left.files.filter((path) => !clean.files.includes(path))).toEqual([join(directory, 'young.txt')]);
    expect(left.notes).toBe(1);
    await site.server.app.database.transact((tx) => tx.model('SystemState').deleteMany({ where: { key: 'upload:young' } }));
    await rm(join(directory, 'young.txt'));
    expect(await traces(site)).toEqual(clean);
    expect(site.log).toEqual([]);
  });

  it('lets an upload fail whose files were given up meanwhile', async () => {
    const { transact } = site.server.app.database;
    let count = 0;
    const media = await open({
      transact: async (work) => {
        count += 1;
        if (count === 3) await transact((tx) => tx.model('SystemState').updateMany({ where: { key: { startsWith: 'upload:' } }, data: { value: JSON.stringify({ provider: 'local', keys: [], at: 0 }) } }));
        return transact(work);
      },
    });
    await expect(keepOne(media)).rejects.toMatchObject({ code: 'upload/overtaken' });
    expect((await traces(site)).rows).toBe(clean.rows);
    await transact((tx) => tx.model('SystemState').deleteMany({ where: { key: { startsWith: 'upload:' } } }));
    await media.close();
  });

  it('removes a deleted file later where it cannot now', async () => {
    const { id, url } = await uploadOne(site, { name: 'later.txt', content: 'l' });
    const path = join(site.project.config.upload.directory, url.slice('/uploads/'.length));
    await rm(path);
    await mkdir(join(path, 'in the way'), { recursive: true });
    const media = await open();
    expect(await media.remove(id)).toBe(true);
    expect(errors).toHaveLength(1);
    expect((await traces(site)).notes).toBe(1);
    await rm(path, { recursive: true });
    await site.server.app.database.transact(async (tx) => {
      const [row] = await tx.model('SystemState').findMany({ where: { key: { startsWith: 'upload:' } } });
      const value = JSON.stringify({ ...(JSON.parse(String(row?.['value'])) as object), at: Date.now() - 2 * HOUR });
      await tx.model('SystemState').updateMany({ where: { key: { startsWith: 'upload:' } }, data: { value } });
    });
    await media.sweep();
    expect((await traces(site)).notes).toBe(0);
    await media.close();
  });

  it('keeps a hundred uploads at once', async () => {
    const records = await Promise.all(Array.from({ length: 100 }, (_value, index) => uploadOne(site, { name: 'same.txt', content: `content ${index}` })));
    expect(new Set(records.map(({ url }) => url)).size).toBe(100);
    const now = await traces(site);
    expect([now.files.length - clean.files.length, now.rows - clean.rows, now.notes]).toEqual([100, 200, 0]);
    const path = join(site.project.config.upload.directory, records[42]?.url.slice('/uploads/'.length) ?? '');
    const [chunk] = await createReadStream(path, 'utf8').toArray() as readonly string[];
    expect(chunk).toBe('content 42');
  });
});
