import { existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { runScript, toMigrationError } from './apply-migrations.js';
import { readHistory, replaceMigrationRecord } from './migration-history.js';
import type { HistoryEntry } from './migration-history.js';
import { NO_DECISIONS, isUndecided } from '../content/content-decisions.js';
import { CONTENT_ONLY_SQL, isContentChanged, transitionTo } from '../content/content-transition.js';
import { matchesChecksum, migrationNames, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { draftMigration } from '../files/migration-draft.js';
import type { MigrationDraft } from '../files/migration-draft.js';
import { asRecorded } from '../files/snapshots.js';
import type { ContentSnapshot } from '../files/snapshots.js';
import { inspect } from '../impact/data-impact.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { isAdditive, shapeAfter } from '../plan/additive.js';
import { isCurrent, planMigration, printMigration } from '../plan/plan-migration.js';
import type { ApplyPlanOptions, Plan } from '../plan/plan-migration.js';
import { replaceRecord } from '../undo/run-recorded.js';

/** The file in a migration's folder with the name of the migration that it is replacing. */
const REPLACES_FILE = '.replaces';

/** Prefix of the folders next to prisma/migrations that hold a migration while it is replaced. */
const ASIDE_PREFIX = '.folded-';

const asidePath = (folder: string, name: string): string => join(dirname(folder), `${ASIDE_PREFIX}${name}`);

/** Moves the folder of a migration out of the way. Synchronous, since it is called under the lock. */
function moveAside(folder: string, name: string): void {
  renameSync(join(folder, name), asidePath(folder, name));
}

/** Moves the folder back. */
function moveBack(folder: string, name: string): void {
  renameSync(asidePath(folder, name), join(folder, name));
}

/** Deletes the rest of a migration that was replaced by `successor`; null if both changes canceled out. */
function removeReplaced(folder: string, name: string, successor: string | null): void {
  if (successor !== null) rmSync(join(folder, successor, REPLACES_FILE), { force: true });
  rmSync(asidePath(folder, name), { recursive: true, force: true });
}

/** Returns the last migration and the one that it replaces. Null if it replaces none. */
const findSuccessor = (folder: string): { readonly name: string; readonly replaced: string } | null => {
  if (!existsSync(folder)) return null;
  const name = migrationNames(readdirSync(folder, { withFileTypes: true })).at(-1);
  const file = join(folder, name ?? '', REPLACES_FILE);
  return name !== undefined && existsSync(file) ? { name, replaced: readFileSync(file, 'utf8') } : null;
};

const listAside = (folder: string): readonly string[] =>
  existsSync(dirname(folder))
    ? readdirSync(dirname(folder))
        .filter((name) => name.startsWith(ASIDE_PREFIX))
        .map((name) => name.slice(ASIDE_PREFIX.length))
    : [];

/** True if a process replaces a migration, or was killed while it did. */
export function isUnsettled(folder: string): boolean {
  return findSuccessor(folder) !== null || listAside(folder).length > 0;
}

/** Completes or reverts the work of a process that was killed while it replaced a migration. */
export async function settleFolds(session: MigrationSession, folder: string): Promise<void> {
  if (!isUnsettled(folder)) return;
  // Under the lock, since a running process moves folders in its transaction.
  await session.runExclusive(async () => {
    const recorded = (await readHistory(session)).map(({ name }) => name);
    const successor = findSuccessor(folder);
    if (successor !== null && recorded.includes(successor.replaced))
      rmSync(join(folder, successor.name), { recursive: true, force: true });
    else if (successor !== null) removeReplaced(folder, successor.replaced, successor.name);
    for (const name of listAside(folder))
      if (recorded.includes(name)) moveBack(folder, name);
      else removeReplaced(folder, name, null);
  });
}

/** One migration that replaces the last one and the one that would follow it. */
interface Fold {
  /** The migration that it replaces. */
  readonly replaced: Migration;
  /** The migrations before that. */
  readonly previous: readonly Migration[];
  /** The text of its migration.sql. Null if the two changes cancel out, so that no migration is left. */
  readonly sql: string | null;
  readonly nextContent: ContentSnapshot;
}

/** A migration that only adds needs no decisions of the user. */
const UNDECIDED = { isDataLossAccepted: false, isInvalidAccepted: false, decisions: NO_DECISIONS };

/** Returns the text of migration.sql for a change that is planned alone. Null if nothing changes. */
const printAlone = async (
  previous: readonly Migration[],
  next: { readonly schema: string; readonly content: ContentSnapshot },
  dialect: MigrationDialect,
): Promise<string | null> => {
  const plan = await planMigration({
    previousSchema: schemaAfterMigrations(previous),
    nextSchema: next.schema,
    dialect,
    transition: transitionTo(next.content, previous, NO_DECISIONS),
  });
  if (plan.sql === '') return isContentChanged(next.content, previous) ? CONTENT_ONLY_SQL : null;
  return printMigration(plan, UNDECIDED);
};

const isLastApplied = (migration: Migration, history: readonly HistoryEntry[]): boolean => {
  const last = history.at(-1);
  return (
    last?.name === migration.name && last.state === 'applied' && matchesChecksum(migration, last.checksum)
  );
};

/**
 * Plans to fold a change into the last migration. Returns null unless that migration was generated, was
 * applied to this database last and is not published, and both changes only add. A migration counts as
 * generated if its SQL equals the SQL planned for its change.
 */
export async function planFold(
  { state, basis: { migrations, history } }: Plan,
  { dialect, findUnpublished }: Pick<ApplyPlanOptions, 'dialect' | 'findUnpublished'>,
): Promise<Fold | null> {
  const { nextSchema, nextContent = null, decisions = NO_DECISIONS } = state;
  if (findUnpublished === undefined || nextContent === null || !isUndecided(decisions)) return null;
  const replaced = migrations.at(-1);
  const previous = migrations.slice(0, -1);
  if (replaced === undefined || replaced.snapshot === null || replaced.content === null) return null;
  if (replaced.codeFile !== null || !isLastApplied(replaced, history)) return null;
  const start = shapeAfter(previous);
  const current = { schema: replaced.snapshot.text, content: replaced.content };
  const next = { schema: nextSchema, content: asRecorded(nextContent) };
  if (!(await isAdditive(start, current)) || !(await isAdditive(start, next))) return null;
  if (!(await findUnpublished()).has(replaced.name)) return null;
  if ((await printAlone(previous, current, dialect)) !== replaced.sql.replaceAll('\r\n', '\n')) return null;
  return { replaced, previous, sql: await printAlone(previous, next, dialect), nextContent };
}

/** The replaced migration and its replacement; the name is null if both changes canceled out. */
interface FoldedChange {
  readonly replaced: string;
  readonly name: string | null;
}

const draftFold = (
  { replaced, sql, nextContent }: Fold,
  { state }: Plan,
  { folder, dialect }: ApplyPlanOptions,
): Promise<MigrationDraft> | null =>
  sql === null
    ? null
    : draftMigration({
        folder,
        label: replaced.name.replace(/^\d+_/, ''),
        sql,
        snapshot: { parent: replaced.snapshot?.parent ?? null, text: state.nextSchema },
        content: nextContent,
        provider: dialect.schema.provider,
        files: { [REPLACES_FILE]: replaced.name },
      });

/** Runs the change that the last migration lacks, and records the fold in its place. */
const applyFold = async (
  session: MigrationSession,
  { replaced, previous }: Fold,
  plan: Plan,
  migration: Migration | null,
): Promise<void> => {
  const startedAt = new Date();
  const sql = printMigration(plan, UNDECIDED);
  await runScript(session, { ...(migration ?? replaced), renames: plan.renames, sql }, plan, {});
  await replaceMigrationRecord(
    session,
    replaced.name,
    migration === null
      ? null
      : { name: migration.name, checksum: migration.checksum, startedAt, isFinished: true },
  );
  await replaceRecord(session, replaced.name, migration, previous);
};

/** True if another process has migrated since, or if the change now affects stored values. */
const isStale = async (
  session: MigrationSession,
  { basis, inspections }: Plan,
  draft: MigrationDraft | null,
): Promise<boolean> =>
  !(await isCurrent(session, basis, draft)) ||
  (await inspect(session, inspections)).some(({ kind }) => kind === 'dropped' || kind === 'invalid');

/**
 * Applies a change and replaces the last migration by one for both changes. Returns null if the plan is
 * stale. If the process is killed, `settleFolds` completes or reverts the replacement.
 */
export async function publishFold(
  session: MigrationSession,
  fold: Fold,
  plan: Plan,
  options: ApplyPlanOptions,
): Promise<FoldedChange | null> {
  const { folder } = options;
  const { name: replaced } = fold.replaced;
  const draft = await draftFold(fold, plan, options);
  let isAside = false;
  try {
    const published = await session.runExclusive(async () => {
      if (await isStale(session, plan, draft)) return null;
      // The new name sorts after that of the replaced migration, which is moved away next.
      const migration = draft?.publish() ?? null;
      moveAside(folder, replaced);
      isAside = true;
      await applyFold(session, fold, plan, migration);
      return { replaced, name: migration?.name ?? null };
    });
    if (published === null) await draft?.discard();
    else removeReplaced(folder, replaced, published.name);
    return published;
  } catch (error) {
    await draft?.discard();
    if (isAside) moveBack(folder, replaced);
    throw toMigrationError(error, replaced, options);
  }
}
