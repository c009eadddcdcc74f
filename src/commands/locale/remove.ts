import * as Args from '@oclif/core/args';
import { LOCALES_FILE } from '../../project/access-files.js';
import { localeLoss, remindOfExport } from '../../cli/access/access-files.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class LocaleRemove extends BaseCommand<typeof LocaleRemove> {
  static override summary = 'Remove a locale.';
  static override description = 'Removes its content only with --accept-data-loss.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> fr',
    '<%= config.bin %> <%= command.id %> fr --dry-run',
    '<%= config.bin %> <%= command.id %> fr --accept-data-loss',
  ];
  static override args = { code: Args.string({ required: true, description: 'Locale code.' }) };
  static override flags = { ...acceptDataLossFlag, ...remoteFlag, ...dryRunFlag };
  static override completion = { code: 'locale' } as const;

  async run(): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, async ({ locales }) => {
      const { locale, losses } = await locales.remove({
        code: this.args.code,
        acceptDataLoss: true,
        dryRun: true,
      });
      const dataLosses = losses.map((loss) => localeLoss(locale.code, loss));
      const json = { removed: locale.code, losses, ...(dryRun ? { dryRun } : {}) };
      if (dryRun)
        return {
          json,
          text: [
            `Would remove ${locale.code}, ${locale.name}`,
            ...dataLosses.map(({ what, rows }) => `would lose: ${what} (${rows})`),
          ].join('\n'),
        };
      await this.confirmDataLoss(dataLosses);
      await locales.remove({ code: locale.code, acceptDataLoss: dataLosses.length > 0 });
      remindOfExport(project, LOCALES_FILE, this.messages.info);
      return { json, text: `Removed ${locale.code}, ${locale.name}` };
    });
  }
}
