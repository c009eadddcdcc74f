import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseError } from '../../../src/database/database-error.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { getDialect } from '../../../src/database/get-dialect.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import { createClient } from '../../../src/database/prisma/in-memory-client.js';
import { databases } from '../../support/databases.js';
import { openSqlite } from '../../support/sqlite.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';

const SCHEMA = (provider: string): string => `generator client {
  provider = "prisma-client-js"
}

datasource db {
  provider = "${provider}"
}

model Thing {
  id Int @id
}
`;

const UNREACHABLE_URLS: Readonly<Record<string, string>> = {
  sqlite: 'file:/nowhere/at/all.db',
  postgresql: 'postgresql://nobody:nothing@127.0.0.1:1/none',
};

describe.each(databases)('opening $name', ({ name, create }) => {
  const open = (url: string) =>
    openDatabase({
      dialect: getDialect(name),
      url,
      loadClient: () => createClient({ schemaText: SCHEMA(name), provider: name }),
    });

  it('fails with a DatabaseError where there is no such database', async () => {
    const error: unknown = await open(UNREACHABLE_URLS[name] ?? '').catch((reason: unknown) => reason);
    expect(isDatabaseError(error) ? error.driverError : error).toEqual({ kind: 'unreachable' });
  });

  it('refuses writes on the read connection', async () => {
    const testEnvironment = await createTestEnvironment({
      model: { types: { tag: { attributes: {} } } },
      database: { name, create },
    });
    const { table } = testEnvironment.model.typesByUid['api::tag.tag']?.storage.document ?? {};
    const insert = `insert into ${table} (document_id) values ('a') returning document_id`;
    await expect(testEnvironment.database.readTexts(insert, [])).rejects.toThrow();
    await testEnvironment.database.transact(async (tx) =>
      expect(await tx.query(insert, [])).toEqual([{ document_id: 'a' }]),
    );
    await testEnvironment.close();
  });

  it('creates a prepared client when it is first used', async () => {
    const { url } = await create();
    if (name === 'sqlite') openSqlite(url.replace('file:', ''), { mode: 'create' }).close();
    let created = 0;
    const database = await openDatabase({
      dialect: getDialect(name),
      url,
      loadClient: async () => {
        const generated = await createClient({ schemaText: SCHEMA(name), provider: name });
        return {
          ...generated,
          get PrismaClient() {
            created += 1;
            return generated.PrismaClient;
          },
        };
      },
    });
    const loadClient = await database.prepareClient();
    expect(created).toBe(0);
    const client = loadClient();
    expect(loadClient()).toBe(client);
    expect(await database.loadClient()).toBe(client);
    expect(created).toBe(1);
    await database.close();
  });

  it('can be closed more than once', async () => {
    const { url } = await create();
    if (name === 'sqlite') openSqlite(url.replace('file:', ''), { mode: 'create' }).close();
    const database = await open(url);
    await database.close();
    await expect(database.close()).resolves.toBeUndefined();
    await expect(database.readNumber('select 1', [])).rejects.toThrow();
  });
});

const POSTGRES = databases.find((kind) => kind.name === 'postgresql');
const SQLITE = databases.find((kind) => kind.name === 'sqlite');

describe.runIf(POSTGRES !== undefined)('opening PostgreSQL', () => {
  const dialect = getDialect('postgresql');

  it('reads times as UTC, for any time zone of the database', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set timezone to 'Pacific/Auckland'`);
    await client.end();
    const reads = await dialect.driver.openReadConnection(url);
    expect(await reads.queryTexts('show timezone', [])).toEqual(['UTC']);
    expect(await reads.queryTexts(`select ('2026-01-01T00:00:00Z'::timestamptz)::text`, [])).toEqual([
      '2026-01-01 00:00:00+00',
    ]);
    await reads.close();
  });

  it('reads and writes in the schema that the URL names', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const session = await dialect.migrations.openSession(`${url}?schema=other`, {
      lockTimeoutMs: 0,
      isWritable: true,
    });
    await session.script('create table "Thing" (id int primary key)');
    expect([...(await session.columns()).keys()]).toEqual(['Thing']);
    await session.close();
    const database = await openDatabase({
      dialect,
      url: `${url}?schema=other`,
      loadClient: () => createClient({ schemaText: SCHEMA('postgresql'), provider: 'postgresql' }),
    });
    await database.transact(async (tx) => {
      await tx.execute('insert into "Thing" values (1)', []);
      await tx.model('Thing').create({ data: { id: 2 } });
    });
    expect(await database.readTexts('select id::text from other."Thing" order by id', [])).toEqual([
      '1',
      '2',
    ]);
    expect(await database.readTexts('select id::text from "Thing" order by id', [])).toEqual(['1', '2']);
    await database.close();
  });

  it('refuses a database whose encoding is not UTF-8', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const latin = `${new URL(url).pathname.slice(1)}_latin`;
    await client.query(
      `create database ${latin} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`,
    );
    const error: unknown = await dialect.driver
      .openReadConnection(url.replace(/[^/]*$/, latin))
      .catch((reason: unknown) => reason);
    expect(isGalleyError(error) ? error.code : error).toBe('database/unsupported-encoding');
    await client.query(`drop database ${latin} with (force)`);
    await client.end();
  });

  it('reconnects after the server has ended its connections', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const reads = await dialect.driver.openReadConnection(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await expect.poll(() => reads.queryNumber('select 1', []), { timeout: 20_000 }).toBe(1);
    await client.end();
    await reads.close();
  });
});

describe.runIf(SQLITE !== undefined)('a SQLite file that another process is writing to', () => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    if (SQLITE !== undefined)
      testEnvironment = await createTestEnvironment({
        model: { types: { tag: { attributes: { name: { type: 'string' } } } } },
        database: SQLITE,
      });
  });
  afterAll(() => testEnvironment.close());

  it('is waited for without blocking this process', async () => {
    const other = openSqlite(testEnvironment.url.replace('file:', ''), { mode: 'write' });
    other.exec('begin immediate');
    const ticks: number[] = [];
    const timer = setInterval(() => ticks.push(performance.now()), 5);
    const write = testEnvironment.database.transact((tx) =>
      tx.model('TagDocument').create({ data: { documentId: 'a' } }),
    );
    await expect.poll(() => ticks.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(40);
    expect(await testEnvironment.database.readNumber('select count(*) from tags', [])).toBe(0);
    other.exec('commit');
    await write;
    clearInterval(timer);
    other.close();
    // Most ticks come in time. On a busy machine a few may be late, but if the write blocked, most would be.
    const gaps = ticks.slice(1, 41).map((tick, index) => tick - (ticks[index] ?? 0));
    expect(gaps.toSorted((left, right) => left - right)[20]).toBeLessThan(25);
  });
});
