import * as Args from '@oclif/core/args';
import { removeLocale } from '../../access/operations/remove-locale.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { acceptDataLossFlag, dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class LocaleRemove extends BaseCommand<typeof LocaleRemove> {
  static override description = 'Remove a language. Content written in it goes only with --accept-data-loss.';
  static override examples = ['<%= config.bin %> <%= command.id %> fr', '<%= config.bin %> <%= command.id %> fr --dry-run', '<%= config.bin %> <%= command.id %> fr --accept-data-loss'];
  static override args = { code: Args.string({ required: true, description: 'Its code.' }) };
  static override flags = { ...acceptDataLossFlag, ...dryRunFlag };
  static override completion = { code: 'locale' } as const;

  async run(): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return withAccess(project, async (access) => {
      const { locale, losses } = await removeLocale(access, { code: this.args.code, acceptDataLoss: true }, { dryRun: true });
      const lost = losses.map(({ type, versions }) => ({ what: `${type} in ${locale.code}`, rows: versions, reason: 'its content is removed' }));
      const json = { removed: locale.code, losses, ...(dryRun ? { dryRun } : {}) };
      if (dryRun) return { json, text: [`Would remove ${locale.code}, ${locale.name}`, ...lost.map(({ what, rows }) => `would lose: ${what} (${rows})`)].join('\n') };
      await this.acceptLoss(lost);
      await removeLocale(access, { code: locale.code, acceptDataLoss: lost.length > 0 });
      return { json, text: `Removed ${locale.code}, ${locale.name}` };
    });
  }
}
