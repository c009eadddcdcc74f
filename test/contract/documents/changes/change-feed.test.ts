import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeServerState } from '../../../../src/database/server-state.js';
import {
  announceChanges,
  announceReset,
  createTagDemand,
} from '../../../../src/documents/changes/announce-changes.js';
import { createChangeFeed } from '../../../../src/documents/changes/change-feed.js';
import type { ChangeFeed } from '../../../../src/documents/changes/change-feed.js';
import { parsePosition, printPosition } from '../../../../src/documents/changes/change-log.js';
import { loadListeners } from '../../../../src/documents/changes/leases.js';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import { HOUR_MS } from '../../../../src/lib/units.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, watchDatabase } from '../service.js';
import type { Api, WatchedDatabase } from '../service.js';

const HOURS = 2;
const MODEL = { types: { note: { attributes: { title: { type: 'string' } } } } } as const;

const createGate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

describe.each(databases)('the log of changes on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  let watched: WatchedDatabase;
  let received: string[];
  let gaps: number;
  const feeds: ChangeFeed[] = [];
  const listener = {
    onChange: ({ action, documentId }: { readonly action: string; readonly documentId: string }) =>
      void received.push(`${action} ${documentId}`),
    onGap: () => void (gaps += 1),
  };
  const openFeed = (): ChangeFeed => {
    const { model, database: opened } = environment;
    const onError = (error: unknown): void => {
      throw error;
    };
    const hooks = { after: () => undefined };
    const feed = createChangeFeed({ database: opened, model, hooks, hours: HOURS, onError });
    feeds.push(feed);
    return feed;
  };
  const countRows = (): Promise<number> =>
    environment.database.readNumber('select count(*) from cms_changes', []);
  const run = (sql: string): Promise<number> => environment.database.transact((tx) => tx.execute(sql, []));

  beforeEach(async () => {
    environment = await createTestEnvironment({ model: MODEL, database });
    const { model, database: opened } = environment;
    const hooks = createDocumentHooks({ onError: () => undefined });
    const tags = { locales: () => ['en'], listeners: [], demand: createTagDemand() };
    announceChanges({ database: opened, model, hooks, tags });
    watched = watchDatabase(opened);
    api = createApi({ model, database: watched.database }, { hooks });
    received = [];
    gaps = 0;
  });
  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.close();
    await environment.close();
  });

  it('has no rows while nobody listens, and those of a record after the last listener has left', async () => {
    await api.create('note', { title: 'unheard' });
    expect(await countRows()).toBe(0);
    const feed = openFeed();
    const end = await feed.subscribe(listener);
    const { documentId } = await api.create('note', { title: 'heard' });
    await expect.poll(() => received, { timeout: 20_000 }).toEqual([`create ${documentId}`]);
    await end();
    await api.remove('note', documentId);
    expect(await countRows()).toBe(1);
    const endRecord = await feed.subscribeToRecord(listener);
    const start = await feed.log.latest();
    await endRecord();
    await api.create('note', { title: 'recorded' });
    const rows = await feed.log.readAfter(start);
    expect(rows?.map(({ message }) => (typeof message === 'string' ? message : message.action))).toEqual([
      'create',
    ]);
    expect([received.length, gaps]).toEqual([1, 0]);
  });

  it('keeps recorded rows for the hours of the settings, and the last row for ever', async () => {
    const feed = openFeed();
    await feed.subscribeToRecord(listener);
    for (const title of ['old', 'new']) await api.create('note', { title });
    const rows = await feed.log.readAfter({ id: 0, at: 0 });
    const [start, old, last] = rows ?? [];
    expect([start?.message, rows?.length]).toEqual(['start', 3]);
    await run(
      `update cms_changes set created_at = created_at - ${HOURS * HOUR_MS + 1000}
        where id < ${last?.position.id}`,
    );
    await openFeed().subscribe(listener);
    expect(await countRows()).toBe(1);
    expect(await feed.log.readAfter(old?.position ?? { id: 1, at: 1 })).toBe(null);
    expect(await feed.log.readAfter(last?.position ?? { id: 1, at: 1 })).toEqual([]);
    await run(`update cms_changes set created_at = 0`);
    await openFeed().subscribe(listener);
    expect(await countRows()).toBe(1);
  });

  it('does not know a row whose id is used again', async () => {
    const feed = openFeed();
    await feed.subscribeToRecord(listener);
    const { id, at } = await feed.log.latest();
    expect(await feed.log.readAfter({ id, at })).toEqual([]);
    expect(await feed.log.readAfter({ id, at: at - 1 })).toBe(null);
    expect(await feed.log.readAfter({ id: id + 1, at })).toBe(null);
    expect(parsePosition(printPosition({ id, at }))).toEqual({ id, at });
    expect(['', '0-0', '1', '1-', '-1', `${id}-${at}x!`].map(parsePosition)).toEqual(
      Array.from({ length: 6 }, () => null),
    );
  });

  it('has cache tags only while they are recorded, which costs other writes no statement', async () => {
    const feed = openFeed();
    const endRecord = await feed.subscribeToRecord(listener);
    const { documentId } = await api.create('note', { title: 'one' });
    const statementsOf = async (title: string): Promise<number> => {
      await api.update('note', documentId, { title });
      return watched.statements.length;
    };
    const withoutTags = await statementsOf('two');
    const start = await feed.log.latest();
    const endTags = await feed.subscribeToTags(listener);
    // The process that writes does not know yet that tags are recorded.
    expect(await statementsOf('three')).toBe(withoutTags);
    // The versions, which have no links, before and after.
    expect(await statementsOf('four')).toBe(withoutTags + 2);
    await endTags();
    await endRecord();
    await run(`delete from cms_change_listeners where id = 'tags'`);
    expect(await statementsOf('five')).toBe(withoutTags + 2);
    expect(await statementsOf('six')).toBe(withoutTags);
    await api.remove('note', documentId);
    const rows = await feed.log.readAfter(start);
    const messages = rows?.map(({ message }) =>
      typeof message === 'object' && message.action === 'tags' ? message.tags : message,
    );
    const change = expect.objectContaining({ action: 'update', documentId }) as unknown;
    const exact = [`note:${documentId}`, 'note*', 'note.title', 'note.updatedAt'];
    expect(messages).toEqual([
      'startTags',
      change,
      ['note!', 'note*'],
      change,
      expect.arrayContaining(exact),
      change,
      change,
      expect.objectContaining({ action: 'delete' }),
    ]);
    expect(messages?.[4]).toHaveLength(exact.length);
  });

  it('marks where cache tags begin, and keeps them after the last listener', async () => {
    const feed = openFeed();
    const end = await feed.subscribeToTags(listener);
    const { documentId } = await api.create('note', { title: 'one' });
    await end();
    await feed.close();
    await api.update('note', documentId, { title: 'two' });
    const later = openFeed();
    await later.subscribeToTags(listener);
    const rows = await later.log.readAfter({ id: 0, at: 0 });
    const kinds = rows?.map(({ message }) => (typeof message === 'string' ? message : message.action));
    expect(kinds).toEqual(['start', 'startTags', 'create', 'tags', 'update', 'tags']);
  });

  it('reports a gap after a reset, and changes after it', async () => {
    await openFeed().subscribe(listener);
    await environment.database.transact((tx) => announceReset(environment.database, tx));
    const { documentId } = await api.create('note', { title: 'later' });
    await expect.poll(() => [gaps, received], { timeout: 20_000 }).toEqual([1, [`create ${documentId}`]]);
  });

  it.runIf(database.name === 'postgresql')('has ids in the order of commits', async () => {
    await openFeed().subscribe(listener);
    const { announceSql } = environment.database.dialect.changeFeed;
    const [announced, released] = [createGate(), createGate()];
    const announce = (documentId: string, isHeld: boolean): Promise<void> =>
      environment.database.transact(async (tx) => {
        const change = { action: 'create', type: 'api::note.note', documentId };
        await tx.limitLockWaits();
        await tx.execute(announceSql, [JSON.stringify([JSON.stringify(change)]), '[]']);
        if (!isHeld) return;
        announced.open();
        await released.opened;
      });
    const first = announce('first', true);
    await announced.opened;
    const second = announce('second', false);
    const waiting = `select count(*) from pg_locks where locktype = 'advisory' and not granted`;
    await expect.poll(() => environment.database.readNumber(waiting, []), { timeout: 20_000 }).toBe(1);
    expect(received).toEqual([]);
    released.open();
    await Promise.all([first, second]);
    await expect.poll(() => received, { timeout: 20_000 }).toEqual(['create first', 'create second']);
  });

  it.runIf(database.name === 'postgresql')('waits for writes that found no listener', async () => {
    const [looked, released] = [createGate(), createGate()];
    const writing = environment.database.transact(async (tx) => {
      await writeServerState(tx, 'a write', '1');
      expect((await loadListeners(environment.database, tx)).watches.size).toBe(0);
      looked.open();
      await released.opened;
    });
    await looked.opened;
    let isSubscribed = false;
    const subscribed = openFeed()
      .subscribe(listener)
      .then(() => {
        isSubscribed = true;
      });
    const leases = 'select count(*) from cms_change_listeners';
    await expect.poll(() => environment.database.readNumber(leases, []), { timeout: 20_000 }).toBe(1);
    const { pendingSql } = environment.database.dialect.changeFeed;
    expect(await environment.database.readTexts(pendingSql ?? '', [])).toHaveLength(1);
    expect(isSubscribed).toBe(false);
    released.open();
    await Promise.all([writing, subscribed]);
    expect(isSubscribed).toBe(true);
  });
});
