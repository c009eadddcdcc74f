import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { changeVersion, versionChangeFlags } from '../../cli/content/change-version.js';
import { documentArguments } from '../../cli/content/resolve-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';

export default class ContentPublish extends BaseCommand<typeof ContentPublish> {
  static override description = 'Publish the draft of a document, after validating it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article notes-on-rye',
    '<%= config.bin %> <%= command.id %> article notes-on-rye --dry-run --json',
  ];
  static override args = documentArguments;
  static override flags = versionChangeFlags;
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return changeVersion(project, 'publish', {
      ...this.args,
      locale: this.flags.locale,
      isDryRun: this.flags['dry-run'],
      warn: (message) => this.warn(message),
    });
  }
}
