import { planProject } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { printImpactComments } from '../../cli/migrations/print-impact.js';
import type { Outcome } from '../../cli/outcome.js';

export default class MigrateDiff extends BaseCommand<typeof MigrateDiff> {
  static override summary = 'Print the SQL that migrations lack to match the content-types.';
  static override description = 'Changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> > change.sql',
  ];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { sql, impact } = await planProject(project);
    if (sql === '') this.info('The migrations match the content-types.');
    return {
      json: { sql, changes: impact },
      text: sql + printImpactComments(impact),
    };
  }
}
