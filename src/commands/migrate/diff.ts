import { previewProjectMigration } from '../../app/migrate-project.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { accountOf, printAccountComments } from '../../cli/migrations/account.js';
import { previousModel } from '../../app/project-renames.js';
import type { Outcome } from '../../cli/outcome.js';

export default class MigrateDiff extends BaseCommand<typeof MigrateDiff> {
  static override description =
    'Print the SQL that the migrations lack to match the content-types. Changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> > change.sql',
  ];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const preview = await previewProjectMigration(project);
    const account = accountOf((await previousModel(project)) ?? project.model, preview);
    if (preview.sql === '') this.info('The migrations match the content-types.');
    return {
      json: { sql: preview.sql, changes: account },
      text: preview.sql + printAccountComments(account),
    };
  }
}
