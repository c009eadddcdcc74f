import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DialectName } from '../dialects/dialect.js';
import { fail } from '../errors/catalogue.js';
import { mergeSchemas } from './merge-schemas.js';
import { parseHead } from './migration-head.js';
import type { MigrationHead } from './migration-head.js';
import { parseSnapshot } from './schema-snapshot.js';
import type { SchemaSnapshot } from './schema-snapshot.js';

export const SQL_FILE = 'migration.sql';
export const SNAPSHOT_FILE = 'schema.snapshot';
export const LOCK_FILE = 'migration_lock.toml';

/** One folder under `prisma/migrations`. */
export interface Migration extends MigrationHead {
  /** `20260131093000_add_tags` */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, in hexadecimal, as Prisma writes it down. */
  readonly checksum: string;
  /** Null where the migration was written by hand: it does not change the schema that is known. */
  readonly snapshot: SchemaSnapshot | null;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** A file's text; null: there is none. */
export const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether the file is the one that was applied; version control may have changed the ends of its lines, which is no change. */
export function matchesChecksum({ sql, checksum }: Pick<Migration, 'sql' | 'checksum'>, applied: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return checksum === applied || hash(unix) === applied || hash(unix.replaceAll('\n', '\r\n')) === applied;
}

/** Reads one migration's folder. */
export const loadMigration = async (folder: string, name: string): Promise<Migration> => {
  const file = join(folder, name, SQL_FILE);
  const [sql, snapshot] = await Promise.all([readIfThere(file), readIfThere(join(folder, name, SNAPSHOT_FILE))]);
  if (sql === null) throw fail('migration/unreadable', { name, file, reason: `it has no ${SQL_FILE}` });
  try {
    return { name, sql, checksum: hash(sql), ...parseHead(sql), snapshot: snapshot === null ? null : parseSnapshot(snapshot) };
  } catch (error) {
    throw fail('migration/unreadable', { name, file: join(folder, name), reason: error instanceof Error ? error.message : String(error) }, { cause: error });
  }
};

/** The names of the migrations in a folder's listing, oldest first. */
export const migrationNames = (entries: readonly Dirent[]): readonly string[] =>
  entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name).toSorted();

/**
 * Every migration of the project, oldest first; none where there is no folder.
 *
 * @throws `migration/unreadable` where a folder lacks its SQL or its files are damaged.
 */
export async function loadMigrations(folder: string): Promise<readonly Migration[]> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return Promise.all(migrationNames(entries).map((name) => loadMigration(folder, name)));
}

/**
 * The schema the migrations lead to, known from files alone: null where there are none.
 *
 * Each migration keeps the schema it arrives at beside its SQL, in one folder that appears at once. So a fresh clone knows where it
 * stands without a database, a killed process leaves no folder whose schema is missing, and the SQL of twenty migrations need not be
 * run on a shadow database, which a hosted PostgreSQL often forbids. One file for all migrations would be shorter, but would conflict
 * whenever two branches each add one. Here each names the migration it came after; where two came after the same one, what the later
 * changed is applied to what the earlier left.
 */
export function schemaAfter(migrations: readonly Pick<Migration, 'name' | 'snapshot'>[]): string | null {
  let state: string | null = null;
  let last: string | null = null;
  for (const { name, snapshot } of migrations) {
    if (snapshot === null) continue;
    const base: string | undefined = snapshot.parent === null ? '' : migrations.find((migration) => migration.name === snapshot.parent)?.snapshot?.text;
    state = state === null || base === undefined || snapshot.parent === last ? snapshot.text : mergeSchemas(base, state, snapshot.text);
    last = name;
  }
  return state;
}

/**
 * Migrations are SQL for one database; running them on another would fail half-way through.
 *
 * @throws `migration/wrong-database`
 */
export async function assertSameDatabase(folder: string, provider: DialectName): Promise<void> {
  const lock = await readIfThere(join(folder, LOCK_FILE));
  const recorded = lock === null ? undefined : /^\s*provider\s*=\s*"([^"]*)"/m.exec(lock)?.[1];
  if (recorded !== undefined && recorded !== provider) throw fail('migration/wrong-database', { folder, recorded, configured: provider });
}

/** The last migration whose schema is known: the one the next comes after. */
export function lastKnown(migrations: readonly Pick<Migration, 'name' | 'snapshot'>[]): string | null {
  return migrations.findLast(({ snapshot }) => snapshot !== null)?.name ?? null;
}
