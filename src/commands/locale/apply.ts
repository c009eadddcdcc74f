import * as Args from '@oclif/core/args';
import { compareLocales, readAccessFile } from '../../cli/access/access-files.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class LocaleApply extends BaseCommand<typeof LocaleApply> {
  static override summary = 'Apply locales from a file.';
  static override description =
    'Shows the differences first. Adds and renames locales, sets the default, and removes locales that ' +
    'are not in the file. Removes their content only with --accept-data-loss.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> locales.yaml',
    '<%= config.bin %> <%= command.id %> locales.yaml --dry-run',
    '<%= config.bin %> <%= command.id %> locales.yaml --yes',
  ];
  static override args = {
    file: Args.string({
      required: true,
      description: 'File written by cms locale export; "-" reads standard input.',
    }),
  };
  static override flags = { ...acceptDataLossFlag, ...remoteFlag, ...dryRunFlag };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const read = await readAccessFile(this.terminal, this.args.file, 'access/invalid-locales-file');
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, async (api) => {
      const { diff, losses, apply } = await compareLocales(api, read);
      const dryRun = this.flags['dry-run'];
      const json = { changed: diff !== '', diff, losses, ...(dryRun ? { dryRun } : {}) };
      if (diff === '' || dryRun) {
        this.info(diff === '' ? 'Nothing to change.' : 'Dry run: these changes were not applied.');
        const lost = losses.map(({ what, rows }) => `would lose: ${what} (${rows})`);
        return { json, text: [diff, ...lost].join('\n') };
      }
      this.info(diff);
      await this.confirmDataLoss(losses);
      await this.confirm('Apply these locales?');
      await apply();
      return { json, text: `Applied ${read.file}.` };
    });
  }
}
