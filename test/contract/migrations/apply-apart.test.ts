import { createHash } from 'node:crypto';
import { cp, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createBench, drift, failure, withPrismaEngine, writeSql } from './support.js';
import type { Bench } from './support.js';

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

describe.each(databases)('migrations of other tools on $name', (kind) => {
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
