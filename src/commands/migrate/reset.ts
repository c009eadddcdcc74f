import * as Flags from '@oclif/core/flags';
import { resetProject } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { reportMigrationProgress } from '../../cli/migrations/migration-status.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { deferSignals } from '../../cli/terminal/signals.js';
import { createError } from '../../errors/catalogue.js';

export default class MigrateReset extends BaseCommand<typeof MigrateReset> {
  static override summary = 'Rebuild the database from migrations and the seed folder (development).';
  static override description =
    'Drops everything in the database, applies all migrations again and imports the seed folder. ' +
    'Keeps uploaded files.';
  static override examples = ['<%= config.bin %> <%= command.id %> --yes'];
  static override flags = {
    force: Flags.boolean({ description: 'Allow the reset in production.' }),
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot, { command: this.command });
    if (project.config.environment === 'production' && !this.flags.force)
      throw createError('migration/reset-in-production', {});
    const target = await describeTarget(project);
    this.info(target);
    await this.confirm('Drop everything in this database?');
    const { applied, seeded } = await deferSignals(() =>
      this.progress('Resetting', (progress) => resetProject(project, reportMigrationProgress(progress))),
    );
    if (seeded > 0) this.info(`Imported ${seeded} documents from seed/.`);
    return { json: { applied, seeded }, text: applied.join('\n') };
  }
}
