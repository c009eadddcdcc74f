import {
  countPendingImpact,
  deployProject,
  isSafeWhileRunning,
  projectMigrationStatus,
} from '../../project/migrate/migrate-project.js';
import type { Project } from '../../project/open/open-project.js';
import { deferSignals } from '../terminal/signals.js';
import type { Progress } from '../terminal/progress.js';
import { printPendingComments, reportPendingImpact } from './print-impact.js';
import { describeSafety, loadPendingSql, reportMigrationProgress } from './migration-status.js';

interface DeployOptions {
  readonly acceptsDataLoss: boolean;
  readonly acceptsInvalid: boolean;
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
  readonly progress: <R>(label: string, work: (progress: Progress) => Promise<R>) => Promise<R>;
}

/** The outcome of migrations, for `--json` and as text. */
interface DeployedMigrations {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Returns the pending migrations with their SQL and their impact, without applying them. */
export async function previewMigrations(
  project: Project,
): Promise<DeployedMigrations & { readonly pending: readonly string[] }> {
  const { pending } = await projectMigrationStatus(project);
  if (pending.length === 0) return { pending, json: { dryRun: true, pending }, text: '' };
  const isSafe = await isSafeWhileRunning(project, pending);
  const report = reportPendingImpact(await countPendingImpact(project));
  const sql = await loadPendingSql(project, pending);
  return {
    pending,
    json: { dryRun: true, pending, safeWhileRunning: isSafe, ...report },
    text: `${sql}\n-- ${describeSafety(isSafe)}\n${printPendingComments(report)}`,
  };
}

/** Applies pending migrations, and prints the effect on instances of the previous release. */
export async function deployMigrations(
  project: Project,
  { acceptsDataLoss, acceptsInvalid, info, warn, progress }: DeployOptions,
): Promise<DeployedMigrations> {
  const { applied, warning } = await deferSignals(() =>
    progress('Migrating', (shown) =>
      deployProject(project, { acceptsDataLoss, acceptsInvalid, ...reportMigrationProgress(shown) }),
    ),
  );
  if (warning !== null) warn(`${warning} This release does not need it.`);
  const isSafe = await isSafeWhileRunning(project, applied);
  info(applied.length === 0 ? 'No migrations were pending.' : describeSafety(isSafe));
  return {
    json: {
      applied,
      ...(applied.length === 0 ? {} : { safeWhileRunning: isSafe }),
      ...(warning === null ? {} : { warning }),
    },
    text: applied.join('\n'),
  };
}
