import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialectNamed } from '../../../src/dialects/dialect-named.js';
import { applyMigrations } from '../../../src/migrations/apply.js';
import { migrationStatus } from '../../../src/migrations/status.js';
import { databases } from '../../support/databases.js';
import { createBench, failure } from './support.js';

describe.each(databases)('status on $name', (kind) => {
  it('tells pending, applied, edited and missing apart', async () => {
    const bench = await createBench(kind);
    const first = (await bench.migrate('model A {\n  id Int @id\n}')).name ?? '';
    const second = (await bench.migrate('model A {\n  id Int @id\n  b Int?\n}')).name ?? '';
    expect(await bench.status()).toEqual({ applied: [first, second], pending: [], failed: [], edited: [], missing: [] });

    const file = join(bench.folder, first, 'migration.sql');
    const sql = await readFile(file, 'utf8');
    await writeFile(file, sql.replaceAll('\n', '\r\n'));
    expect(await bench.status()).toMatchObject({ edited: [] });
    await writeFile(file, `${sql}-- touched\n`);
    expect(await bench.status()).toMatchObject({ edited: [first], pending: [], missing: [] });
    await writeFile(file, sql);

    await rm(join(bench.folder, second), { recursive: true });
    expect(await bench.status()).toEqual({ applied: [first, second], pending: [], failed: [], edited: [], missing: [second] });

    const production = await bench.elsewhere();
    expect(await production.status()).toEqual({ applied: [], pending: [first], failed: [], edited: [], missing: [] });
  });

  it('looks without leaving a trace', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model A {\n  id Int @id\n}');
    const production = await bench.elsewhere();

    await production.status();
    await production.preview('model A {\n  id Int @id\n}');

    const path = production.url.startsWith('file:') ? production.url.slice('file:'.length) : null;
    const traces = path === null ? await production.rows(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`) : [path].filter((file) => existsSync(file));
    expect(traces).toEqual([]);
  });

  it('makes the folder of the database where there is none, but only to write', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model A {\n  id Int @id\n}');
    const address = { folder: bench.folder, url: bench.url.replace('/data.db', '/not/there/yet/data.db'), dialect: dialectNamed(kind.name) };
    const wanted = address.dialect.migrations.folderOf(address.url);

    await migrationStatus(address);
    expect(wanted !== null && existsSync(wanted)).toBe(false);
    await applyMigrations(address);
    expect(wanted === null || existsSync(wanted)).toBe(true);
  });

  it('refuses migrations made for another database', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model A {\n  id Int @id\n}');
    await writeFile(join(bench.folder, 'migration_lock.toml'), 'provider = "mysql"\n');

    for (const attempt of [() => bench.status(), () => bench.apply(), () => bench.migrate('model B {\n  id Int @id\n}')]) {
      expect((await failure(attempt())).code).toBe('migration/wrong-database');
    }
  });

  it('names the folder that cannot be read', async () => {
    const bench = await createBench(kind);
    const { name } = await bench.migrate('model A {\n  id Int @id\n}');
    const file = join(bench.folder, String(name), 'migration.sql');
    await writeFile(file, `-- at-stake {"kind":"column","table":"articles"}\n`);
    const damaged = await failure(bench.apply());
    expect(damaged.code).toBe('migration/unreadable');
    await rm(file);
    const error = await failure(bench.status());
    expect(error.code).toBe('migration/unreadable');
    expect(error.message).toContain(String(name));
  });
});
