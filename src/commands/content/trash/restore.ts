import * as Args from '@oclif/core/args';
import { withAdministration } from '../../../cli/administration.js';
import { BaseCommand } from '../../../cli/base-command.js';
import { dryRunFlag } from '../../../cli/flags.js';
import type { Outcome } from '../../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../../cli/project/command-target.js';

export default class ContentTrashRestore extends BaseCommand<typeof ContentTrashRestore> {
  static override summary = 'Restore deleted documents with their versions and links.';
  static override description =
    'Skips and reports values and links that other documents have taken meanwhile, and links to ' +
    'documents that no longer exist. Stops at the first entry that cannot be restored.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1',
    '<%= config.bin %> <%= command.id %> 1 2 --dry-run',
  ];
  static override args = {
    entry: Args.integer({
      required: true,
      multiple: true,
      min: 1,
      description: 'Entries, from cms content trash list.',
    }),
  };
  static override flags = { ...remoteFlag, ...dryRunFlag };

  async run(): Promise<Outcome> {
    const isDryRun = this.flags['dry-run'];
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const ids = this.args.entry;
    const restored = await withAdministration(project, this.messages.warn, ({ trash }) =>
      trash.restore({ ids, dryRun: isDryRun }),
    );
    const lines = restored.map(({ type, documentId, locales, omitted }) => {
      for (const { attribute, reason } of omitted) this.warn(`${documentId} ${attribute}: ${reason}.`);
      const inLocales = locales.length === 0 ? '' : ` in ${locales.join(', ')}`;
      return `${isDryRun ? 'Would restore' : 'Restored'} ${type} ${documentId}${inLocales}.`;
    });
    return {
      json: { restored, ...(isDryRun ? { dryRun: true } : {}) },
      text: lines.join('\n'),
    };
  }
}
