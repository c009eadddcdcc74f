import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import type { Bench } from './support.js';
import { createBench, drift, failure, withPrismaEngine } from './support.js';

const writeSql = async (bench: Bench, name: string, sql: string): Promise<void> => {
  await mkdir(join(bench.folder, name), { recursive: true });
  await writeFile(join(bench.folder, name, 'migration.sql'), sql);
};

const migrationList = async ({ folder }: Bench) => {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name).toSorted();
  const directories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: await readFile(join(folder, name, 'migration.sql'), 'utf8') } },
    })),
  );
  const lockfile = { path: 'migration_lock.toml', content: await readFile(join(folder, 'migration_lock.toml'), 'utf8') };
  return { baseDir: folder, lockfile, shadowDbInitScript: '', migrationDirectories: directories };
};

const FAMILY = (parentExtra: string): string => `
model Parent {
  id       Int     @id
  name     String?
${parentExtra}
  children Child[]

  @@map("parents")
}

model Child {
  id       Int    @id
  parentId Int
  parent   Parent @relation(fields: [parentId], references: [id], onDelete: Cascade)

  @@map("children")
}`;

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

/** A connection that stays open and writes, as an application's does. */
const openWriter = async (url: string): Promise<Writer> => {
  if (url.startsWith('file:')) {
    const database = new Database(url.slice('file:'.length), { timeout: 5000 });
    return { write: async (sql) => void database.prepare(sql).run(), close: async () => void database.close() };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { write: async (sql) => void (await client.query(sql)), close: () => client.end() };
};

describe.each(databases)('applying on $name', (kind) => {
  it('rebuilds a parent without touching the children that would go with it', async () => {
    const bench = await createBench(kind);
    await bench.migrate(FAMILY('  rank BigInt?'));
    await bench.run(`INSERT INTO parents (id, name, rank) VALUES (1, 'a', 1), (2, 'b', 2)`);
    await bench.run('INSERT INTO children (id, "parentId") VALUES (10, 1), (11, 1), (12, 2)');

    await bench.migrate(FAMILY('  rank String @default("x;y -- \'z\'")').replace('name     String?', 'name     String  @default("")'));

    expect(await bench.rows('SELECT id, name, rank FROM parents ORDER BY id')).toEqual([{ id: 1, name: 'a', rank: '1' }, { id: 2, name: 'b', rank: '2' }]);
    expect(await bench.rows('SELECT id, "parentId" FROM children ORDER BY id')).toEqual([{ id: 10, parentId: 1 }, { id: 11, parentId: 1 }, { id: 12, parentId: 2 }]);
    await bench.run('INSERT INTO parents (id) VALUES (3)');
    expect(await bench.rows('SELECT name, rank FROM parents WHERE id = 3')).toEqual([{ name: '', rank: `x;y -- 'z'` }]);
    await bench.run(`${kind.name === 'sqlite' ? 'PRAGMA foreign_keys = ON; ' : ''}DELETE FROM parents WHERE id = 1`);
    expect(await bench.rows('SELECT id FROM children')).toEqual([{ id: 12 }]);
  });

  it('keeps nothing of a migration that fails half-way, nor of those with it, and finishes once it is corrected', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model First {\n  id Int @id\n}');
    await writeSql(bench, '20990101000000_second', 'CREATE TABLE second (id INTEGER);\n');
    await writeSql(bench, '20990102000000_third', `CREATE TABLE third (id INTEGER);\nINSERT INTO third VALUES (1); -- a; semicolon\nINSERT INTO nowhere VALUES (';');\n`);

    const error = await failure(bench.apply());

    expect(error.code).toBe('migration/failed');
    expect(error.message).toContain('20990102000000_third');
    expect(error.message).toContain('nowhere');
    expect(await bench.status()).toMatchObject({ pending: ['20990101000000_second', '20990102000000_third'], failed: [] });
    await expect(bench.rows('SELECT * FROM second')).rejects.toThrow(/second/);
    await expect(bench.rows('SELECT * FROM third')).rejects.toThrow(/third/);

    await writeSql(bench, '20990102000000_third', `CREATE TABLE third (id INTEGER, t TEXT);\nINSERT INTO third VALUES (1, 'a;b'); -- a; semicolon\n`);
    expect((await bench.apply()).applied).toEqual(['20990101000000_second', '20990102000000_third']);
    expect(await bench.rows('SELECT * FROM third')).toEqual([{ id: 1, t: 'a;b' }]);
    expect((await bench.apply()).applied).toEqual([]);
  });

  it('refuses a script after which rows would point nowhere', async () => {
    const bench = await createBench(kind);
    await bench.migrate(FAMILY(''));
    await bench.run(`INSERT INTO parents (id) VALUES (1); INSERT INTO children (id, "parentId") VALUES (10, 1)`);
    await writeSql(bench, '20990101000000_break', kind.name === 'sqlite' ? 'DELETE FROM parents;' : 'INSERT INTO children (id, "parentId") VALUES (11, 99);');

    expect((await failure(bench.apply())).code).toBe('migration/failed');
    expect(await bench.rows('SELECT id FROM parents')).toEqual([{ id: 1 }]);
    expect(await bench.rows('SELECT id FROM children')).toEqual([{ id: 10 }]);
  });

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
    let longest = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        const start = performance.now();
        await writer.write('INSERT INTO "A" (id) SELECT coalesce(max(id), 0) + 1 FROM "A"');
        longest = Math.max(longest, performance.now() - start);
        written += 1;
        await nextTurn();
      }
    })();

    for (let index = 0; index < 5; index++) await bench.migrate(`model A {\n  id Int @id\n  b ${index % 2 === 0 ? 'BigInt' : 'String'}?\n}`, { acceptsDataLoss: true });
    isDone = true;
    await writing;
    await writer.close();

    expect(await bench.rows('SELECT CAST(count(*) AS TEXT) AS n FROM "A"')).toEqual([{ n: String(written) }]);
    expect(longest).toBeLessThan(2000);
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

  it('writes the records Prisma writes', async () => {
    const bench = await createBench(kind);
    const { name } = await bench.migrate('model A {\n  id Int @id\n}');
    const sql = await readFile(join(bench.folder, String(name), 'migration.sql'), 'utf8');

    const rows = await bench.rows('SELECT * FROM _prisma_migrations');

    expect(rows).toEqual([
      expect.objectContaining({ migration_name: name, checksum: createHash('sha256').update(sql).digest('hex'), applied_steps_count: 1, logs: null, rolled_back_at: null }),
    ]);
    const input = { migrationsList: await migrationList(bench), filters: { externalTables: [], externalEnums: [] } };
    await withPrismaEngine(kind, bench.url, async (engine) => {
      expect(await engine.diagnoseMigrationHistory({ ...input, optInToShadowDatabase: false })).toEqual({ hasMigrationsTable: true, failedMigrationNames: [], editedMigrationNames: [], history: null });
      expect(await engine.applyMigrations(input)).toEqual({ appliedMigrationNames: [] });
    });
  });

  it('goes on where Prisma itself has migrated', async () => {
    const bench = await createBench(kind);
    const { name } = await bench.migrate('model A {\n  id Int @id\n}');
    const production = await bench.elsewhere();
    const input = { migrationsList: await migrationList(bench), filters: { externalTables: [], externalEnums: [] } };
    await withPrismaEngine(kind, production.url, (engine) => engine.applyMigrations(input));

    expect(await production.status()).toEqual({ applied: [name], pending: [], failed: [], edited: [], missing: [] });
    expect((await production.apply()).applied).toEqual([]);
    await bench.migrate('model A {\n  id Int @id\n  b Int?\n}');
    expect((await production.apply()).applied).toHaveLength(1);
    expect(await drift(kind, production, 'model A {\n  id Int @id\n  b Int?\n}')).toBe('');
  });

  it('stops where another tool left a migration unfinished', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model A {\n  id Int @id\n}');
    await writeSql(bench, '20990101000000_bad', 'CREATE TABLE later (id INTEGER);');
    await bench.run(`INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ('x', 'y', '20990101000000_bad', '2026-01-01T00:00:00.000+00:00')`);

    expect(await bench.status()).toMatchObject({ failed: ['20990101000000_bad'], pending: ['20990101000000_bad'] });
    const error = await failure(bench.apply());
    expect(error.code).toBe('migration/failed-before');
    expect(error.hint).toContain('20990101000000_bad');
    await bench.run(`UPDATE _prisma_migrations SET rolled_back_at = '2026-01-01T00:00:00.000+00:00' WHERE id = 'x'`);
    expect((await bench.apply()).applied).toEqual(['20990101000000_bad']);
  });
});

const BASE = 'model Article {\n  id Int @id\n  title String?\n  teaser String?\n}';
const WITH_VIEWS = BASE.replace('}', '  views Int?\n}');

/** Two clones that migrate apart from one base; the other's migrations then arrive in the first. */
const migrateApart = async (kind: TestDatabaseKind, mineModels: string, theirModels: string): Promise<Bench> => {
  const mine = await createBench(kind);
  await mine.migrate(BASE);
  const theirs = await createBench(kind);
  await cp(mine.folder, theirs.folder, { recursive: true });
  await theirs.apply();
  await mine.migrate(mineModels);
  await theirs.migrate(theirModels, { label: 'theirs' });
  await cp(theirs.folder, mine.folder, { recursive: true });
  return mine;
};

describe.each(databases)('branches on $name', (kind) => {
  it('joins what two branches migrated apart', async () => {
    const tag = 'model Tag {\n  id Int @id\n}';
    const mine = await migrateApart(kind, WITH_VIEWS, `${BASE.replace('title String?', 'title String? @unique').replace('}', '  body String?\n}')}\n\n${tag}`);

    expect((await mine.apply()).applied).toHaveLength(1);

    const joined = `${WITH_VIEWS.replace('title String?', 'title String? @unique').replace('}', '  body String?\n}')}\n\n${tag}`;
    expect((await mine.migrate(joined)).name).toBeNull();
    expect(await drift(kind, mine, joined)).toBe('');
    const fresh = await mine.elsewhere();
    await fresh.apply();
    expect(await drift(kind, fresh, joined)).toBe('');
  });
});

describe.each(databases.filter(({ name }) => name === 'sqlite'))('tables rebuilt on $name', (kind) => {
  it('does not let a migration of another branch take away what it did not know', async () => {
    const mine = await migrateApart(kind, WITH_VIEWS, BASE.replace('  teaser String?\n', ''));

    const error = await failure(mine.apply());

    expect(error.code).toBe('migration/made-apart');
    expect(error.message).toContain('Article');
    expect(await drift(kind, mine, WITH_VIEWS)).toBe('');
    expect((await failure((await mine.elsewhere()).apply())).code).toBe('migration/made-apart');
    const apart = (await readdir(mine.folder)).find((name) => name.endsWith('theirs')) ?? '';
    await rm(join(mine.folder, apart), { recursive: true });
    await mine.migrate(WITH_VIEWS.replace('  teaser String?\n', ''));
    expect(await drift(kind, mine, WITH_VIEWS.replace('  teaser String?\n', ''))).toBe('');
  });

  it('does not let a rebuilt table lose a column the schema does not know', async () => {
    const bench = await createBench(kind);
    await bench.migrate(BASE);
    await bench.run('ALTER TABLE "Article" ADD COLUMN by_hand TEXT');
    await bench.run(`INSERT INTO "Article" (id, title, by_hand) VALUES (1, 't', 'kept')`);

    const error = await failure(bench.migrate(BASE.replace('title String?', 'title String @default("")'), { acceptsDataLoss: true }));

    expect(error.code).toBe('migration/unknown-columns');
    expect(error.kind).toBe('data-loss');
    expect(error.details['losses']).toEqual([{ kind: 'column', table: 'Article', column: 'by_hand', rows: 1 }]);
    expect(await bench.rows('SELECT by_hand FROM "Article"')).toEqual([{ by_hand: 'kept' }]);
    expect(await bench.status()).toMatchObject({ pending: [] });
  });
});

describe.each(databases)('scripts written by hand on $name', (kind) => {
  it.each([
    ['a column', 'ALTER TABLE "Article" DROP COLUMN teaser;', { kind: 'column', table: 'Article', column: 'teaser', rows: 1 }],
    ['a table', 'DROP TABLE "Article";', { kind: 'table', table: 'Article', rows: 1 }],
  ])('asks before %s goes that holds something', async (_what, sql, loss) => {
    const bench = await createBench(kind);
    await bench.migrate(BASE);
    await bench.run(`INSERT INTO "Article" (id, teaser) VALUES (1, 'x')`);
    await writeSql(bench, '20990101000000_hand', sql);

    expect((await failure(bench.apply())).details['losses']).toEqual([loss]);
    expect(await bench.rows('SELECT teaser FROM "Article"')).toEqual([{ teaser: 'x' }]);

    await writeSql(bench, '20990101000000_hand', `-- accept-data-loss\n${sql}`);
    expect((await bench.apply()).applied).toEqual(['20990101000000_hand']);
  });

  it('lets go what holds nothing', async () => {
    const bench = await createBench(kind);
    await bench.migrate(BASE);
    await bench.run('INSERT INTO "Article" (id) VALUES (1)');
    await writeSql(bench, '20990101000000_hand', 'ALTER TABLE "Article" DROP COLUMN teaser;');
    expect((await bench.apply()).applied).toEqual(['20990101000000_hand']);
    await expect(bench.rows('SELECT teaser FROM "Article"')).rejects.toThrow(/teaser/);
  });
});
