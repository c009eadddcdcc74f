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

export default class ContentPublish extends BaseCommand<typeof ContentPublish> {
  static override summary = 'Publish the draft of a document, now or at a set time.';
  static override description = 'Validates the draft first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article notes-on-rye',
    '<%= config.bin %> <%= command.id %> article notes-on-rye --dry-run --json',
    '<%= config.bin %> <%= command.id %> article notes-on-rye --at 2h',
  ];
  static override args = documentArguments;
  static override flags = { ...versionChangeFlags, ...atFlag };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const { at, locale, 'dry-run': isDryRun, 'if-match': ifMatch } = this.flags;
    if (at !== undefined) return scheduleVersion(project, 'publish', { ...this.args, locale, isDryRun, at });
    return changeVersion(project, 'publish', {
      ...this.args,
      locale,
      isDryRun,
      ifMatch,
      warn: this.messages.warn,
    });
  }
}
