import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getDialect } from '../../../src/database/get-dialect.js';
import { migrationStatus } from '../../../src/migrations/apply/migration-history.js';
import type { MigrationTarget } from '../../../src/migrations/apply/migration-history.js';
import { createPlan } from '../../../src/migrations/migrate.js';
import { databases } from '../../support/databases.js';
import { openSqlite } from '../../support/sqlite.js';
import { createMigrationFixture, findDrift, rejectionOf } from './migration-fixture.js';

/** Another process that locks the database, creates a table, reports that, and waits to be killed. */
const OTHER_PROCESS_SCRIPTS: Readonly<Record<string, string>> = {
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
      .then(() => client.query('BEGIN; SELECT pg_advisory_xact_lock(72707369)'))
  .then(() => client.query('CREATE TABLE half_done (id INTEGER)'))
      .then(() => console.log('ready'));
    setInterval(() => {}, 1000);`,
};

const startOtherProcess = async (name: string, url: string) => {
  const child = spawn(process.execPath, ['-e', OTHER_PROCESS_SCRIPTS[name] ?? '', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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

/**
 * An open connection that writes, as that of an application. On SQLite it fails at once, since waiting would
 * block the process that it waits for.
 */
const openWriter = async (url: string): Promise<Writer> => {
  if (url.startsWith('file:')) {
    const database = openSqlite(url.slice('file:'.length), { mode: 'write', busyTimeoutMs: 0 });
    return {
      write: async (sql) => void database.prepare(sql).run(),
      close: async () => database.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { write: async (sql) => void (await client.query(sql)), close: () => client.end() };
};

describe.each(databases)('several concurrent processes on $name', (kind) => {
  it('applies each migration once when instances start at the same time', async () => {
    const fixture = await createMigrationFixture(kind);
    const models = ['model A {\n  id Int @id\n}', 'model B {\n  id Int @id\n}', 'model C {\n  id Int @id\n}'];
    await fixture.migrate(models[0] ?? '');
    await fixture.migrate(models.slice(0, 2).join('\n\n'));
    await fixture.migrate(models.join('\n\n'));
    const names = (await fixture.status()).applied;
    const production = await fixture.withEmptyDatabase();

    const results = await Promise.all(Array.from({ length: 6 }, () => production.apply()));

    expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(names);
    expect(
      await production.rows('SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name'),
    ).toEqual(names.map((name) => ({ name })));
    expect(await findDrift(kind, production, models.join('\n\n'))).toBe('');
  });

  it('writes one migration where a command and a server see the same change', async () => {
    const fixture = await createMigrationFixture(kind);
    const models = 'model A {\n  id Int @id\n}';

    const results = await Promise.all([
      fixture.migrate(models),
      fixture.migrate(models),
      fixture.migrate(models),
    ]);

    expect(results.filter(({ name }) => name !== null)).toHaveLength(1);
    expect((await readdir(fixture.folder)).toSorted()).toEqual([
      results.find(({ name }) => name !== null)?.name,
      'migration_lock.toml',
    ]);
    expect(await findDrift(kind, fixture, models)).toBe('');
    expect(await fixture.status()).toMatchObject({ pending: [], missing: [] });
  });

  it('finds no migration missing that another process applies while this one connects', async () => {
    const fixture = await createMigrationFixture(kind);
    const dialect = getDialect(kind.name);
    const targetAfter = (models: string): MigrationTarget => ({
      folder: fixture.folder,
      url: fixture.url,
      dialect: {
        ...dialect,
        migrations: {
          ...dialect.migrations,
          openSession: async (...call) => {
            await fixture.migrate(models);
            return dialect.migrations.openSession(...call);
          },
        },
      },
    });
    const [first, second] = ['model A {\n  id Int @id\n}', 'model A {\n  id Int @id\n  b Int?\n}'];

    const status = await migrationStatus(targetAfter(first));
    expect(status).toMatchObject({ missing: [], pending: [], applied: [expect.any(String)] });
    const plan = await createPlan({ nextSchema: fixture.schema(second) }, targetAfter(second));
    expect(plan.sql).toBe('');
  });

  it('does not block other writers of this process', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate('model A {\n  id Int @id\n}');
    const writer = await openWriter(fixture.url);
    let written = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        await writer.write('INSERT INTO "A" (id) SELECT coalesce(max(id), 0) + 1 FROM "A"');
        written += 1;
        await nextTurn();
      }
    })();

    for (let index = 0; index < 5; index++)
      await fixture.migrate(`model A {\n  id Int @id\n  b ${index % 2 === 0 ? 'BigInt' : 'String'}?\n}`, {
        acceptsDataLoss: true,
      });
    isDone = true;
    await writing;
    await writer.close();

    expect(await fixture.rows('SELECT CAST(count(*) AS TEXT) AS n FROM "A"')).toEqual([
      { n: String(written) },
    ]);
  });

  it('waits for another migrating process, up to a timeout', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate('model A {\n  id Int @id\n}');
    const production = await fixture.withEmptyDatabase();
    const otherProcess = await startOtherProcess(kind.name, production.url);

    const error = await rejectionOf(production.apply({ waitMs: 300 }));

    expect(error.code).toBe('migration/locked');
    expect(otherProcess.exitCode).toBeNull();
  });

  it('continues once a migrating process is killed, whose changes are rolled back', async () => {
    const fixture = await createMigrationFixture(kind);
    const { name } = await fixture.migrate('model A {\n  id Int @id\n}');
    const production = await fixture.withEmptyDatabase();
    const otherProcess = await startOtherProcess(kind.name, production.url);
    const applying = production.apply({ waitMs: 20_000 });

    otherProcess.kill('SIGKILL');

    expect((await applying).applied).toEqual([name]);
    await expect(production.rows('SELECT * FROM half_done')).rejects.toThrow(/half_done/);
    expect(await findDrift(kind, production, 'model A {\n  id Int @id\n}')).toBe('');
  });
});
