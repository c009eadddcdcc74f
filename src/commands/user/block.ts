import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { setUserBlocked, userArguments, userCompletion } from '../../cli/access/users.js';

export default class UserBlock extends BaseCommand<typeof UserBlock> {
  static override summary = 'Block an API user.';
  static override description = 'Ends all sessions of the user immediately.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann',
    '<%= config.bin %> <%= command.id %> ann@example.com',
  ];
  static override args = userArguments;
  static override flags = dryRunFlag;
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return setUserBlocked(project, true, {
      identifier: this.args.user,
      isDryRun: this.flags['dry-run'],
      warn: this.messages.warn,
    });
  }
}
