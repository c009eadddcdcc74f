import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyError } from '../../migrations/apply/check-history.js';
import { isUpToDate } from '../../migrations/apply/migration-history.js';
import type { MigrationStatus } from '../../migrations/apply/migration-history.js';
import type { MigrateProjectOptions } from '../../project/migrate/migrate-project.js';
import type { Project } from '../../project/open/open-project.js';
import type { Outcome } from '../outcome.js';
import type { Progress } from '../terminal/progress.js';
import type { Style } from '../terminal/terminal.js';
import { printPendingImpact } from './print-impact.js';
import type { PendingReport } from './print-impact.js';

/** Shows the running migration, the progress of its code, and the output of the code. */
export function reportMigrationProgress({
  update,
  log,
}: Progress): Required<Pick<MigrateProjectOptions, 'onProgress' | 'onMessage' | 'onCopy'>> {
  return {
    onProgress: ({ name, completed, total, detail }) =>
      update(`${name} (${completed} of ${total})${detail === undefined ? '' : `: ${detail}`}`),
    onMessage: log,
    onCopy: (path) => log(`Copied the database to ${path}. To restore it, run: cms migrate undo`),
  };
}

/** Describes the safety of a migration for running instances of the previous release. */
export function describeSafety(isSafe: boolean): string {
  return isSafe
    ? 'Safe while old instances run: the migration only adds.'
    : 'Stop old instances first: the migration changes the schema that they use.';
}

const EXIT_PENDING = 4;

/**
 * Describes the state of every migration, the obstacles to the pending ones, and the next command.
 *
 * @param hasUnmigratedChanges the content-types have changes that no migration contains
 */
export function describeMigrationStatus(
  status: MigrationStatus,
  pendingReport: PendingReport,
  hasUnmigratedChanges: boolean,
  style: Style,
): Outcome {
  const { applied, pending, drafts, unfinished, failed, edited, missing } = status;
  const intact = applied.filter((name) => !edited.includes(name) && !missing.includes(name));
  const lines = [
    ...intact.map((name) => `${style.green('applied')}  ${name}`),
    ...pending.map((name) =>
      drafts.includes(name)
        ? `${style.yellow('draft')}    ${name}  (complete it, then delete the line "-- draft")`
        : `${style.yellow('pending')}  ${name}  (cms migrate deploy)`,
    ),
    ...unfinished.map(
      (name) =>
        `${style.yellow('unfinished')}  ${name}  ` +
        '(its migrate.ts has not ended; if it is not running, continue with: cms migrate deploy)',
    ),
    ...failed.map(
      (name) => `${style.red('failed')}   ${name}  (npx prisma migrate resolve --rolled-back ${name})`,
    ),
    ...edited.map((name) => `${style.red('edited')}   ${name}  (applied, but the file has changed since)`),
    ...missing.map((name) => `${style.red('missing')}  ${name}  (applied, but not in this checkout)`),
    ...(hasUnmigratedChanges
      ? [`${style.yellow('unmade')}   Content-types have changes that no migration contains (cms migrate)`]
      : []),
  ];
  const upToDate = isUpToDate(status) && !hasUnmigratedChanges;
  const remedy = historyError(status)?.hint;
  const text = [
    ...lines,
    ...printPendingImpact(pendingReport, style),
    ...(remedy === undefined ? [] : [remedy]),
    ...(upToDate ? ['The database is up to date.'] : []),
  ].join('\n');
  return {
    json: { upToDate, ...status, unmade: hasUnmigratedChanges, ...pendingReport },
    text,
    exitCode: upToDate ? 0 : EXIT_PENDING,
  };
}

/** Loads the SQL of migrations, each after a comment with its name. */
export async function loadPendingSql(
  { paths }: Pick<Project, 'paths'>,
  names: readonly string[],
): Promise<string> {
  const texts = await Promise.all(
    names.map(
      async (name) => `-- ${name}\n${await readFile(join(paths.migrations, name, 'migration.sql'), 'utf8')}`,
    ),
  );
  return texts.join('\n');
}
