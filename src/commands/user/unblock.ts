import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { setUserBlocked, userArguments, userCompletion } from '../../cli/access/users.js';

export default class UserUnblock extends BaseCommand<typeof UserUnblock> {
  static override description = 'Unblock an API user.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann',
    '<%= config.bin %> <%= command.id %> ann@example.com',
  ];
  static override args = userArguments;
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, ({ users }) =>
      setUserBlocked(users, false, { user: this.args.user, dryRun: this.flags['dry-run'] }),
    );
  }
}
