import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseFault } from '../../../src/database/database-fault.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { dialectNamed } from '../../../src/dialects/dialect-named.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import { createClient } from '../../../src/migrations/create-client.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';

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

const NOWHERE: Readonly<Record<string, string>> = {
  sqlite: 'file:/nowhere/at/all.db',
  postgresql: 'postgresql://nobody:nothing@127.0.0.1:1/none',
};

describe.each(databases)('opening $name', ({ name, create }) => {
  const open = (url: string) => openDatabase({ dialect: dialectNamed(name), url, loadClient: () => createClient({ schemaText: SCHEMA(name), provider: name }) });

  it('fails with a fault where there is no such database', async () => {
    const error: unknown = await open(NOWHERE[name] ?? '').catch((reason: unknown) => reason);
    expect(isDatabaseFault(error) ? error.fault : error).toEqual({ kind: 'unreachable' });
  });

  it('reads without ever writing', async () => {
    const world = await createWorld({ model: { types: { tag: { attributes: {} } } }, database: { name, create } });
    const insert = `insert into ${world.model.typesByUid['api::tag.tag']?.storage.anchor.table ?? ''} (document_id) values ('a') returning document_id`;
    await expect(world.database.readTexts(insert, [])).rejects.toThrow();
    await world.database.transact(async (tx) => expect(await tx.query(insert, [])).toEqual([{ document_id: 'a' }]));
    await world.close();
  });

  it('may be undone more than once', async () => {
    const { url } = await create();
    if (name === 'sqlite') new Database(url.replace('file:', '')).close();
    const database = await open(url);
    await database.close();
    await expect(database.close()).resolves.toBeUndefined();
    await expect(database.readNumber('select 1', [])).rejects.toThrow();
  });
});

const POSTGRES = databases.find((kind) => kind.name === 'postgresql');
const SQLITE = databases.find((kind) => kind.name === 'sqlite');

describe.runIf(POSTGRES !== undefined)('opening PostgreSQL', () => {
  const dialect = dialectNamed('postgresql');

  it('reads times as UTC, whatever the time zone of the database', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set timezone to 'Pacific/Auckland'`);
    await client.end();
    const reads = await dialect.openReads(url);
    expect(await reads.texts('show timezone', [])).toEqual(['UTC']);
    expect(await reads.texts(`select ('2026-01-01T00:00:00Z'::timestamptz)::text`, [])).toEqual(['2026-01-01 00:00:00+00']);
    await reads.close();
  });

  it('refuses a database that cannot hold all text', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const latin = `${new URL(url).pathname.slice(1)}_latin`;
    await client.query(`create database ${latin} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`);
    const error: unknown = await dialect.openReads(url.replace(/[^/]*$/, latin)).catch((reason: unknown) => reason);
    expect(isGalleyError(error) ? error.code : error).toBe('database/encoding');
    await client.query(`drop database ${latin} with (force)`);
    await client.end();
  });

  it('goes on after the server has ended its connections', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const reads = await dialect.openReads(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
    await sleep(50);
    expect(await reads.number('select 1', [])).toBe(1);
    await client.end();
    await reads.close();
  });
});

describe.runIf(SQLITE !== undefined)('a SQLite file that another process is writing to', () => {
  let world: World;
  beforeAll(async () => {
    if (SQLITE !== undefined) world = await createWorld({ model: { types: { tag: { attributes: { name: { type: 'string' } } } } }, database: SQLITE });
  });
  afterAll(() => world.close());

  it('is waited for, while this process goes on', async () => {
    const other = new Database(world.url.replace('file:', ''));
    other.exec('begin immediate');
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);
    const write = world.database.transact((tx) => tx.model('TagDocument').create({ data: { documentId: 'a' } }));
    await sleep(200);
    expect(await world.database.readNumber('select count(*) from tags', [])).toBe(0);
    other.exec('commit');
    await write;
    clearInterval(timer);
    other.close();
    expect(ticks).toBeGreaterThan(8);
  });
});
