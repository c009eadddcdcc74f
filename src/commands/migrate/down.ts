import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { revertProject } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, acceptInvalidFlag, dryRunFlag } from '../../cli/flags.js';
import { printImpactComments } from '../../cli/migrations/print-impact.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { deferSignals } from '../../cli/terminal/signals.js';

const NEXT =
  'The schema files stay unchanged. To return to the previous ones, restore them ' +
  '(git restore --source=COMMIT src), delete the folders of these migrations and run: cms generate. ' +
  'To apply the migrations again, run: cms migrate';

export default class MigrateDown extends BaseCommand<typeof MigrateDown> {
  static override summary = 'Revert the migrations that the database applied last.';
  static override description =
    'Also reverts migrations whose folders are missing. Restores data that they dropped. Keeps data ' +
    'written since, if the older schema can hold it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --steps 2 --accept-data-loss',
    '<%= config.bin %> <%= command.id %> --dry-run',
  ];
  static override flags = {
    steps: Flags.integer({
      min: 1,
      default: 1,
      description: 'Number of migrations to revert.',
      exclusive: ['to'],
    }),
    to: Flags.string({
      description: 'Revert every migration applied after this one.',
      helpValue: '<migration>',
    }),
    ...acceptDataLossFlag,
    ...acceptInvalidFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot, { command: this.command });
    this.info(await describeTarget(project));
    const { steps, to, 'dry-run': isDryRun } = this.flags;
    const range = to === undefined ? { steps } : { to };
    const { reverted, sql, impact } = await revertProject(project, { ...range, isDryRun: true });
    if (isDryRun)
      return {
        json: { dryRun: true, reverted, sql, changes: impact },
        text: sql + printImpactComments(impact),
      };
    const accepted = await this.confirmImpact(impact);
    if (reverted.length === 0) this.info('No migration is applied.');
    else
      await deferSignals(() =>
        this.progress('Reverting', () => revertProject(project, { ...range, ...accepted })),
      );
    const pending = reverted.filter((name) => existsSync(join(project.paths.migrations, name)));
    if (pending.length > 0)
      this.info(
        `Pending again, unless ${pending.length === 1 ? 'its folder is' : 'their folders are'} deleted: ` +
          pending.join(', '),
      );
    if (reverted.length > 0) this.info(NEXT);
    return { json: { reverted, changes: impact }, text: reverted.join('\n') };
  }
}
