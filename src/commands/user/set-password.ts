import { assertPassword } from '../../access/accounts/local-accounts.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { validateWith } from '../../cli/prompts/prompt.js';
import { secretFlags } from '../../cli/prompts/secret.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { userArguments, userCompletion } from '../../cli/access/users.js';

export default class UserSetPassword extends BaseCommand<typeof UserSetPassword> {
  static override summary = 'Change the password of an API user.';
  static override description = 'Ends all sessions of the user immediately.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann',
    'echo "$PASSWORD" | <%= config.bin %> <%= command.id %> ann --password -',
  ];
  static override args = userArguments;
  static override flags = {
    ...secretFlags('password', 'Password of at least 6 characters and at most 72 bytes.'),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const password = await this.secret('password', 'New password', (typed) =>
      validateWith(() => assertPassword(project, typed)),
    );
    assertPassword(project, password);
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, async ({ users }) => {
      const { user } = this.args;
      const dryRun = this.flags['dry-run'];
      const { username, documentId } = await users.change({ user, password, dryRun });
      const verb = dryRun ? 'Would change' : 'Changed';
      return {
        json: { username, documentId, ...(dryRun ? { dryRun } : {}) },
        text: `${verb} the password of ${username}.`,
      };
    });
  }
}
