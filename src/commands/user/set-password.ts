import { changeUser } from '../../access/accounts/users.js';
import { assertPassword } from '../../access/accounts/passwords.js';
import { userSelection } from '../../access/accounts/account-context.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { validateWith } from '../../cli/prompts/prompt.js';
import { secretFlags } from '../../cli/prompts/secret.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { changeUserByIdentifier, userArguments, userCompletion } from '../../cli/access/users.js';

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
    ...dryRunFlag,
  };
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const password = await this.secret('password', 'New password', (typed) =>
      validateWith(() => assertPassword(project, typed)),
    );
    assertPassword(project, password);
    this.info(await describeTarget(project));
    return changeUserByIdentifier(project, {
      identifier: this.args.user,
      isDryRun: this.flags['dry-run'],
      warn: this.messages.warn,
      json: ({ username, documentId }) => ({ username, documentId }),
      dryRunPrefix: 'Would change the password of',
      successPrefix: 'Changed the password of',
      apply: (context, { documentId }) =>
        changeUser(context, documentId, { password }, { selection: userSelection(project.model) }),
    });
  }
}
