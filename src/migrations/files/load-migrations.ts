import type { Dirent } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DialectName } from '../../database/dialect/dialect.js';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { sha256Hex } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import { mergeSchemas } from '../schema/schema-text.js';
import { isContentDecisions, isUndecided, NO_DECISIONS } from '../content/content-decisions.js';
import type { ContentDecisions } from '../content/content-decisions.js';
import type { Rename } from '../schema/renames.js';
import {
  CONTENT_SNAPSHOT_FILE,
  mergeContentSnapshots,
  parseContentSnapshot,
  parseSnapshot,
} from './snapshots.js';
import type { ContentSnapshot, SchemaSnapshot } from './snapshots.js';

/**
 * The comments at the top of a migration's SQL, for people and for {@link parseHeader}. They are part of the
 * file, since every database that it is applied to needs them.
 */
export interface MigrationHeader {
  /** Renamed tables and columns, whose data is kept. */
  readonly renames: readonly Rename[];
  /** True if the user has accepted the data losses. */
  readonly isDataLossAccepted: boolean;
  /** True if the user has accepted values that the new schema rejects. */
  readonly isInvalidAccepted: boolean;
  /** The user's decisions about stored values. */
  readonly decisions: ContentDecisions;
  /** The histories that this migration folds into one, each oldest first. One for each earlier squash. */
  readonly squashes?: readonly (readonly string[])[];
}

const RENAME_PREFIX = '-- renamed ';
const DECISIONS_PREFIX = '-- content ';
const SQUASHES_PREFIX = '-- squashes ';
const ACCEPTED_LINE = '-- accept-data-loss';
const INVALID_ACCEPTED_LINE = '-- accept-invalid';
/** The second is the former spelling. */
const INVALID_ACCEPTED_LINES: readonly string[] = [INVALID_ACCEPTED_LINE, '-- accept-misfits'];

/** Prints the header, with an empty line after it. Returns an empty text if the header has no lines. */
export function printHeader({
  renames,
  isDataLossAccepted,
  isInvalidAccepted,
  decisions,
  squashes = [],
}: MigrationHeader): string {
  const lines = [
    ...(squashes.length === 0 ? [] : [`${SQUASHES_PREFIX}${JSON.stringify(squashes)}`]),
    ...renames.map((rename) => `${RENAME_PREFIX}${JSON.stringify(rename)}`),
  ];
  if (!isUndecided(decisions)) lines.push(`${DECISIONS_PREFIX}${JSON.stringify(decisions)}`);
  if (isDataLossAccepted) lines.push(ACCEPTED_LINE);
  if (isInvalidAccepted) lines.push(INVALID_ACCEPTED_LINE);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isText);

const isHistories = (value: unknown): value is readonly (readonly string[])[] =>
  Array.isArray(value) && value.every(isTextList);

const isRename = (value: unknown): value is Rename =>
  isRecord(value) &&
  isText(value['from']) &&
  isText(value['to']) &&
  (value['kind'] === 'table' || (value['kind'] === 'column' && isText(value['table'])));

const parsePrefixedLines = <T>(
  lines: readonly string[],
  prefix: string,
  guard: (value: unknown) => value is T,
): readonly T[] =>
  lines
    .filter((line) => line.startsWith(prefix))
    .map((line) => {
      const value: unknown = JSON.parse(line.slice(prefix.length));
      if (!guard(value)) throw new SyntaxError(`this line is damaged: ${line}`);
      return value;
    });

/**
 * Parses the header of a migration's SQL. SQL written by hand has an empty one.
 *
 * @throws SyntaxError if a line is damaged, since ignoring it would lose values
 */
export function parseHeader(sql: string): MigrationHeader {
  const lines = sql.split(/\r?\n/);
  const [squashes] = parsePrefixedLines(lines, SQUASHES_PREFIX, isHistories);
  return {
    ...(squashes === undefined ? {} : { squashes }),
    renames: parsePrefixedLines(lines, RENAME_PREFIX, isRename),
    isDataLossAccepted: lines.some((line) => line.trim() === ACCEPTED_LINE),
    isInvalidAccepted: lines.some((line) => INVALID_ACCEPTED_LINES.includes(line.trim())),
    decisions: parsePrefixedLines(lines, DECISIONS_PREFIX, isContentDecisions).at(-1) ?? NO_DECISIONS,
  };
}

/*
 * Reads the folders under prisma/migrations. migration-draft writes them, migration-header parses the
 * comments at the top of their SQL, and snapshots prints and parses their schemas and content-types.
 */

export const SQL_FILE = 'migration.sql';
export const SNAPSHOT_FILE = 'schema.snapshot';
/** The files that may hold a migration's code. */
export const CODE_FILES: readonly string[] = ['migrate.ts', 'migrate.js', 'migrate.mjs'];
export const LOCK_FILE = 'migration_lock.toml';

/** One folder under `prisma/migrations`. */
export interface Migration extends MigrationHeader {
  /** `20260131093000_add_tags` */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the SQL file, in hexadecimal, as Prisma records it. */
  readonly checksum: string;
  /** The schema after the migration. Null if the migration was written by hand. */
  readonly snapshot: SchemaSnapshot | null;
  /** The content-types after the migration. Null if it was written by hand, or by an older release. */
  readonly content: ContentSnapshot | null;
  /** The name of the file with the migration's code, which runs after its SQL. Null if it has none. */
  readonly codeFile: string | null;
  /** True if the migration is still being written, and must not be applied. */
  readonly isDraft: boolean;
}

/** The line that marks a migration as a draft. */
const DRAFT_LINE = /^-- draft(:|$)/m;

/** Reads a file. Returns null if it does not exist. */
export const readOptionalFile = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
};

/** True if the file is the one that was applied. Line endings are ignored, since Git may change them. */
export function matchesChecksum(
  { sql, checksum }: Pick<Migration, 'sql' | 'checksum'>,
  applied: string,
): boolean {
  const unixSql = sql.replaceAll('\r\n', '\n');
  return (
    checksum === applied ||
    sha256Hex(unixSql) === applied ||
    sha256Hex(unixSql.replaceAll('\n', '\r\n')) === applied
  );
}

/** Reads one migration's folder. */
export const loadMigration = async (folder: string, name: string): Promise<Migration> => {
  const file = join(folder, name, SQL_FILE);
  const [sql, snapshot, content, files] = await Promise.all([
    readOptionalFile(file),
    readOptionalFile(join(folder, name, SNAPSHOT_FILE)),
    readOptionalFile(join(folder, name, CONTENT_SNAPSHOT_FILE)),
    readdir(join(folder, name)),
  ]);
  if (sql === null)
    throw createError('migration/unreadable', { name, file, reason: `it has no ${SQL_FILE}` });
  try {
    return {
      name,
      sql,
      checksum: sha256Hex(sql),
      ...parseHeader(sql),
      snapshot: snapshot === null ? null : parseSnapshot(snapshot),
      content: content === null ? null : parseContentSnapshot(content),
      codeFile: CODE_FILES.find((candidate) => files.includes(candidate)) ?? null,
      isDraft: DRAFT_LINE.test(sql.replaceAll('\r', '')),
    };
  } catch (error) {
    throw createError(
      'migration/unreadable',
      { name, file: join(folder, name), reason: error instanceof Error ? error.message : String(error) },
      { cause: error },
    );
  }
};

/** Returns the names of the migrations among directory entries, oldest first. */
export const migrationNames = (entries: readonly Dirent[]): readonly string[] =>
  entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();

/** Asserts that every migration that another was planned after has a snapshot of its schema. */
const assertSnapshotsPresent = (folder: string, migrations: readonly Migration[]): void => {
  const parents = new Set(migrations.map(({ snapshot }) => snapshot?.parent));
  const damaged = migrations.find(({ name, snapshot }) => snapshot === null && parents.has(name));
  if (damaged === undefined) return;
  const { name } = damaged;
  throw createError('migration/snapshot-missing', { name, file: join(folder, name, SNAPSHOT_FILE) });
};

/**
 * Removes migrations that another one folds. An interrupted squash leaves them behind. A migration planned
 * after the last of them counts as planned after their squash.
 */
const withoutSquashed = (folder: string, migrations: readonly Migration[]): readonly Migration[] => {
  const squashOf = new Map(
    migrations.flatMap((migration) =>
      (migration.squashes ?? []).flat().map((name) => [name, migration] as const),
    ),
  );
  return migrations
    .filter(({ name }) => !squashOf.has(name))
    .map((migration) => {
      const { name, snapshot } = migration;
      const squash = squashOf.get(snapshot?.parent ?? '');
      if (snapshot === null || squash === undefined) return migration;
      const parent = String(snapshot.parent);
      if (squash.squashes?.some((history) => history.at(-1) === parent) !== true)
        throw createError('migration/parent-squashed', {
          name,
          parent,
          squash: squash.name,
          folder: join(folder, name),
        });
      return { ...migration, snapshot: { ...snapshot, parent: squash.name } };
    });
};

/**
 * Loads all migrations of the project, oldest first. Returns none if the folder does not exist.
 *
 * @throws `migration/unreadable` if a folder lacks its SQL or its files are damaged
 * @throws `migration/snapshot-missing` if another migration was planned after one without a schema
 * @throws `migration/parent-squashed` if one was planned between migrations that another folds
 */
export async function loadMigrations(folder: string): Promise<readonly Migration[]> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
  const migrations = await Promise.all(migrationNames(entries).map((name) => loadMigration(folder, name)));
  const unfolded = withoutSquashed(folder, migrations);
  assertSnapshotsPresent(folder, unfolded);
  return unfolded;
}

/**
 * Returns the schema after all migrations, or null if there are none.
 *
 * Each migration stores the schema it leads to next to its SQL. So the schema is known without a database,
 * and without running all migrations on a shadow database, which a hosted PostgreSQL often forbids. One file
 * for all migrations would conflict whenever two branches each add a migration. Each migration names the one
 * it was planned after. If two were planned after the same one, the changes of the later are merged into the
 * schema of the earlier.
 */
export function schemaAfterMigrations(
  migrations: readonly Pick<Migration, 'name' | 'snapshot'>[],
): string | null {
  let schema: string | null = null;
  let last: string | null = null;
  for (const { name, snapshot } of migrations) {
    if (snapshot === null) continue;
    const base: string | undefined =
      snapshot.parent === null
        ? ''
        : migrations.find((migration) => migration.name === snapshot.parent)?.snapshot?.text;
    schema =
      schema === null || base === undefined || snapshot.parent === last
        ? snapshot.text
        : mergeSchemas(base, schema, snapshot.text);
    last = name;
  }
  return schema;
}

/**
 * Returns the content-types after all migrations. Null if there are none, or if the last migration with a
 * schema is older than the content snapshots.
 */
export function contentAfterMigrations(
  migrations: readonly Pick<Migration, 'name' | 'snapshot' | 'content'>[],
): ContentSnapshot | null {
  let content: ContentSnapshot | null = null;
  let last: string | null = null;
  for (const { name, snapshot, content: recorded } of migrations) {
    if (snapshot === null) continue;
    const base = migrations.find((migration) => migration.name === snapshot.parent)?.content;
    content =
      recorded === null || content === null || base === null || base === undefined || snapshot.parent === last
        ? recorded
        : mergeContentSnapshots(base, content, recorded);
    last = name;
  }
  return content;
}

/**
 * Asserts that the migrations were written for this kind of database.
 *
 * @throws `migration/wrong-database`
 */
export async function assertSameDatabase(folder: string, provider: DialectName): Promise<void> {
  const lock = await readOptionalFile(join(folder, LOCK_FILE));
  const recorded = lock === null ? undefined : /^\s*provider\s*=\s*"([^"]*)"/m.exec(lock)?.[1];
  if (recorded !== undefined && recorded !== provider)
    throw createError('migration/wrong-database', { folder, recorded, configured: provider });
}

/** Returns the name of the last migration with a schema, which the next one is planned after. */
export function lastMigrationWithSnapshot(
  migrations: readonly Pick<Migration, 'name' | 'snapshot'>[],
): string | null {
  return migrations.findLast(({ snapshot }) => snapshot !== null)?.name ?? null;
}
