import { previewProjectMigration, projectMigrationStatus } from '../../app/migrate-project.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { describeStatus } from '../support/migration-status.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';

export default class MigrateStatus extends BaseCommand<typeof MigrateStatus> {
  static override description = 'Where the database stands. Exits with 4 when something is pending, failed or diverged.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    const status = await projectMigrationStatus(project);
    const { sql } = await previewProjectMigration(project);
    return describeStatus(status, sql !== '', this.style);
  }
}
