import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import { createActors, PROJECT_CODE } from '../../../../src/documents/log/actors.js';
import type { Actor } from '../../../../src/documents/log/actors.js';
import { listLog } from '../../../../src/documents/log/read-log.js';
import type { LogFilter, LoggedEntry } from '../../../../src/documents/log/read-log.js';
import { createWriteLog, MAX_REJECTIONS, recordWrites } from '../../../../src/documents/log/write-log.js';
import type { WriteLog } from '../../../../src/documents/log/write-log.js';
import { DAY_MS, MINUTE_MS } from '../../../../src/lib/units.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { OPERATIONS } from '../random/commands.js';
import { RandomTestHarness } from '../random/harness.js';
import { PROJECT } from '../random/project.js';
import { createApi, uidOf } from '../service.js';
import type { Api } from '../service.js';

const ON = { days: 90, rows: 1_000_000, addresses: true };
const ADA: Actor = {
  kind: 'user',
  who: 'ada',
  whoId: 'u1',
  via: 'rest',
  source: null,
  address: '192.0.2.1',
};

const MODEL = {
  types: {
    note: {
      attributes: {
        title: { type: 'string', unique: true },
        secret: { type: 'string', private: true },
        password: { type: 'password' },
      },
    },
  },
} as const;

type Written = Pick<LoggedEntry, 'action' | 'type' | 'documentId' | 'locale'>;

const writtenOf = ({ action, type, documentId, locale }: LoggedEntry): Written => ({
  action,
  type,
  documentId,
  locale,
});

/** A service whose writes are logged, and the list of those that it has acknowledged. */
const openLogged = (environment: TestEnvironment, log: WriteLog) => {
  const { model } = environment;
  const acknowledged: Written[] = [];
  const open: typeof createApi = (opened, dependencies) => {
    const hooks = createDocumentHooks({ onError: () => undefined });
    recordWrites({ log, model, hooks });
    const api = createApi(opened, { ...dependencies, hooks });
    const noteWrite = (action: string, name: string, documentId: string, locale?: string): void => {
      const type = uidOf(environment, name);
      const isLocalized = model.typesByUid[type]?.localized === true && locale !== '*';
      acknowledged.push({ action, type, documentId, locale: isLocalized ? (locale ?? 'en') : null });
    };
    return {
      ...api,
      create: async (name, data, params) => {
        const created = await api.create(name, data, params);
        noteWrite('create', name, created.documentId, params?.locale);
        return created;
      },
      update: async (name, documentId, data, params) => {
        const updated = await api.update(name, documentId, data, params);
        if (updated !== null) noteWrite('update', name, documentId, params?.locale);
        return updated;
      },
      remove: async (name, documentId, locale) => {
        const isRemoved = await api.remove(name, documentId, locale);
        if (isRemoved) noteWrite('delete', name, documentId, locale);
        return isRemoved;
      },
      act: async (action, name, documentId, params) => {
        const written = await api.act(action, name, documentId, params);
        if (written !== null) noteWrite(action, name, documentId, params?.locale);
        return written;
      },
    };
  };
  return { open, acknowledged };
};

describe.each(databases)('the log on $name', (database) => {
  let environment: TestEnvironment;
  let now = 0;
  const actors = createActors(PROJECT_CODE);
  const createLog = (settings: Partial<typeof ON> = {}): WriteLog =>
    createWriteLog(environment.database, { ...ON, ...settings }, { actors, now: () => now });
  const list = (filter: Partial<LogFilter> = {}) => listLog(environment.database, { limit: 1000, ...filter });
  const add = (log: WriteLog, ...actions: readonly string[]) =>
    environment.database.transact((tx) =>
      log.record(
        tx,
        actions.map((action) => ({ action })),
      ),
    );

  beforeAll(async () => {
    environment = await createTestEnvironment({ model: MODEL, database });
  });
  afterAll(() => environment.close());
  beforeEach(async () => {
    now = Date.parse('2026-03-01T00:00:00.000Z');
    await environment.database.transact((tx) => tx.execute('DELETE FROM "cms_log"', []));
  });

  const openNotes = (log: WriteLog): Api => openLogged(environment, log).open(environment);

  it('has the actor, the names of the written attributes, and no values', async () => {
    const notes = openNotes(createLog());
    const data = { title: 'Plain-value', secret: 'Secret-value', password: 'Password-value' };
    const { documentId } = await actors.run(ADA, () => notes.create('note', data));
    const [entry] = await list();
    expect(entry).toMatchObject({
      ...ADA,
      at: new Date(now).toISOString(),
      action: 'create',
      type: uidOf(environment, 'note'),
      documentId,
      locale: null,
      status: 'published',
      attributes: ['title', 'secret', 'password'],
    });
    const rows = await environment.database.transact((tx) => tx.query('SELECT * FROM "cms_log"', []));
    expect(JSON.stringify(rows)).not.toMatch(/-value/);
  });

  it('has no row of a write that fails', async () => {
    const notes = openNotes(createLog());
    await notes.create('note', { title: 'taken' });
    await expect(notes.create('note', { title: 'taken' })).rejects.toThrow();
    await expect(
      environment.database.transact((tx) =>
        environment.database.join(tx, async () => {
          await notes.create('note', { title: 'rolled back' });
          throw new Error('rolled back');
        }),
      ),
    ).rejects.toThrow('rolled back');
    expect((await list()).map(({ action }) => action)).toEqual(['create']);
  });

  it('has one row for each document of a bulk, and none of items that fail', async () => {
    const { documents } = openNotes(createLog());
    const type = uidOf(environment, 'note');
    const selection = { fields: ['documentId'], populate: [] };
    const titles = [...Array.from({ length: 120 }, (_, index) => `note ${index}`), 'note 7'];
    const outcomes = await documents.bulk({
      items: titles.map((title) => ({ action: 'create', params: { type, data: { title }, selection } })),
      atomic: false,
    });
    const written = outcomes.flatMap((outcome) => ('documentId' in outcome ? [outcome.documentId] : []));
    expect(written).toHaveLength(120);
    const logged = (await list()).map(({ documentId }) => String(documentId));
    expect(logged.toSorted()).toEqual(written.toSorted());
  });

  it('has every write of concurrent callers under the right name', async () => {
    const notes = openNotes(createLog());
    const created = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const who = `user ${index}`;
        const { documentId } = await actors.run({ ...ADA, who }, () =>
          notes.create('note', { title: `concurrent ${index}` }),
        );
        return { who, documentId };
      }),
    );
    const logged = (await list()).map(({ who, documentId }) => ({ who, documentId }));
    expect(logged).toHaveLength(20);
    expect(logged).toEqual(expect.arrayContaining(created));
    expect(actors.current()).toBe(PROJECT_CODE);
  });

  it('filters, and continues a page by the id of its last row', async () => {
    const log = createLog();
    await actors.run(ADA, () => add(log, 'one', 'two'));
    now += MINUTE_MS;
    await add(log, 'three');
    expect((await list({ who: 'ada' })).map(({ action }) => action)).toEqual(['two', 'one']);
    expect((await list({ who: 'u1', action: 'one' })).map(({ action }) => action)).toEqual(['one']);
    expect((await list({ who: 'code' })).map(({ action }) => action)).toEqual(['three']);
    expect((await list({ since: now })).map(({ action }) => action)).toEqual(['three']);
    const [latest] = await list({ limit: 1 });
    expect((await list({ before: latest?.id ?? 0 })).map(({ action }) => action)).toEqual(['two', 'one']);
    const [oldest] = (await list()).toReversed();
    expect((await list({ after: oldest?.id ?? 0 })).map(({ action }) => action)).toEqual(['two', 'three']);
  });

  it('loses rows by age and by number, the oldest first', async () => {
    const log = createLog({ days: 2, rows: 3 });
    await add(log, 'old');
    now += 3 * DAY_MS;
    await add(log, 'a', 'b');
    await log.sweep();
    expect((await list()).map(({ action }) => action)).toEqual(['b', 'a']);
    await add(log, 'c', 'd');
    await log.sweep();
    expect((await list()).map(({ action }) => action)).toEqual(['d', 'c', 'b']);
    now += 3 * DAY_MS;
    await log.sweep();
    expect(await list()).toEqual([]);
    await log.sweep();
  });

  it.each([{ days: 0 }, { rows: 0 }])('is off with %o', async (settings) => {
    const log = createLog(settings);
    const notes = openNotes(log);
    await notes.create('note', { title: `off ${JSON.stringify(settings)}` });
    await add(log, 'off');
    await log.reject({ action: 'rejected' });
    expect(await list()).toEqual([]);
  });

  it('has no addresses if the settings say so', async () => {
    const log = createLog({ addresses: false });
    await actors.run(ADA, () => add(log, 'one'));
    expect(await list()).toMatchObject([{ who: 'ada', address: null }]);
  });

  it('bounds the rows of rejected attempts, and counts the others', async () => {
    const log = createLog();
    for (let index = 0; index < MAX_REJECTIONS + 25; index += 1)
      await log.reject({ action: 'rejected' }, ADA);
    expect(await list()).toHaveLength(MAX_REJECTIONS);
    now += MINUTE_MS;
    await log.reject({ action: 'rejected' }, ADA);
    const [last, more] = await list();
    expect([last, more]).toMatchObject([
      { action: 'rejected' },
      { action: 'rejected-more', details: { attempts: 25 } },
    ]);
    expect(await list()).toHaveLength(MAX_REJECTIONS + 2);
  });
});

describe.each(databases)('the log of random operations on $name', (database) => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await createTestEnvironment({ model: PROJECT, database });
  });
  afterAll(() => environment.close());

  it('has exactly the writes that were acknowledged', { retry: 0, timeout: 240_000 }, async () => {
    const log = createWriteLog(environment.database, ON);
    let checked = 0;
    const property = fc.asyncProperty(
      fc.commands(OPERATIONS, { maxCommands: 40, size: 'max' }),
      async (run) => {
        const { open, acknowledged } = openLogged(environment, log);
        const harness = new RandomTestHarness(environment, open);
        await harness.clear();
        await environment.database.transact((tx) => tx.execute('DELETE FROM "cms_log"', []));
        await fc.asyncModelRun(() => ({ model: harness, real: harness }), run);
        const logged = await listLog(environment.database, { limit: 1000 });
        expect(logged.map(writtenOf).toReversed()).toEqual(acknowledged);
        checked += acknowledged.length;
      },
    );
    await fc.assert(property, { seed: 1, numRuns: 4 });
    expect(checked).toBeGreaterThan(20);
  });
});
