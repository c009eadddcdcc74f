import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { compareHistory, readHistory, withSession } from '../apply/migration-history.js';
import type { MigrationStatus, MigrationTarget } from '../apply/migration-history.js';
import { codeConversions } from '../content/scalars/convert-scalar.js';
import { NO_DECISIONS } from '../content/content-decisions.js';
import { transitionOf } from '../content/content-transition.js';
import {
  contentAfterMigrations,
  loadMigrations,
  schemaAfterMigrations,
  printHeader,
} from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { draftMigration } from '../files/migration-draft.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { planMigration } from '../plan/plan-migration.js';
import { historyError } from '../apply/check-history.js';

export interface SquashResult {
  /** The migration that folds the others. */
  readonly name: string;
  /** The migrations that it replaces, oldest first. Their folders are deleted. */
  readonly squashed: readonly string[];
}

const notSquashable = (reason: string, remedy: string): Error =>
  createError('migration/not-squashable', { reason, remedy });

/**
 * Asserts that this database has applied all migrations in their current form, so that it has the state that
 * the squash leads to.
 */
const assertSquashable = (migrations: readonly Migration[], status: MigrationStatus): void => {
  const error = historyError(status);
  if (error !== null) throw error;
  const open = [...status.pending, ...status.unfinished, ...status.failed];
  if (open.length > 0)
    throw notSquashable(`this database has yet to apply ${open.join(', ')}`, 'Run: cms migrate deploy');
  if (migrations.length < 2) throw notSquashable('there are fewer than two', 'See: cms migrate status');
  const coded = migrations.find(({ codeFile }) => codeFile !== null);
  if (coded !== undefined)
    throw notSquashable(
      `${coded.name} has a ${coded.codeFile}, which is not SQL`,
      'Once every database has applied it, delete the file and try again',
    );
};

/** Returns the SQL of a migration without its header. */
const bodyOf = ({ sql }: Migration): string =>
  sql
    .replaceAll('\r\n', '\n')
    .split('\n')
    .filter((line) => !/^-- (?:renamed|content|accept-|squashes)/.test(line))
    .join('\n')
    .trim();

/** True if the SQL equals the SQL generated from the schemas, with no part written by hand. */
const isGenerated = async (
  migration: Migration,
  previous: readonly Migration[],
  dialect: MigrationDialect,
): Promise<boolean> => {
  if (migration.snapshot === null) return false;
  const { sql } = await planMigration({
    previousSchema: schemaAfterMigrations(previous),
    nextSchema: migration.snapshot.text,
    renames: migration.renames,
    dialect,
    transition: transitionOf(migration, previous),
  });
  return sql.trim() === bodyOf(migration);
};

/** Asserts that no migration converts values in TypeScript. */
const assertPlainSql = (migrations: readonly Migration[], writtenByHand: string): void => {
  const coded = migrations.find(({ decisions }) => codeConversions(decisions).length > 0);
  if (coded !== undefined)
    throw notSquashable(
      `${coded.name} converts values in TypeScript, and the SQL of ${writtenByHand} was written by hand`,
      'Keep them as they are.',
    );
};

/**
 * Returns SQL with the effect of all migrations: the SQL that creates the last schema, or all SQL if some was
 * written by hand.
 */
const squashSql = async (
  migrations: readonly Migration[],
  schema: string,
  dialect: MigrationDialect,
): Promise<string> => {
  for (const [index, migration] of migrations.entries())
    if (!(await isGenerated(migration, migrations.slice(0, index), dialect))) {
      assertPlainSql(migrations, migration.name);
      return `${migrations.map((each) => `-- ${each.name}\n${bodyOf(each)}`).join('\n\n')}\n`;
    }
  return (await planMigration({ previousSchema: null, nextSchema: schema, dialect })).sql;
};

/**
 * Folds all migrations into one that has their effect on an empty database. Databases that have applied all
 * of them also count as having applied the new one. Changes no database.
 *
 * @throws `migration/not-squashable`, `migration/unknown`, `migration/edited`
 */
export async function squashMigrations(target: MigrationTarget): Promise<SquashResult> {
  const { folder, dialect } = target;
  const migrations = await loadMigrations(folder);
  const status = await withSession(target, false, async (session) =>
    compareHistory(migrations, await readHistory(session)),
  );
  assertSquashable(migrations, status);
  const schema = schemaAfterMigrations(migrations);
  if (schema === null) throw notSquashable('none of them has a schema', 'See: cms migrate status');
  const folded = migrations.map(({ name }) => name);
  // Some databases have applied the migrations of an earlier squash one by one.
  const earlier = migrations.find((migration) => migration.squashes !== undefined);
  const squashes = [
    folded,
    ...(earlier?.squashes ?? []).map((history) =>
      folded.flatMap((each) => (each === earlier?.name ? history : [each])),
    ),
  ];
  const header = printHeader({
    renames: [],
    isDataLossAccepted: false,
    isInvalidAccepted: false,
    decisions: NO_DECISIONS,
    squashes,
  });
  const draft = await draftMigration({
    folder,
    label: 'squashed',
    sql: header + (await squashSql(migrations, schema, dialect)),
    snapshot: { parent: null, text: schema },
    content: contentAfterMigrations(migrations),
    provider: dialect.schema.provider,
  });
  const { name } = draft.publish();
  for (const each of folded) await rm(join(folder, each), { recursive: true, force: true });
  return { name, squashed: folded };
}
