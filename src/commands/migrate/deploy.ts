import {
  deployProject,
  isSafeWhileRunning,
  projectMigrationStatus,
  countPendingImpact,
} from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, acceptInvalidFlag, dryRunFlag } from '../../cli/flags.js';
import { printPendingComments, reportPendingImpact } from '../../cli/migrations/print-impact.js';
import {
  describeSafety,
  loadPendingSql,
  reportMigrationProgress,
} from '../../cli/migrations/migration-status.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { deferSignals } from '../../cli/terminal/signals.js';

const previewDeploy = async (project: Project): Promise<Outcome> => {
  const { pending } = await projectMigrationStatus(project);
  if (pending.length === 0) return { json: { dryRun: true, pending }, text: '' };
  const isSafe = await isSafeWhileRunning(project, pending);
  const report = reportPendingImpact(await countPendingImpact(project));
  const sql = await loadPendingSql(project, pending);
  return {
    json: { dryRun: true, pending, safeWhileRunning: isSafe, ...report },
    text: `${sql}\n-- ${describeSafety(isSafe)}\n${printPendingComments(report)}`,
  };
};

export default class MigrateDeploy extends BaseCommand<typeof MigrateDeploy> {
  static override summary = 'Apply pending migrations (production).';
  static override description =
    'A lock ensures that instances that start at the same time apply each migration once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --dry-run',
  ];
  static override flags = { ...acceptDataLossFlag, ...acceptInvalidFlag, ...dryRunFlag };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot, { command: this.command });
    this.info(await describeTarget(project));
    if (this.flags['dry-run']) return previewDeploy(project);
    const accepted = {
      acceptsDataLoss: this.flags['accept-data-loss'],
      acceptsInvalid: this.flags['accept-invalid'],
    };
    const { applied, warning } = await deferSignals(() =>
      this.progress('Migrating', (progress) =>
        deployProject(project, { ...accepted, ...reportMigrationProgress(progress) }),
      ),
    );
    if (warning !== null) this.warn(`${warning} This release does not need it.`);
    const isSafe = await isSafeWhileRunning(project, applied);
    this.info(applied.length === 0 ? 'No migrations were pending.' : describeSafety(isSafe));
    return {
      json: {
        applied,
        ...(applied.length === 0 ? {} : { safeWhileRunning: isSafe }),
        ...(warning === null ? {} : { warning }),
      },
      text: applied.join('\n'),
    };
  }
}
