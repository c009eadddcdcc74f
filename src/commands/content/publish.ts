import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { changeContent } from '../support/change-content.js';
import { contentArguments, contentCompletion, contentFlags } from '../support/content-arguments.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';

export default class ContentPublish extends BaseCommand<typeof ContentPublish> {
  static override description = 'Publish the draft of a document: everything in it is checked, then shown.';
  static override examples = ['<%= config.bin %> <%= command.id %> article tz4a98xxat96iws9zmbrgj3a', '<%= config.bin %> <%= command.id %> article tz4a98xxat96iws9zmbrgj3a --locale fr --json'];
  static override args = contentArguments;
  static override flags = contentFlags;
  static override completion = contentCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return changeContent(project, 'publish', { ...this.args, locale: this.flags.locale, isDryRun: this.flags['dry-run'], warn: (message) => this.warn(message) });
  }
}
