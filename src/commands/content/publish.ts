import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import {
  changeContent,
  contentArguments,
  contentCompletion,
  contentFlags,
} from '../../cli/change-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';

export default class ContentPublish extends BaseCommand<typeof ContentPublish> {
  static override description = 'Publish the draft of a document, after validating it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article tz4a98xxat96iws9zmbrgj3a',
    '<%= config.bin %> <%= command.id %> article tz4a98xxat96iws9zmbrgj3a --locale fr --json',
  ];
  static override args = contentArguments;
  static override flags = contentFlags;
  static override completion = contentCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return changeContent(project, 'publish', {
      ...this.args,
      locale: this.flags.locale,
      isDryRun: this.flags['dry-run'],
      warn: (message) => this.warn(message),
    });
  }
}
