import { createHash } from 'node:crypto';
import { cp, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import {
  createMigrationFixture,
  findDrift,
  rejectionOf,
  withPrismaEngine,
  writeSql,
} from './migration-fixture.js';
import type { MigrationFixture } from './migration-fixture.js';

const migrationList = async ({ folder }: MigrationFixture) => {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const directories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(folder, name, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const lockfile = {
    path: 'migration_lock.toml',
    content: await readFile(join(folder, 'migration_lock.toml'), 'utf8'),
  };
  return { baseDir: folder, lockfile, shadowDbInitScript: '', migrationDirectories: directories };
};

describe.each(databases)('migrations of other tools on $name', (kind) => {
  it('writes the records that Prisma writes', async () => {
    const fixture = await createMigrationFixture(kind);
    const { name } = await fixture.migrate('model A {\n  id Int @id\n}');
    const sql = await readFile(join(fixture.folder, String(name), 'migration.sql'), 'utf8');

    const rows = await fixture.rows('SELECT * FROM _prisma_migrations');

    expect(rows).toEqual([
      expect.objectContaining({
        migration_name: name,
        checksum: createHash('sha256').update(sql).digest('hex'),
        applied_steps_count: 1,
        logs: null,
        rolled_back_at: null,
      }),
    ]);
    const input = {
      migrationsList: await migrationList(fixture),
      filters: { externalTables: [], externalEnums: [] },
    };
    await withPrismaEngine(kind, fixture.url, async (engine) => {
      expect(await engine.diagnoseMigrationHistory({ ...input, optInToShadowDatabase: false })).toEqual({
        hasMigrationsTable: true,
        failedMigrationNames: [],
        editedMigrationNames: [],
        history: null,
      });
      expect(await engine.applyMigrations(input)).toEqual({ appliedMigrationNames: [] });
    });
  });

  it('continues where Prisma itself has migrated', async () => {
    const fixture = await createMigrationFixture(kind);
    const { name } = await fixture.migrate('model A {\n  id Int @id\n}');
    const production = await fixture.withEmptyDatabase();
    const input = {
      migrationsList: await migrationList(fixture),
      filters: { externalTables: [], externalEnums: [] },
    };
    await withPrismaEngine(kind, production.url, (engine) => engine.applyMigrations(input));

    expect(await production.status()).toEqual({
      applied: [name],
      pending: [],
      drafts: [],
      unfinished: [],
      failed: [],
      edited: [],
      missing: [],
    });
    expect((await production.apply()).applied).toEqual([]);
    await fixture.migrate('model A {\n  id Int @id\n  b Int?\n}');
    expect((await production.apply()).applied).toHaveLength(1);
    expect(await findDrift(kind, production, 'model A {\n  id Int @id\n  b Int?\n}')).toBe('');
  });

  it('refuses to continue an unfinished migration of another tool', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate('model A {\n  id Int @id\n}');
    await writeSql(fixture, '20990101000000_bad', 'CREATE TABLE later (id INTEGER);');
    await fixture.run(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
      VALUES ('x', 'y', '20990101000000_bad', '2026-01-01T00:00:00.000+00:00')`,
    );

    expect(await fixture.status()).toMatchObject({
      failed: ['20990101000000_bad'],
      pending: ['20990101000000_bad'],
    });
    const error = await rejectionOf(fixture.apply());
    expect(error.code).toBe('migration/unfinished');
    expect(error.hint).toContain('20990101000000_bad');
    await fixture.run(
      `UPDATE _prisma_migrations SET rolled_back_at = '2026-01-01T00:00:00.000+00:00' WHERE id = 'x'`,
    );
    expect((await fixture.apply()).applied).toEqual(['20990101000000_bad']);
  });
});

const BASE = 'model Article {\n  id Int @id\n  title String?\n  teaser String?\n}';
const WITH_VIEWS = BASE.replace('}', '  views Int?\n}');

/** Migrates two clones with a common base, then copies the migrations of the second to the first. */
const migrateOnTwoBranches = async (
  kind: TestDatabaseKind,
  ourModels: string,
  theirModels: string,
): Promise<MigrationFixture> => {
  const ours = await createMigrationFixture(kind);
  await ours.migrate(BASE);
  const theirs = await createMigrationFixture(kind);
  await cp(ours.folder, theirs.folder, { recursive: true });
  await theirs.apply();
  await ours.migrate(ourModels);
  await theirs.migrate(theirModels, { label: 'theirs' });
  await cp(theirs.folder, ours.folder, { recursive: true });
  return ours;
};

describe.each(databases)('branches on $name', (kind) => {
  it('merges the migrations of two branches', async () => {
    const tag = 'model Tag {\n  id Int @id\n}';
    const ours = await migrateOnTwoBranches(
      kind,
      WITH_VIEWS,
      `${BASE.replace('title String?', 'title String? @unique').replace('}', '  body String?\n}')}\n\n${tag}`,
    );

    expect((await ours.apply()).applied).toHaveLength(1);

    const article = WITH_VIEWS.replace('title String?', 'title String? @unique');
    const joined = `${article.replace('}', '  body String?\n}')}\n\n${tag}`;
    expect((await ours.migrate(joined)).name).toBeNull();
    expect(await findDrift(kind, ours, joined)).toBe('');
    const fresh = await ours.withEmptyDatabase();
    await fresh.apply();
    expect(await findDrift(kind, fresh, joined)).toBe('');
  });
});

describe.each(databases.filter(({ name }) => name === 'sqlite'))('tables rebuilt on $name', (kind) => {
  it('refuses a migration of another branch that would drop unknown columns', async () => {
    const ours = await migrateOnTwoBranches(kind, WITH_VIEWS, BASE.replace('  teaser String?\n', ''));

    const error = await rejectionOf(ours.apply());

    expect(error.code).toBe('migration/diverged');
    expect(error.message).toContain('Article');
    expect(await findDrift(kind, ours, WITH_VIEWS)).toBe('');
    expect((await rejectionOf((await ours.withEmptyDatabase()).apply())).code).toBe('migration/diverged');
    const diverged = (await readdir(ours.folder)).find((name) => name.endsWith('theirs')) ?? '';
    await rm(join(ours.folder, diverged), { recursive: true });
    await ours.migrate(WITH_VIEWS.replace('  teaser String?\n', ''));
    expect(await findDrift(kind, ours, WITH_VIEWS.replace('  teaser String?\n', ''))).toBe('');
  });

  it('refuses to rebuild a table with a column that the schema lacks', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(BASE);
    await fixture.run('ALTER TABLE "Article" ADD COLUMN by_hand TEXT');
    await fixture.run(`INSERT INTO "Article" (id, title, by_hand) VALUES (1, 't', 'kept')`);

    const error = await rejectionOf(
      fixture.migrate(BASE.replace('title String?', 'title String @default("")'), { acceptsDataLoss: true }),
    );

    expect(error.code).toBe('migration/unmanaged-data-loss');
    expect(error.kind).toBe('data-loss');
    expect(error.details['changes']).toMatchObject([
      { kind: 'dropped', type: 'table Article', path: 'by_hand', values: 1 },
    ]);
    expect(await fixture.rows('SELECT by_hand FROM "Article"')).toEqual([{ by_hand: 'kept' }]);
    expect(await fixture.status()).toMatchObject({ pending: [] });
  });
});
