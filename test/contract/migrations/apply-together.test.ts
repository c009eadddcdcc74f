import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databases } from '../../support/databases.js';
import { createBench, drift, failure } from './support.js';

/** Another program that migrates by hand: takes the turn, makes a table, says so, and waits to be killed. */
const INTRUDER: Readonly<Record<string, string>> = {
  sqlite: `
    const Database = require('better-sqlite3');
    const database = new Database(process.argv[1].replace(/^file:/, ''));
    database.exec('BEGIN IMMEDIATE; CREATE TABLE half_done (id INTEGER)');
    console.log('ready');
    setInterval(() => {}, 1000);`,
  postgresql: `
    const { Client } = require('pg');
    const client = new Client({ connectionString: process.argv[1] });
    client.connect()
      .then(() => client.query('BEGIN; SELECT pg_advisory_xact_lock(72707369); CREATE TABLE half_done (id INTEGER)'))
      .then(() => console.log('ready'));
    setInterval(() => {}, 1000);`,
};

const startIntruder = async (name: string, url: string) => {
  const child = spawn(process.execPath, ['-e', INTRUDER[name] ?? '', url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  return child;
};

interface Writer {
  readonly write: (sql: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A connection that stays open and writes, as an application's does. On SQLite it gives up at once: whoever waits there stops the process that it waits for. */
const openWriter = async (url: string): Promise<Writer> => {
  if (url.startsWith('file:')) {
    const database = new Database(url.slice('file:'.length), { timeout: 0 });
    return { write: async (sql) => void database.prepare(sql).run(), close: async () => void database.close() };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { write: async (sql) => void (await client.query(sql)), close: () => client.end() };
};

describe.each(databases)('several programs at once on $name', (kind) => {
  it('applies each migration once when instances start together', async () => {
    const bench = await createBench(kind);
    const models = ['model A {\n  id Int @id\n}', 'model B {\n  id Int @id\n}', 'model C {\n  id Int @id\n}'];
    await bench.migrate(models[0] ?? '');
    await bench.migrate(models.slice(0, 2).join('\n\n'));
    await bench.migrate(models.join('\n\n'));
    const names = (await bench.status()).applied;
    const production = await bench.elsewhere();

    const results = await Promise.all(Array.from({ length: 6 }, () => production.apply()));

    expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(names);
    expect(await production.rows('SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name')).toEqual(names.map((name) => ({ name })));
    expect(await drift(kind, production, models.join('\n\n'))).toBe('');
  });

  it('makes one migration where a command and a server see the same change', async () => {
    const bench = await createBench(kind);
    const models = 'model A {\n  id Int @id\n}';

    const results = await Promise.all([bench.migrate(models), bench.migrate(models), bench.migrate(models)]);

    expect(results.filter(({ name }) => name !== null)).toHaveLength(1);
    expect((await readdir(bench.folder)).toSorted()).toEqual([results.find(({ name }) => name !== null)?.name, 'migration_lock.toml']);
    expect(await drift(kind, bench, models)).toBe('');
    expect(await bench.status()).toMatchObject({ pending: [], missing: [] });
  });

  it('does not stop this process while others write from it', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model A {\n  id Int @id\n}');
    const writer = await openWriter(bench.url);
    let written = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        await writer.write('INSERT INTO "A" (id) SELECT coalesce(max(id), 0) + 1 FROM "A"');
        written += 1;
        await nextTurn();
      }
    })();

    for (let index = 0; index < 5; index++) await bench.migrate(`model A {\n  id Int @id\n  b ${index % 2 === 0 ? 'BigInt' : 'String'}?\n}`, { acceptsDataLoss: true });
    isDone = true;
    await writing;
    await writer.close();

    expect(await bench.rows('SELECT CAST(count(*) AS TEXT) AS n FROM "A"')).toEqual([{ n: String(written) }]);
  });

  it('waits for another program that migrates, but not for ever', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model A {\n  id Int @id\n}');
    const production = await bench.elsewhere();
    const intruder = await startIntruder(kind.name, production.url);

    const error = await failure(production.apply({ waitMs: 300 }));

    expect(error.code).toBe('migration/locked');
    expect(intruder.exitCode).toBeNull();
  });

  it('goes on once a process that was migrating is killed, and nothing of that one stays', async () => {
    const bench = await createBench(kind);
    const { name } = await bench.migrate('model A {\n  id Int @id\n}');
    const production = await bench.elsewhere();
    const intruder = await startIntruder(kind.name, production.url);
    const applying = production.apply({ waitMs: 20_000 });

    intruder.kill('SIGKILL');

    expect((await applying).applied).toEqual([name]);
    await expect(production.rows('SELECT * FROM half_done')).rejects.toThrow(/half_done/);
    expect(await drift(kind, production, 'model A {\n  id Int @id\n}')).toBe('');
  });
});
