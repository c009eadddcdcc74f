import { dropUndoData } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { deferSignals } from '../../cli/terminal/signals.js';
import { countNoun } from '../../lib/text.js';

export default class MigrateForget extends BaseCommand<typeof MigrateForget> {
  static override summary = 'Delete the copies of rows that migrations changed or dropped.';
  static override description =
    'After that, cms migrate down and cms migrate undo cannot restore these rows.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --yes',
    '<%= config.bin %> <%= command.id %> --dry-run',
  ];
  static override flags = { ...dryRunFlag };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot, { command: this.command });
    this.info(await describeTarget(project));
    const kept = await dropUndoData(project, { isDryRun: true });
    const lines = [
      ...kept.migrations.map(({ name, rows }) => `${name}  (${countNoun(rows, 'row')})`),
      ...kept.files,
    ];
    if (this.flags['dry-run']) return { json: { dryRun: true, ...kept }, text: lines.join('\n') };
    if (lines.length === 0) {
      this.info('There are no copies.');
      return { json: kept };
    }
    this.info(lines.join('\n'));
    await this.confirm('Delete these copies?');
    await deferSignals(() => dropUndoData(project, { isDryRun: false }));
    return { json: kept, text: lines.join('\n') };
  }
}
