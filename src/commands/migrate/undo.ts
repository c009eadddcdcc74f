import { findProjectUndo, undoProject } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { deferSignals } from '../../cli/terminal/signals.js';

export default class MigrateUndo extends BaseCommand<typeof MigrateUndo> {
  static override summary = 'Restore the copy made before the last migration that changed or dropped rows.';
  static override description =
    'Restores the whole file on SQLite, and the tables that the migration changed on PostgreSQL. Data ' +
    'written to them since is lost.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --yes',
    '<%= config.bin %> <%= command.id %> --dry-run',
  ];
  static override flags = { ...dryRunFlag };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot, { command: this.command });
    this.info(await describeTarget(project));
    const { undone, path } = await findProjectUndo(project);
    const source = path ?? 'the rows of the changed tables';
    if (this.flags['dry-run'])
      return { json: { dryRun: true, undone, copy: path }, text: [source, ...undone].join('\n') };
    this.info(`The copy: ${source}`);
    await this.confirm(
      `Undo ${undone.length === 0 ? 'everything' : undone.join(', ')}, and lose data written since?`,
    );
    await deferSignals(() => this.progress('Undoing', () => undoProject(project)));
    return { json: { undone, copy: path }, text: undone.join('\n') };
  }
}
