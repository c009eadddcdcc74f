import { squashProject } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { deferSignals } from '../../cli/terminal/signals.js';
import { countNoun } from '../../lib/text.js';

export default class MigrateSquash extends BaseCommand<typeof MigrateSquash> {
  static override summary = 'Combine all migrations into one of the same effect.';
  static override description =
    'Databases that applied all of them count as having applied the combined one. Databases that ' +
    'applied only some of them are rejected.';
  static override examples = ['<%= config.bin %> <%= command.id %> --yes'];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot, { command: this.command });
    await this.confirm('Combine all migrations into one? Their folders are deleted.');
    const { name, squashed } = await deferSignals(() => squashProject(project));
    this.info(`${countNoun(squashed.length, 'migration is', 'migrations are')} combined into ${name}.`);
    return { json: { migration: name, squashed }, text: name };
  }
}
