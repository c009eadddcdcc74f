import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject } from '../../cli/project/command-target.js';
import { changeVersion, versionChangeFlags } from '../../cli/content/change-version.js';
import { documentArguments } from '../../cli/content/find-document.js';
import type { Outcome } from '../../cli/outcome.js';

export default class ContentDiscard extends BaseCommand<typeof ContentDiscard> {
  static override description = 'Discard changes made to the draft of a document since it was published.';
  static override examples = ['<%= config.bin %> <%= command.id %> article a-starter-that-keeps'];
  static override args = documentArguments;
  static override flags = versionChangeFlags;
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    return changeVersion(project, 'discardDraft', {
      ...this.args,
      locale: this.flags.locale,
      isDryRun: this.flags['dry-run'],
      ifMatch: this.flags['if-match'],
      warn: this.messages.warn,
    });
  }
}
