import { changeUser } from '../../access/people/change-user.js';
import { assertPassword } from '../../access/people/new-password.js';
import { userSelection } from '../../access/people/user-record.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { secretFlags } from '../support/secret.js';
import { describeTarget } from '../support/target.js';
import { changeNamedUser, userArguments, userCompletion } from '../support/users.js';

export default class UserSetPassword extends BaseCommand<typeof UserSetPassword> {
  static override description = 'Give an API user a new password. Whatever is signed in with the old one ends at once.';
  static override examples = ['<%= config.bin %> <%= command.id %> ann', 'echo "$PASSWORD" | <%= config.bin %> <%= command.id %> ann --password -'];
  static override args = userArguments;
  static override flags = { ...secretFlags('password', 'At least 6 characters, at most 72 bytes.'), ...dryRunFlag };
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const password = await this.secret('password', 'New password');
    assertPassword(project, password);
    this.info(await describeTarget(project));
    return changeNamedUser(project, {
      identifier: this.args.user,
      isDryRun: this.flags['dry-run'],
      warn: (message) => this.warn(message),
      json: ({ username, documentId }) => ({ username, documentId }),
      would: 'Would change the password of',
      done: 'Changed the password of',
      change: (keeper, { documentId }) => changeUser(keeper, documentId, { password }, { selection: userSelection(project.model) }),
    });
  }
}
