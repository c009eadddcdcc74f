import { EventEmitter } from 'node:events';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReadConnection } from '../../../src/dialects/database-driver.js';
import type { UncountedStatement } from '../../../src/dialects/uncounted-statement.js';
import { getDialect } from '../../../src/dialects/get-dialect.js';
import { requesterAt } from '../../../src/lib/requester.js';
import { databases } from '../../support/databases.js';

const SQLITE = databases.find(({ name }) => name === 'sqlite');
const POSTGRES = databases.find(({ name }) => name === 'postgresql');

/** Counts up to a parameter, which takes as long as wanted, and can be ended as compiled reads can. */
const COUNTING = `with recursive n (i) as (
  select 1 union all select i + 1 from n where i < ? and (i % 251 or galley_tick()))`;
const FOREVER = 1e15;
/** Takes several times as long as a read may block the event loop, yet not long. */
const LONG = 500_000;

describe.runIf(SQLITE !== undefined)('slow reads of SQLite', () => {
  let url = '';
  let reads: ReadConnection;
  const open = async (threads: number, timeoutMs: number | null): Promise<ReadConnection> => {
    reads = await getDialect('sqlite').driver.openReadConnection(url, { threads, timeoutMs });
    return reads;
  };
  beforeAll(async () => {
    ({ url } = (await SQLITE?.create()) ?? { url: '' });
    const database = new Database(url.replace('file:', ''));
    database.exec('create table things (name text)');
    database.close();
  });
  afterEach(() => reads.close());

  /** Other threads run the statement from now on. */
  const makeSlow = async (sql: string): Promise<void> => {
    expect(await reads.queryTexts(sql, [LONG, 0])).toEqual([]);
  };

  it('are ended by the timeout, and let quick reads pass', async () => {
    await open(1, 500);
    const sql = `${COUNTING} select max(i) || '' from n`;
    const settled: string[] = [];
    const slow = reads.queryTexts(sql, [FOREVER]).catch((error: unknown) => {
      settled.push('slow');
      throw error;
    });
    await reads.queryNumber('select 1', []).then(() => settled.push('quick'));
    await expect(slow).rejects.toMatchObject({
      code: 'database/read-timeout',
      kind: 'unavailable',
      message: expect.stringContaining('took longer than 500 ms'),
    });
    expect(settled).toEqual(['quick', 'slow']);
    // The thread is free again.
    await expect.poll(() => reads.queryTexts(sql, [3]).catch(() => null), { timeout: 20_000 }).toEqual(['3']);
  });

  it('see what was written before', async () => {
    await open(1, null);
    const sql = `${COUNTING} select (select max(name) from things) from n where i <= ?`;
    await makeSlow(sql);
    const database = new Database(url.replace('file:', ''));
    for (const name of ['a', 'b', 'c']) {
      database.prepare('insert into things values (?)').run(name);
      expect(await reads.queryTexts(sql, [2, 2])).toEqual([name, name]);
    }
    database.close();
  });

  it('return long texts, nulls and numbers from their thread', async () => {
    await open(1, null);
    const text = `replace(printf('%.*c', i * 90000, 'x'), 'x', 'é€😀x')`;
    const sql = `${COUNTING} select case i when 2 then null else ${text} end from n where i <= ?`;
    await makeSlow(sql);
    const texts = await reads.queryTexts(sql, [4, 4]);
    expect(texts.map((each) => each?.length ?? null)).toEqual([450_000, null, 1_350_000, 1_800_000]);
    expect(texts[3] === 'é€😀x'.repeat(360_000)).toBe(true);
    const count = `${COUNTING} select count(*) from n where i <= ?`;
    expect(await reads.queryNumber(count, [LONG, 7])).toBe(7);
    expect(await reads.queryNumber(count, [9, 8])).toBe(8);
  });

  it('report the errors of their thread', async () => {
    await open(1, null);
    const overflow = 'abs(case i when 1 then -9223372036854775807 - 1 end)';
    const spent = "case when galley_spend(i, 5) then '' else galley_refuse(5, 'articles.tags') end";
    const value = `${spent} || ${overflow}`;
    const sql = `${COUNTING} select ${value} from n where i <= ? and i >= ?`;
    expect(await reads.queryTexts(sql, [LONG, 0, 1])).toEqual([]);
    await expect(reads.queryTexts(sql, [9, 9, 3])).rejects.toMatchObject({
      code: 'request/too-many-records',
      message: 'The answer would hold more than 5 records. It grew too large in articles.tags.',
    });
    await expect(reads.queryTexts(sql, [1, 1, 1])).rejects.toThrow('integer overflow');
  });

  it('are refused again without reading, until something is written', async () => {
    await open(1, null);
    const spent = "case when galley_spend(1, ?) then 1 else galley_refuse(0, 'articles.tags') end";
    const sql = `${COUNTING} select count(${spent}) from n`;
    const code = 'request/too-many-records';
    await expect(reads.queryNumber(sql, [LONG, LONG - 1])).rejects.toMatchObject({ code });
    await expect(reads.queryNumber(sql, [LONG + 1, LONG - 1])).rejects.toMatchObject({ code });
    const first: unknown = await reads.queryNumber(sql, [LONG, LONG - 1]).catch((error: unknown) => error);
    const again = (): Promise<unknown> => reads.queryNumber(sql, [LONG, LONG - 1]).catch((error) => error);
    expect(await again()).toBe(first);
    expect(await reads.queryNumber(sql, [LONG, LONG])).toBe(LONG);
    const database = new Database(url.replace('file:', ''));
    database.exec('create table others (name text)');
    database.close();
    const afterWrite = await again();
    expect(afterWrite).toMatchObject({ code });
    expect(afterWrite).not.toBe(first);
  });

  it('are counted where the length of the answer does not show that they are within the limit', async () => {
    await open(1, null);
    const counted = "select 'counted'";
    const uncounted = { sql: "select 'uncounted'", limit: 10, costPerCharacter: 1 };
    const readText = async (statement: UncountedStatement): Promise<unknown> =>
      (await reads.queryTexts(counted, [], undefined, statement))[0];
    expect(await readText(uncounted)).toBe('uncounted');
    expect(await readText({ ...uncounted, costPerCharacter: 1.2 })).toBe('counted');
    // Answers of one shape are about as long, so that the next ones are counted at once.
    for (let run = 0; run < 16; run += 1) expect(await readText(uncounted)).toBe('counted');
    expect(await readText(uncounted)).toBe('uncounted');
    const spending = (cost: number): UncountedStatement => ({
      ...uncounted,
      sql: `select case when galley_spend(${cost}, 10) then 'uncounted' else galley_refuse(10, 'data') end`,
    });
    expect(await readText(spending(1))).toBe('uncounted');
    expect(await readText(spending(2))).toBe('counted');
    expect(await readText(spending(11))).toBe('counted');
    const endless = `${COUNTING.replace('?', String(FOREVER))} select max(i) || '' from n`;
    expect(await readText({ ...uncounted, sql: endless })).toBe('counted');
    await reads.close();
    await open(0, null);
    expect(await readText(uncounted)).toBe('counted');
  });

  it('are refused while too many others wait, and fail when the connection is closed', async () => {
    await open(1, null);
    const sql = `${COUNTING} select max(i) || '' from n`;
    const run = (): Promise<string> =>
      reads.queryTexts(sql, [FOREVER]).then(
        () => 'done',
        (error: unknown) => String(error),
      );
    const started = Array.from({ length: 65 }, run);
    expect(await run()).toContain('Too many requests');
    await reads.close();
    expect(new Set(await Promise.all(started))).toEqual(
      new Set(['Error: The thread that read has ended', 'TypeError: The database connection is not open']),
    );
  });

  it('end where their requester leaves, whether they run or wait', async () => {
    await open(1, null);
    const sql = `${COUNTING} select max(i) || '' from n`;
    const running = new EventEmitter();
    const waiting = new EventEmitter();
    const outcomes = [running, waiting].map((connection) => {
      const requester = requesterAt(Object.assign(connection, { destroyed: false }));
      return reads.queryTexts(sql, [FOREVER], requester).catch((error: unknown) => error);
    });
    const gone = requesterAt(Object.assign(new EventEmitter(), { destroyed: true }));
    const abandoned = { code: 'request/abandoned' };
    await expect(reads.queryTexts(sql, [FOREVER], gone)).rejects.toMatchObject(abandoned);
    for (const connection of [waiting, running]) connection.emit('close');
    expect(await Promise.all(outcomes)).toMatchObject([abandoned, abandoned]);
    expect([running, waiting].map((each) => each.listenerCount('close'))).toEqual([0, 0]);
    expect(await reads.queryTexts(sql, [3])).toEqual(['3']);
  });

  it('leave a thread to those that take less long', async () => {
    await open(2, null);
    const sql = `${COUNTING} select max(i) || '' from n where i <= ?`;
    await reads.queryTexts(sql, [LONG, 0]);
    const endless = Array.from({ length: 5 }, () =>
      reads.queryTexts(`${COUNTING} select max(i) || '' from n`, [FOREVER]).catch(() => 'ended'),
    );
    expect(await reads.queryTexts(sql, [3, 3])).toEqual(['3']);
    await reads.close();
    expect(await Promise.all(endless)).toEqual(endless.map(() => 'ended'));
  });

  it('end in this thread where there is no other', async () => {
    await open(0, 20);
    await expect(reads.queryNumber(`${COUNTING} select max(i) from n`, [FOREVER])).rejects.toMatchObject({
      code: 'database/read-timeout',
    });
    expect(await reads.queryNumber(`${COUNTING} select max(i) from n`, [3])).toBe(3);
  });
});

describe.runIf(POSTGRES !== undefined)('slow reads of PostgreSQL', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = (await POSTGRES?.create()) ?? { url: '' });
  });

  it.each([
    { where: 'in a session', parameters: '' },
    { where: 'behind a pooler', parameters: '?pgbouncer=true' },
    { where: 'behind a pooler, in a schema', parameters: '?pgbouncer=true&schema=other' },
  ])('are ended by the timeout $where', async ({ parameters }) => {
    const reads = await getDialect('postgresql').driver.openReadConnection(`${url}${parameters}`, {
      threads: 0,
      timeoutMs: 50,
    });
    await expect(reads.queryTexts('select pg_sleep(60)::text', [])).rejects.toMatchObject({
      code: 'database/read-timeout',
    });
    expect(await reads.queryNumber('select 1', [])).toBe(1);
    expect(await reads.queryNumber('select 1', [])).toBe(1);
    await reads.close();
  });

  it('fail where their session is ended, and leave the process running', async () => {
    const options = { threads: 0, timeoutMs: 60_000 };
    const reads = await getDialect('postgresql').driver.openReadConnection(url, options);
    await expect(reads.queryTexts('select pg_terminate_backend(pg_backend_pid())::text', [])).rejects.toThrow(
      /terminat/,
    );
    expect(await reads.queryNumber('select 1', [])).toBe(1);
    await reads.close();
  });

  it.each(['', '?pgbouncer=true'])('end where their requester leaves%s', async (parameters) => {
    const options = { threads: 0, timeoutMs: 60_000 };
    const reads = await getDialect('postgresql').driver.openReadConnection(`${url}${parameters}`, options);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const isRunning = async (): Promise<boolean> => {
      const { rows } = await client.query<{ readonly query: string }>(
        `select query from pg_stat_activity where state = 'active' and datname = current_database()`,
      );
      return rows.some(({ query }) => query.includes('pg_sleep(50)') && !query.includes('pg_stat_activity'));
    };
    const connection = Object.assign(new EventEmitter(), { destroyed: false });
    const read = reads
      .queryTexts('select pg_sleep(50)::text', [], requesterAt(connection))
      .catch((error: unknown) => error);
    await expect.poll(isRunning).toBe(true);
    connection.emit('close');
    expect(await read).toMatchObject({ code: 'request/abandoned' });
    // Behind a pooler, ending it is up to the pooler.
    await expect.poll(isRunning, { timeout: 20_000 }).toBe(parameters !== '');
    expect(await reads.queryNumber('select 1', [], requesterAt(connection))).toBe(1);
    expect(connection.listenerCount('close')).toBe(0);
    await reads.close();
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where query like $1', [
      'select pg_sleep(50)%',
    ]);
    await client.end();
  });

  it('keep their connection where they end soon after their requester has left', async () => {
    const options = { threads: 0, timeoutMs: 60_000 };
    const reads = await getDialect('postgresql').driver.openReadConnection(url, options);
    const backend = 'select pg_backend_pid()::text';
    const [before] = await reads.queryTexts(backend, []);
    const connection = Object.assign(new EventEmitter(), { destroyed: false });
    const read = reads.queryTexts(`${backend} from pg_sleep(0.01)`, [], requesterAt(connection));
    connection.emit('close');
    expect(await read).toEqual([before]);
    const gone = requesterAt(Object.assign(new EventEmitter(), { destroyed: true }));
    await expect(reads.queryTexts(backend, [], gone)).rejects.toMatchObject({ code: 'request/abandoned' });
    expect(await reads.queryTexts(backend, [])).toEqual([before]);
    await reads.close();
  });
});
