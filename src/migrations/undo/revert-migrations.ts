import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { toMigrationError } from '../apply/apply-migrations.js';
import { readHistory, rollBackRecord, withSession } from '../apply/migration-history.js';
import type { MigrationTarget } from '../apply/migration-history.js';
import { NO_DECISIONS } from '../content/content-decisions.js';
import type { ContentDecisions, ContentRename } from '../content/content-decisions.js';
import type { ContentTransition } from '../content/content-transition.js';
import {
  assertSameDatabase,
  loadMigrations,
  readOptionalFile,
  parseHeader,
} from '../files/load-migrations.js';
import { EMPTY_CONTENT, modelOfSnapshot, parseContentSnapshot } from '../files/snapshots.js';
import { assertAccepted, inspect } from '../impact/data-impact.js';
import type { AcceptedImpact, DataImpact } from '../impact/data-impact.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { planMigration } from '../plan/plan-migration.js';
import type { MigrationPlan } from '../plan/plan-migration.js';
import { reverseRenames } from '../schema/renames.js';
import { parseTables } from '../schema/schema-tables.js';
import { RECORD_TABLE, deleteRecord, dropCopies, knownRecords } from './migration-record.js';
import type { MigrationRecord } from './migration-record.js';
import { clearUnchanged, restoreRows } from './restore-rows.js';
import type { RowCopies } from './restore-rows.js';

/** Step that reverts one migration. */
export interface RevertStep {
  readonly name: string;
  readonly plan: Pick<MigrationPlan, 'sql' | 'inspections'>;
  readonly rows: RowCopies;
}

const DOWN_FILE = 'down.sql';

/** Returns the reversed renames of components. Those of tables and columns are reversed separately. */
const reverseDecisions = ({ renames }: ContentDecisions): ContentDecisions => {
  const newUid = (uid: string): string =>
    renames.find((rename) => rename.kind === 'component' && rename.from === uid)?.to ?? uid;
  return {
    ...NO_DECISIONS,
    renames: renames.toReversed().flatMap((rename): readonly ContentRename[] => {
      const reversed = { ...rename, from: rename.to, to: rename.from };
      if (reversed.kind === 'component') return [reversed];
      return reversed.kind === 'component-attribute'
        ? [{ ...reversed, component: newUid(reversed.component) }]
        : [];
    }),
  };
};

const reverseTransition = (
  { name, before, contentBefore, contentAfter }: MigrationRecord,
  decisions: ContentDecisions,
): ContentTransition | null => {
  const isFirst = before === null && contentBefore === null;
  if (contentAfter === null || (contentBefore === null && !isFirst)) return null;
  const content = contentBefore === null ? EMPTY_CONTENT : parseContentSnapshot(contentBefore);
  return {
    before: modelOfSnapshot(name, parseContentSnapshot(contentAfter)),
    after: modelOfSnapshot(name, content),
    decisions: reverseDecisions(decisions),
  };
};

/**
 * Plans the reversal of a migration: by the down.sql in its folder, or else by the difference of its schemas.
 *
 * @throws `migration/irreversible`
 */
export async function planRevert(
  record: MigrationRecord,
  { folder, dialect }: { readonly folder: string; readonly dialect: MigrationDialect },
): Promise<RevertStep> {
  const { name, before, after, kept } = record;
  const { renames, decisions } = parseHeader(record.sql);
  const file = join(folder, name, DOWN_FILE);
  const downSql = await readOptionalFile(file);
  if (after === null && downSql === null)
    throw createError('migration/irreversible', { name, file, reason: 'it was written by hand' });
  const empty = `datasource db {\n  provider = "${dialect.schema.provider}"\n}\n`;
  const plan =
    downSql !== null || after === null
      ? { sql: downSql ?? '', inspections: [] }
      : await planMigration({
          previousSchema: after,
          nextSchema: before ?? empty,
          renames: reverseRenames(renames),
          dialect,
          transition: reverseTransition(record, decisions),
        });
  return {
    name,
    plan,
    rows: {
      kept,
      renames,
      before: before === null ? new Map() : await parseTables(before),
      after: after === null ? new Map() : await parseTables(after),
      dialect,
    },
  };
}

export interface RevertOptions extends MigrationTarget, AcceptedImpact {
  /** The number of migrations to revert, starting with the last one applied. */
  readonly steps?: number;
  /** Name of a migration; all later ones are reverted. */
  readonly to?: string | undefined;
  /** True if everything is rolled back in the end, to count the losses. */
  readonly isDryRun?: boolean;
}

export interface RevertResult {
  /** The reverted migrations, newest first. */
  readonly reverted: readonly string[];
  readonly sql: string;
  readonly impact: readonly DataImpact[];
}

/** Thrown to roll back a dry run. */
class DryRun extends Error {
  override readonly name = 'DryRun';
}

/** Reverts one migration and returns the impact. */
const revert = async (
  session: MigrationSession,
  { name, plan, rows }: RevertStep,
): Promise<readonly DataImpact[]> => {
  await clearUnchanged(session, rows);
  const impact = (await inspect(session, plan.inspections)).filter(
    ({ type }) => type !== `table ${RECORD_TABLE}`,
  );
  // Changes that no flag accepts are rejected before the database would reject them.
  assertAccepted(impact, { acceptsDataLoss: true, acceptsInvalid: true });
  if (plan.sql !== '') await session.script(plan.sql);
  await restoreRows(session, rows);
  await rollBackRecord(session, name);
  await dropCopies(session, rows);
  await deleteRecord(session, name);
  return impact;
};

/** Plans the steps before the database is locked, under which nothing may wait for a file. */
const planSteps = async (
  session: MigrationSession,
  names: readonly string[],
  options: RevertOptions,
): Promise<readonly RevertStep[]> => {
  const records = await knownRecords(session, await loadMigrations(options.folder));
  const steps: RevertStep[] = [];
  for (const name of names) {
    const record = records.get(name);
    if (record === undefined)
      throw createError('migration/irreversible', {
        name,
        file: `prisma/migrations/${name}/down.sql`,
        reason: 'its folder is missing, and an older release applied it without a record',
      });
    steps.push(await planRevert(record, options));
  }
  return steps;
};

export const readAppliedNames = async (session: MigrationSession): Promise<readonly string[]> =>
  (await readHistory(session)).map(({ name }) => name);

const namesToRevert = (
  history: readonly string[],
  { steps = 1, to }: Pick<RevertOptions, 'steps' | 'to'>,
): readonly string[] => {
  const index = to === undefined ? history.length - steps - 1 : history.indexOf(to);
  if (to !== undefined && index === -1) throw createError('migration/not-applied', { name: to });
  return history.slice(Math.max(index + 1, 0)).toReversed();
};

const runRevert = async (session: MigrationSession, options: RevertOptions): Promise<RevertResult> => {
  const history = await readAppliedNames(session);
  const reverted = namesToRevert(history, options);
  const steps = await planSteps(session, reverted, options);
  const sql = steps.map(({ name, plan }) => `-- ${name}\n${plan.sql.trimEnd()}\n`).join('\n');
  const impact: DataImpact[] = [];
  let isStale = false;
  try {
    await session.runExclusive(async () => {
      isStale = !isDeepStrictEqual(await readAppliedNames(session), history);
      if (isStale) return;
      for (const step of steps) impact.push(...(await revert(session, step)));
      if (options.isDryRun === true) throw new DryRun();
      assertAccepted(impact, options);
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw toMigrationError(error, reverted[0] ?? '', options);
  }
  // Another process has migrated since the plan was made.
  return isStale ? runRevert(session, options) : { reverted, sql, impact };
};

/**
 * Reverts migrations, newest first, in one transaction. The tables get their previous form. Values that the
 * migrations changed or dropped are restored for content that still exists. Newer values stay if the older
 * schema can hold them.
 *
 * @throws `migration/irreversible`, `migration/not-applied`, `migration/data-loss` if values written since
 *   would be lost, `migration/constraint-violation`, `migration/failed`, `migration/locked`
 */
export async function revertMigrations(options: RevertOptions): Promise<RevertResult> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  return withSession(options, options.isDryRun !== true, (session) => runRevert(session, options));
}
