import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject } from '../../cli/project/command-target.js';
import {
  atFlag,
  changeVersion,
  scheduleVersion,
  versionChangeFlags,
} from '../../cli/content/change-version.js';
import { documentArguments } from '../../cli/content/find-document.js';
import type { Outcome } from '../../cli/outcome.js';

export default class ContentUnpublish extends BaseCommand<typeof ContentUnpublish> {
  static override summary = 'Unpublish a document, now or at a set time.';
  static override description = 'Removes the published version and keeps the draft.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps',
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps --at 3d',
  ];
  static override args = documentArguments;
  static override flags = { ...versionChangeFlags, ...atFlag };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const { at, locale, 'dry-run': isDryRun, 'if-match': ifMatch } = this.flags;
    if (at !== undefined)
      return scheduleVersion(project, 'unpublish', { ...this.args, locale, isDryRun, at });
    return changeVersion(project, 'unpublish', {
      ...this.args,
      locale,
      isDryRun,
      ifMatch,
      warn: this.messages.warn,
    });
  }
}
