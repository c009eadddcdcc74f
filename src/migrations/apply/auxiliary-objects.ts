import { createHash } from 'node:crypto';
import type { DatabaseObject, MigrationSession } from '../../database/dialect/migration-support.js';
import type { SearchedTable } from '../../database/dialect/search-expressions.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';

/** Returns the tables that are read for documents of the type. Links belong to the type that owns them. */
const tablesReadFor = ({ storage, attributes }: ContentType): readonly string[] => {
  const links = Object.values(attributes).flatMap((attribute) =>
    (attribute.family === 'relation' || attribute.family === 'media') &&
    attribute.side === 'owner' &&
    attribute.link !== null &&
    attribute.link.kind !== 'column'
      ? [attribute.link.table]
      : [],
  );
  return [storage.version.table, ...new Set(links)];
};

/** Returns the tables of a model that have a full-text index. */
export function searchedTables({ types }: Pick<ContentModel, 'types'>): readonly SearchedTable[] {
  return types.flatMap(({ search }) => (search === null ? [] : [search]));
}

/** Returns the objects that notice changes of content-types. */
export function revisionObjectsOf(
  { types }: ContentModel,
  { revisions }: Pick<MigrationDialect, 'revisions'>,
): readonly DatabaseObject[] {
  return revisions.objectsFor(types.map((type) => ({ name: type.uid, tables: tablesReadFor(type) })));
}

/** Returns the auxiliary objects of a model: indexes and triggers outside the Prisma schema. */
export function databaseObjectsOf(
  model: ContentModel,
  dialect: Pick<MigrationDialect, 'revisions' | 'migrations'>,
): readonly DatabaseObject[] {
  return [
    ...revisionObjectsOf(model, dialect),
    ...dialect.migrations.search.objectsFor(searchedTables(model)),
    ...dialect.migrations.statistics,
  ];
}

/**
 * The table of the built objects. It is outside the Prisma schema, too, so that reverting migrations keeps
 * it.
 */
const OBJECT_TABLE = 'cms_objects';

const CREATE_OBJECT_TABLE = `CREATE TABLE IF NOT EXISTS "${OBJECT_TABLE}" (
    "name" TEXT PRIMARY KEY NOT NULL,
    "digest" TEXT NOT NULL,
    "drop" TEXT NOT NULL
)`;

const SAVEPOINT = 'galley_objects';

interface ObjectState {
  /** The script that drops each object, and the digest of its scripts, by name. */
  readonly recorded: ReadonlyMap<string, { readonly digest: string; readonly drop: string }>;
  readonly parts: ReadonlySet<string>;
  /** The wanted objects whose tables exist. */
  readonly possible: readonly DatabaseObject[];
}

const digestOf = ({ create, drop }: DatabaseObject): string =>
  createHash('sha256')
    .update(JSON.stringify([create, drop]))
    .digest('hex');

const isPossible =
  (columns: ReadonlyMap<string, ReadonlySet<string>>) =>
  ({ requires }: DatabaseObject): boolean =>
    requires.every(({ table, columns: needed = [] }) => {
      const existing = columns.get(table);
      return existing !== undefined && needed.every((column) => existing.has(column));
    });

const readState = async (
  session: MigrationSession,
  wanted: readonly DatabaseObject[],
  { migrations }: MigrationDialect,
): Promise<ObjectState> => {
  const columns = await session.columns();
  const rows = columns.has(OBJECT_TABLE)
    ? await session.query(`SELECT "name", "digest", "drop" FROM "${OBJECT_TABLE}"`)
    : [];
  const parts = await session.query(migrations.objects.partsSql);
  return {
    recorded: new Map(
      rows.map(({ name, digest, drop }) => [String(name), { digest: String(digest), drop: String(drop) }]),
    ),
    parts: new Set(parts.map(({ part }) => String(part))),
    possible: wanted.filter(isPossible(columns)),
  };
};

const isInPlace =
  ({ recorded, parts }: ObjectState) =>
  (object: DatabaseObject): boolean =>
    recorded.get(object.name)?.digest === digestOf(object) && object.parts.every((part) => parts.has(part));

/** Runs a script of an object. It writes only to objects outside the Prisma schema. */
const runScript = (session: MigrationSession, sql: string): Promise<void> =>
  session.script(sql, { keepsReferences: true });

const build = async (session: MigrationSession, object: DatabaseObject): Promise<void> => {
  const { name, create, drop } = object;
  // Parts of it may be left over from a renamed table.
  await runScript(session, drop);
  await runScript(session, create);
  await session.query(`DELETE FROM "${OBJECT_TABLE}" WHERE "name" = $1`, [name]);
  await session.query(`INSERT INTO "${OBJECT_TABLE}" ("name", "digest", "drop") VALUES ($1, $2, $3)`, [
    name,
    digestOf(object),
    drop,
  ]);
};

const replaceObjects = async (
  session: MigrationSession,
  state: ObjectState,
  { migrations }: MigrationDialect,
  { isMigration }: { readonly isMigration: boolean },
): Promise<void> => {
  const names = new Set(state.possible.map(({ name }) => name));
  const missing = state.possible.filter((object) => !isInPlace(state)(object));
  const outdated = [...state.recorded].filter(([name]) =>
    names.has(name) ? missing.some((object) => object.name === name) : isMigration,
  );
  if (missing.length + outdated.length > 0) await session.script(CREATE_OBJECT_TABLE);
  for (const [name, { drop }] of outdated.toReversed()) {
    await runScript(session, migrations.objects.retired[name] ?? drop);
    await session.query(`DELETE FROM "${OBJECT_TABLE}" WHERE "name" = $1`, [name]);
  }
  for (const object of missing) await build(session, object);
  if (!isMigration) return;
  for (const { afterMigration } of state.possible)
    if (afterMigration !== undefined) await runScript(session, afterMigration);
};

/**
 * Builds the wanted objects that the database lacks, and replaces those that were built from other SQL. Must
 * be called in a transaction. Objects whose tables are missing are skipped.
 *
 * @param options.isMigration true if the schema may have changed, so that other objects are dropped
 */
export async function syncObjects(
  session: MigrationSession,
  wanted: readonly DatabaseObject[],
  dialect: MigrationDialect,
  options: { readonly isMigration: boolean },
): Promise<void> {
  const state = await readState(session, wanted, dialect);
  await session.script(`SAVEPOINT ${SAVEPOINT}`);
  try {
    await replaceObjects(session, state, dialect, options);
    await session.script(`RELEASE SAVEPOINT ${SAVEPOINT}`);
  } catch (error) {
    if (!dialect.migrations.objects.isDenied(error)) throw error;
    // The tables work without the objects. The server reports the missing ones when it starts.
    await session.script(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`);
  }
}

/** Returns the names of the wanted objects that the database lacks or has in another form. */
export async function missingObjects(
  session: MigrationSession,
  wanted: readonly DatabaseObject[],
  dialect: MigrationDialect,
): Promise<readonly string[]> {
  const state = await readState(session, wanted, dialect);
  const inPlace = new Set(state.possible.filter(isInPlace(state)));
  return wanted.filter((object) => !inPlace.has(object)).map(({ name }) => name);
}

/** True if the database has all objects whose tables it has, and no others. */
export async function areInPlace(
  session: MigrationSession,
  wanted: readonly DatabaseObject[],
  dialect: MigrationDialect,
): Promise<boolean> {
  const state = await readState(session, wanted, dialect);
  const names = new Set(state.possible.map(({ name }) => name));
  return (
    state.possible.every(isInPlace(state)) && [...state.recorded.keys()].every((name) => names.has(name))
  );
}
