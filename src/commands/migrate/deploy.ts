import { deployProject, projectMigrationStatus } from '../../app/migrate-project.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { acceptDataLossFlag, dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { uninterrupted } from '../support/uninterrupted.js';
import { loadPendingSql } from '../support/pending-sql.js';

export default class MigrateDeploy extends BaseCommand<typeof MigrateDeploy> {
  static override description = 'Production: apply the migrations that are pending, under a lock, so that instances starting together apply each once.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --dry-run'];
  static override flags = { ...acceptDataLossFlag, ...dryRunFlag };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    if (this.flags['dry-run']) {
      const { pending } = await projectMigrationStatus(project);
      return { json: { dryRun: true, pending }, text: await loadPendingSql(project, pending) };
    }
    const acceptsDataLoss = this.flags['accept-data-loss'];
    const { applied } = await uninterrupted(() =>
      this.progress('Migrating', ({ update }) => deployProject(project, { acceptsDataLoss, onProgress: ({ name, done, total }) => update(`${name} (${done} of ${total})`) })));
    if (applied.length === 0) this.info('Nothing was pending.');
    return { json: { applied }, text: applied.join('\n') };
  }
}
