import { previewProjectMigration } from '../../app/migrate-project.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { describeLosses } from '../support/describe-loss.js';
import type { Outcome } from '../support/outcome.js';

export default class MigrateDiff extends BaseCommand<typeof MigrateDiff> {
  static override description = 'Print the SQL that leads from the migrations to the content-types. Changes nothing.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> > change.sql'];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { sql, losses } = await previewProjectMigration(project);
    if (sql === '') this.info('The migrations make everything the content-types ask for.');
    return { json: { sql, losses: describeLosses(project.model, losses) }, text: sql };
  }
}
