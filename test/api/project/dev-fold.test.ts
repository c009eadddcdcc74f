import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToken } from '../../../src/access/tokens.js';
import { deployProject, projectMigrationStatus } from '../../../src/project/migrate/migrate-project.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import type { MigrateProjectOptions } from '../../../src/project/migrate/migrate-project.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { startDev } from '../../../src/project/serve/start-dev.js';
import type { DevEvent } from '../../../src/project/serve/start-dev.js';
import { findUnpublishedMigrations, rebuildApp } from '../../../src/project/serve/rebuild-app.js';
import { isUpToDate } from '../../../src/migrations/apply/migration-history.js';
import type { MigrateResult } from '../../../src/migrations/migrate.js';
import { createHotSwapServer } from '../../../src/server/create-hot-swap-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createSiteFolder } from '../support/site.js';

const NOTE_FILE = 'src/api/note/content-types/note/schema.json';

type Attributes = Readonly<Record<string, unknown>>;

const note = (attributes: Attributes): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  });

const TEXT = { text: { type: 'string' } };

const git = (root: string, ...argv: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], { cwd: root });
};

/** A project in a git repository, whose first migration is committed. */
const createRepository = async (database: TestDatabaseKind) => {
  const { root, remove } = await createSiteFolder({ project: 'magazine', database });
  onTestFinished(remove);
  const folder = join(root, 'prisma/migrations');
  const save = async (attributes: Attributes | null): Promise<void> => {
    const file = join(root, NOTE_FILE);
    if (attributes === null) return rm(join(root, 'src/api/note'), { recursive: true });
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, note(attributes));
  };
  const migrate = async (options: Partial<MigrateProjectOptions> = {}): Promise<MigrateResult> =>
    migrateProjectDatabase(await openProject(root), {
      label: 'notes',
      findUnpublished: () => findUnpublishedMigrations(root),
      ...options,
    });
  const names = async (): Promise<readonly string[]> =>
    (await readdir(folder)).filter((name) => !name.endsWith('.toml')).map((name) => name.slice(15));
  const run = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { config, dialect } = await openProject(root);
    const session = await dialect.migrations.openSession(config.database.url, {
      lockTimeoutMs: 1000,
      isWritable: true,
    });
    try {
      return await session.query(sql);
    } finally {
      await session.close();
    }
  };
  const isClean = async (): Promise<boolean> =>
    isUpToDate(await projectMigrationStatus(await openProject(root)));
  await migrate({ label: 'start' });
  git(root, 'init', '--quiet');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'start');
  return { root, folder, save, migrate, names, run, isClean };
};

const insertNote = `INSERT INTO notes_documents (document_id) VALUES ('one')`;
const insertVersion = `INSERT INTO notes (document_id, locale, status, text, created_at, updated_at)
  VALUES ('one', '', 'published', 'kept', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;

describe.each(databases)('a development server beside a command on $name', (database) => {
  it('reverts nothing that the command migrates after the server has loaded the content-types', async () => {
    const { root, save, migrate, names, run, isClean } = await createRepository(database);
    await save({ ...TEXT, weight: { type: 'integer' } });
    const server = createHotSwapServer();
    let isFirst = true;
    const pause = async (): Promise<void> => {
      if (isFirst) {
        isFirst = false;
        await save({ ...TEXT, weight: { type: 'integer' }, height: { type: 'integer' } });
        await migrate({ label: 'command' });
      }
      await server.pause();
    };
    const result = await rebuildApp({
      root,
      overrides: {},
      server: { ...server, pause },
      logger: createLogger({ level: 'error', root }),
      prompts: {},
      signal: new AbortController().signal,
      onHeld: () => undefined,
    });
    onTestFinished(() => server.close());
    expect(isFirst).toBe(false);
    expect(result?.migration).toBeNull();
    expect(result?.project.model.typesByUid['api::note.note']?.attributes).toHaveProperty('height');
    expect(await names()).toEqual(['start', 'command']);
    expect(await run('SELECT height, weight FROM notes')).toEqual([]);
    expect(await isClean()).toBe(true);
  });
});

describe.each(databases)('unpublished migrations on $name', (database) => {
  it('are folded into one, which another database applies to the same end', async () => {
    const { root, folder, save, migrate, names, run, isClean } = await createRepository(database);
    await save(TEXT);
    const first = await migrate();
    expect(first).toMatchObject({ replaced: null });
    await run(insertNote);
    await run(insertVersion);
    await save({ ...TEXT, wieght: { type: 'integer' } });
    const second = await migrate();
    expect(second).toMatchObject({ replaced: first.name });
    await save({ ...TEXT, weight: { type: 'integer' } });
    const third = await migrate({ label: 'other' });
    expect(third).toMatchObject({ replaced: second.name });
    expect(await names()).toEqual(['start', 'notes']);
    expect(await readdir(join(folder, third.name ?? ''))).not.toContain('.replaces');
    expect(await readFile(join(folder, third.name ?? '', 'migration.sql'), 'utf8')).not.toContain('wieght');
    expect(await readdir(join(root, 'prisma'))).toEqual(['migrations']);
    expect(await run('SELECT text, weight FROM notes')).toEqual([{ text: 'kept', weight: null }]);
    expect(
      await run('SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1 DESC LIMIT 1'),
    ).toEqual([{ name: third.name }]);
    expect(await isClean()).toBe(true);
    const other = await database.create();
    const elsewhere = await openProject(root, { databaseUrl: other.url });
    await deployProject(elsewhere);
    expect(await migrateProjectDatabase(elsewhere, { label: 'none' })).toMatchObject({ sql: '' });
    await other.drop();
  });

  it('disappear if the change is reverted', async () => {
    const { save, migrate, names, isClean } = await createRepository(database);
    await save(TEXT);
    const { name } = await migrate();
    await save(null);
    expect(await migrate()).toMatchObject({ name: null, replaced: name });
    expect(await names()).toEqual(['start']);
    expect(await isClean()).toBe(true);
    expect((await migrate()).sql).toBe('');
  });

  it('stay where they are staged, have code, or lose something, and without git', async () => {
    const { root, folder, save, migrate, names } = await createRepository(database);
    await save(TEXT);
    await migrate();
    git(root, 'add', '.');
    await save({ ...TEXT, b: { type: 'string' } });
    const staged = await migrate();
    await writeFile(join(folder, staged.name ?? '', 'migrate.ts'), 'export default () => undefined;');
    await save({ ...TEXT, b: { type: 'string' }, c: { type: 'string' } });
    const withCode = await migrate();
    await save({ ...TEXT, c: { type: 'string' } });
    const destructive = await migrate();
    await save({ ...TEXT, c: { type: 'string' }, d: { type: 'string' } });
    const afterDestructive = await migrate();
    await rename(join(root, '.git'), join(root, '.hidden'));
    await save({ ...TEXT, c: { type: 'string' }, d: { type: 'text' }, e: { type: 'string' } });
    const withoutGit = await migrate();
    const migrated = [staged, withCode, destructive, afterDestructive, withoutGit];
    expect(migrated.map(({ replaced }) => replaced)).toEqual([null, null, null, null, null]);
    expect(await names()).toHaveLength(7);
  });

  it('are whole again after a process was killed while it replaced one', async () => {
    const { root, folder, save, migrate, names, run, isClean } = await createRepository(database);
    await save(TEXT);
    const first = (await migrate()).name ?? '';
    const copy = join(root, 'copy');
    await cp(join(folder, first), copy, { recursive: true });
    await save({ ...TEXT, size: { type: 'integer' } });
    const second = (await migrate()).name ?? '';
    // Killed after the commit: the old folder stands aside.
    await cp(copy, join(root, `prisma/.folded-${first}`), { recursive: true });
    await writeFile(join(folder, second, '.replaces'), first);
    expect((await migrate()).sql).toBe('');
    expect(await readdir(join(root, 'prisma'))).toEqual(['migrations']);
    expect(await isClean()).toBe(true);
    // Killed before the commit: the new folder is not applied.
    const third = '99990101000000_notes';
    await rename(join(folder, second), join(root, `prisma/.folded-${second}`));
    await cp(copy, join(folder, third), { recursive: true });
    await writeFile(join(folder, third, '.replaces'), second);
    expect((await migrate()).sql).toBe('');
    expect(await names()).toEqual(['start', 'notes']);
    expect(await isClean()).toBe(true);
    expect(await run('SELECT size FROM notes')).toEqual([]);
  });
});

describe.each(databases.slice(0, 1))('the development server', (database) => {
  it('writes one migration for several saves of one change', async () => {
    const { root, save, names } = await createRepository(database);
    const events: DevEvent[] = [];
    const server = await startDev(root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger: createLogger({ level: 'silent' }),
      onEvent: (event) => events.push(event),
    });
    onTestFinished(server.close);
    const { context, close } = await openProjectDatabase(await openProject(root));
    const { accessKey } = await createToken(context, { name: 'dev', type: 'full-access' });
    await close();
    for (const [index, attributes] of [TEXT, { ...TEXT, size: { type: 'integer' } }].entries()) {
      await save(attributes);
      await expect.poll(() => events.length, { timeout: 20_000, interval: 10 }).toBe(index + 2);
    }
    expect(events).toMatchObject([
      { kind: 'serving', migration: null },
      { kind: 'serving', replaced: null },
      { kind: 'serving', replaced: (events[1] as { migration: string }).migration },
    ]);
    expect(await names()).toEqual(['start', 'notes_documents_notes']);
    const response = await fetch(`${server.url}/api/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { text: 'a', size: 1 } }),
    });
    expect(response.status).toBe(201);
    expect(events).toHaveLength(3);
  });
});
