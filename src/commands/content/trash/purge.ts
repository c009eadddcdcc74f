import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { withAdministration } from '../../../cli/administration.js';
import { BaseCommand } from '../../../cli/base-command.js';
import { dryRunFlag } from '../../../cli/flags.js';
import type { Outcome } from '../../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../../cli/project/command-target.js';
import { createError } from '../../../errors/catalogue.js';
import { countNoun } from '../../../lib/text.js';
import { parseDuration } from '../../../lib/units.js';

export default class ContentTrashPurge extends BaseCommand<typeof ContentTrashPurge> {
  static override summary = 'Delete documents in the trash for good.';
  static override description =
    'Also deletes the content of files. Without an entry or --older-than, requires --all.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1 --yes',
    '<%= config.bin %> <%= command.id %> --older-than 7d --yes',
    '<%= config.bin %> <%= command.id %> --all --dry-run',
  ];
  static override args = {
    entry: Args.integer({ min: 1, description: 'Entry, from cms content trash list.' }),
  };
  static override flags = {
    'older-than': Flags.string({
      description: 'Minimum age, such as 7d or 12h.',
      helpValue: '<duration>',
    }),
    all: Flags.boolean({ description: 'Delete all entries.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const isDryRun = this.flags['dry-run'];
    const filter = this.#filter();
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, async ({ trash }) => {
      const found = await trash.purge({ ...filter, dryRun: true });
      const entries = countNoun(found.count, 'entry', 'entries');
      if (!isDryRun && found.count > 0) {
        await this.confirm(`Delete ${entries} of the trash for good?`);
        await trash.purge(filter);
      }
      return {
        json: { count: found.count, ...(isDryRun ? { dryRun: true } : {}) },
        text: `${isDryRun ? 'Would delete' : 'Deleted'} ${entries} of the trash.`,
      };
    });
  }

  #filter(): { readonly ids?: readonly number[]; readonly deletedBefore?: number } {
    const { entry } = this.args;
    const { all, 'older-than': age } = this.flags;
    const selections = [entry, age, all ? true : undefined].filter((each) => each !== undefined);
    if (selections.length !== 1)
      throw createError('cli/invalid-usage', {
        reason: 'One of an entry, --older-than and --all is required.',
        remedy: 'See: cms content trash list',
      });
    if (entry !== undefined) return { ids: [entry] };
    if (age === undefined) return {};
    const milliseconds = parseDuration(age);
    if (milliseconds === null)
      throw createError('cli/invalid-usage', {
        reason: `${age} is not a duration.`,
        remedy: 'Write minutes, hours or days: 30m, 12h or 7d.',
      });
    return { deletedBefore: Date.now() - milliseconds };
  }
}
