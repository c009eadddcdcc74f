import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { setBlocked, userArguments, userCompletion } from '../support/users.js';

export default class UserBlock extends BaseCommand<typeof UserBlock> {
  static override description = 'Block an API user, who is out at once, whatever they are signed in with.';
  static override examples = ['<%= config.bin %> <%= command.id %> ann', '<%= config.bin %> <%= command.id %> ann@example.com'];
  static override args = userArguments;
  static override flags = dryRunFlag;
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return setBlocked(project, true, { identifier: this.args.user, isDryRun: this.flags['dry-run'], warn: (message) => this.warn(message) });
  }
}
