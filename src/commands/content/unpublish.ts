import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { changeVersion, versionChangeFlags } from '../../cli/content/change-version.js';
import { documentArguments } from '../../cli/content/resolve-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';

export default class ContentUnpublish extends BaseCommand<typeof ContentUnpublish> {
  static override description = 'Remove the published version of a document. Its draft stays.';
  static override examples = ['<%= config.bin %> <%= command.id %> article a-starter-that-keeps'];
  static override args = documentArguments;
  static override flags = versionChangeFlags;
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return changeVersion(project, 'unpublish', {
      ...this.args,
      locale: this.flags.locale,
      isDryRun: this.flags['dry-run'],
      warn: (message) => this.warn(message),
    });
  }
}
