import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReadConnection } from '../../../src/database/dialect/database-driver.js';
import { getDialect } from '../../../src/database/get-dialect.js';
import { databases } from '../../support/databases.js';
import { openSqlite } from '../../support/sqlite.js';

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
    const database = openSqlite(url.replace('file:', ''), { mode: 'create' });
    database.exec('create table things (name text)');
    database.close();
  });
  afterEach(() => reads.close());

  it('are ended by the timeout, and let quick reads pass', async () => {
    await open(1, 500);
    const sql = `${COUNTING} select max(i) || '' from n`;
    const settled: string[] = [];
    const readSlowly = (): Promise<unknown> =>
      reads
        .queryTexts(sql, [FOREVER])
        .catch((error: unknown) => error)
        .finally(() => settled.push('slow'));
    const slow = readSlowly();
    await reads.queryNumber('select 1', []).then(() => settled.push('quick'));
    await slow;
    expect(settled).toEqual(['quick', 'slow']);
    // A read that waits for the start of the thread fails as too many.
    await expect.poll(readSlowly, { timeout: 60_000 }).toMatchObject({
      code: 'database/read-timeout',
      kind: 'unavailable',
      message: expect.stringContaining('took longer than 500 ms'),
    });
    // The thread is free again.
    await expect.poll(() => reads.queryTexts(sql, [3]).catch(() => null), { timeout: 20_000 }).toEqual(['3']);
  });

  it('see what was written before', async () => {
    await open(1, null);
    const sql = `${COUNTING} select (select max(name) from things) from n where i <= ?`;
    const database = openSqlite(url.replace('file:', ''), { mode: 'create' });
    for (const name of ['a', 'b', 'c']) {
      database.prepare('insert into things values (?)').run([name]);
      expect(await reads.queryTexts(sql, [LONG, 2])).toEqual([name, name]);
    }
    database.close();
  });

  it('return long texts, nulls and numbers from their thread', async () => {
    await open(1, null);
    const text = `replace(printf('%.*c', i * 90000, 'x'), 'x', 'é€😀x')`;
    const sql = `${COUNTING} select case i when 2 then null else ${text} end from n where i <= ?`;
    const texts = await reads.queryTexts(sql, [LONG, 4]);
    expect(texts.map((each) => each?.length ?? null)).toEqual([450_000, null, 1_350_000, 1_800_000]);
    expect(texts[3] === 'é€😀x'.repeat(360_000)).toBe(true);
    const count = `${COUNTING} select count(*) from n where i <= ?`;
    expect(await reads.queryNumber(count, [LONG, 7])).toBe(7);
    expect(await reads.queryNumber(count, [9, 8])).toBe(8);
  });

  it('report the errors of their thread', async () => {
    await open(1, null);
    const overflow = 'abs(case i when ? then -9223372036854775807 - 1 end)';
    const spent = "case when galley_spend(1, 5) then '' else galley_refuse(5, 'articles.tags') end";
    const sql = `${COUNTING} select ${spent} || ${overflow} from n where i >= ?`;
    await expect(reads.queryTexts(sql, [LONG, 0, LONG - 9])).rejects.toMatchObject({
      code: 'request/too-many-records',
      message: 'The response would contain more than 5 records. It grew too large in articles.tags.',
    });
    await expect(reads.queryTexts(sql, [LONG, LONG - 1, LONG - 3])).rejects.toThrow('integer overflow');
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
    expect(await run()).toContain('too many slow requests');
    await reads.close();
    expect(new Set(await Promise.all(started))).toEqual(new Set(['Error: Terminating worker thread']));
  });

  it('end where their signal aborts, whether they run or wait', async () => {
    await open(1, null);
    const sql = `${COUNTING} select max(i) || '' from n`;
    const running = new AbortController();
    const waiting = new AbortController();
    const outcomes = [running, waiting].map(({ signal }) =>
      reads.queryTexts(sql, [FOREVER], () => signal).catch((error: unknown) => error),
    );
    const abandoned = { code: 'request/abandoned' };
    await expect(reads.queryTexts(sql, [FOREVER], () => AbortSignal.abort())).rejects.toMatchObject(
      abandoned,
    );
    for (const client of [waiting, running]) client.abort();
    expect(await Promise.all(outcomes)).toMatchObject([abandoned, abandoned]);
    expect(await reads.queryTexts(sql, [3])).toEqual(['3']);
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

  it.each(['', '?pgbouncer=true'])('end where their signal aborts%s', async (parameters) => {
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
    const leaving = new AbortController();
    const read = reads
      .queryTexts('select pg_sleep(50)::text', [], () => leaving.signal)
      .catch((error: unknown) => error);
    await expect.poll(isRunning).toBe(true);
    leaving.abort();
    expect(await read).toMatchObject({ code: 'request/abandoned' });
    // Behind a pooler, ending it is up to the pooler.
    await expect.poll(isRunning, { timeout: 20_000 }).toBe(parameters !== '');
    expect(await reads.queryNumber('select 1', [])).toBe(1);
    await reads.close();
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where query like $1', [
      'select pg_sleep(50)%',
    ]);
    await client.end();
  });

  it('keep their connection where their signal aborts', async () => {
    const options = { threads: 0, timeoutMs: 60_000 };
    const reads = await getDialect('postgresql').driver.openReadConnection(url, options);
    const backend = 'select pg_backend_pid()::text';
    const blocked = `${backend} from pg_advisory_xact_lock_shared(1)`;
    const [first] = await reads.queryTexts(backend, []);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const countWaiting = async (): Promise<unknown> =>
      (await client.query('select pid from pg_locks where locktype = $1 and not granted', ['advisory']))
        .rowCount;

    await client.query('select pg_advisory_lock(1)');
    const leaving = new AbortController();
    const ending = reads.queryTexts(blocked, [], () => leaving.signal);
    await expect.poll(countWaiting).toBe(1);
    leaving.abort();
    await client.query('select pg_advisory_unlock(1)');
    expect(await ending).toEqual([first]);

    await client.query('select pg_advisory_lock(1)');
    const all = Array.from({ length: 8 }, () => reads.queryTexts(blocked, []));
    await expect.poll(countWaiting).toBe(all.length);
    const waiting = reads.queryTexts(backend, [], () => AbortSignal.abort());
    // Handled at once, since the rejection may arrive before the response to the unlock.
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'request/abandoned' }),
      client.query('select pg_advisory_unlock(1)'),
    ]);
    expect(await Promise.all(all)).toContainEqual(await reads.queryTexts(backend, []));
    await client.end();
    await reads.close();
  });
});
