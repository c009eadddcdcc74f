import {
  planProject,
  projectMigrationStatus,
  countPendingImpact,
} from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeMigrationStatus } from '../../cli/migrations/migration-status.js';
import { reportPendingImpact } from '../../cli/migrations/print-impact.js';
import { historyError } from '../../migrations/apply/check-history.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';

export default class MigrateStatus extends BaseCommand<typeof MigrateStatus> {
  static override summary = 'Show the state of every migration.';
  static override description =
    'Shows the problems that block pending migrations on this database. Exits with code 4 if a ' +
    'migration is pending, failed or diverged.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    const status = await projectMigrationStatus(project);
    // If the history contradicts this checkout, missing migrations cannot be determined.
    const hasUnmigratedChanges = historyError(status) === null && (await planProject(project)).sql !== '';
    const pendingReport = reportPendingImpact(await countPendingImpact(project));
    const outcome = describeMigrationStatus(status, pendingReport, hasUnmigratedChanges, this.style);
    return { ...outcome, text: this.spellCommands(outcome.text ?? '') };
  }
}
