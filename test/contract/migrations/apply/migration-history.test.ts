import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../src/database/get-dialect.js';
import { applyMigrations } from '../../../../src/migrations/apply/apply-migrations.js';
import { migrationStatus } from '../../../../src/migrations/apply/migration-history.js';
import { databases } from '../../../support/databases.js';
import { createMigrationFixture, rejectionOf } from '../migration-fixture.js';

describe.each(databases)('status on $name', (kind) => {
  it('distinguishes pending, applied, edited and missing migrations', async () => {
    const fixture = await createMigrationFixture(kind);
    const first = (await fixture.migrate('model A {\n  id Int @id\n}')).name ?? '';
    const second = (await fixture.migrate('model A {\n  id Int @id\n  b Int?\n}')).name ?? '';
    expect(await fixture.status()).toEqual({
      applied: [first, second],
      pending: [],
      drafts: [],
      unfinished: [],
      failed: [],
      edited: [],
      missing: [],
    });

    const file = join(fixture.folder, first, 'migration.sql');
    const sql = await readFile(file, 'utf8');
    await writeFile(file, sql.replaceAll('\n', '\r\n'));
    expect(await fixture.status()).toMatchObject({ edited: [] });
    await writeFile(file, `${sql}-- touched\n`);
    expect(await fixture.status()).toMatchObject({ edited: [first], pending: [], missing: [] });
    await writeFile(file, sql);

    await rm(join(fixture.folder, second), { recursive: true });
    expect(await fixture.status()).toEqual({
      applied: [first, second],
      pending: [],
      drafts: [],
      unfinished: [],
      failed: [],
      edited: [],
      missing: [second],
    });

    const production = await fixture.withEmptyDatabase();
    expect(await production.status()).toEqual({
      applied: [],
      pending: [first],
      drafts: [],
      unfinished: [],
      failed: [],
      edited: [],
      missing: [],
    });
  });

  it('changes nothing', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate('model A {\n  id Int @id\n}');
    const production = await fixture.withEmptyDatabase();

    await production.status();
    await production.preview('model A {\n  id Int @id\n}');

    const path = production.url.startsWith('file:') ? production.url.slice('file:'.length) : null;
    const traces =
      path === null
        ? await production.rows(
            `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
          )
        : [path].filter((file) => existsSync(file));
    expect(traces).toEqual([]);
  });

  it('creates the folder of the database only to write', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate('model A {\n  id Int @id\n}');
    const target = {
      folder: fixture.folder,
      url: fixture.url.replace('/data.db', '/not/there/yet/data.db'),
      dialect: getDialect(kind.name),
    };
    const databaseFolder = target.dialect.migrations.databaseFolder(target.url);

    await migrationStatus(target);
    expect(databaseFolder !== null && existsSync(databaseFolder)).toBe(false);
    await applyMigrations(target);
    expect(databaseFolder === null || existsSync(databaseFolder)).toBe(true);
  });

  it('refuses migrations for another kind of database', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate('model A {\n  id Int @id\n}');
    await writeFile(join(fixture.folder, 'migration_lock.toml'), 'provider = "mysql"\n');

    for (const attempt of [
      () => fixture.status(),
      () => fixture.apply(),
      () => fixture.migrate('model B {\n  id Int @id\n}'),
    ]) {
      expect((await rejectionOf(attempt())).code).toBe('migration/wrong-database');
    }
  });

  it('names a migration that cannot be read', async () => {
    const fixture = await createMigrationFixture(kind);
    const { name } = await fixture.migrate('model A {\n  id Int @id\n}');
    const file = join(fixture.folder, String(name), 'migration.sql');
    await writeFile(file, `-- renamed {"kind":"column","from":"title"}\n`);
    const damaged = await rejectionOf(fixture.apply());
    expect(damaged.code).toBe('migration/unreadable');
    await rm(file);
    const error = await rejectionOf(fixture.status());
    expect(error.code).toBe('migration/unreadable');
    expect(error.message).toContain(String(name));
  });
});
