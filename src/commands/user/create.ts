import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createUser } from '../../access/accounts/create-user.js';
import { assertPassword } from '../../access/accounts/passwords.js';
import { userSelection } from '../../access/accounts/user-record.js';
import { listPermissions } from '../../access/permissions/list-permissions.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/arguments/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { secretFlags } from '../../cli/prompts/secret.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import { withUsers } from '../../cli/access/users.js';
import { withAccess } from '../../cli/project/with-access.js';

export default class UserCreate extends BaseCommand<typeof UserCreate> {
  static override description = 'Create an API user, who can sign in at once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann --email ann@example.com',
    'echo "$PASSWORD" | <%= config.bin %> <%= command.id %> ann --email ann@example.com ' +
      '--role editor --password -',
  ];
  static override args = { username: Args.string({ description: 'The name to sign in with.' }) };
  static override flags = {
    email: Flags.string({ description: 'E-mail address. Can be used to sign in, too.' }),
    role: Flags.string({ description: "The user's role.", default: 'authenticated' }),
    ...secretFlags('password', 'At least 6 characters, at most 72 bytes.'),
    unconfirmed: Flags.boolean({ description: 'Create the user with an unconfirmed e-mail address.' }),
    ...dryRunFlag,
  };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const username = await this.promptIfMissing('<username>', this.args.username, (prompts, screen) =>
      prompts.input({ message: 'Name' }, screen),
    );
    const email = await this.promptIfMissing('email', this.flags.email, (prompts, screen) =>
      prompts.input({ message: 'E-mail address' }, screen),
    );
    const password = await this.secret('password', 'Password');
    assertPassword(project, password);
    this.info(await describeTarget(project));
    const [{ role } = { role: null }] = await withAccess(project, (access) =>
      listPermissions(access, this.flags.role),
    );
    const summary = { username, email: email.toLowerCase(), role: role?.type ?? null };
    if (this.flags['dry-run'])
      return { json: { ...summary, dryRun: true }, text: `Would create the user ${username}.` };
    return withUsers(
      project,
      (message) => this.warn(message),
      async (context) => {
        const values = {
          username,
          email,
          password,
          provider: 'local',
          confirmed: !this.flags.unconfirmed,
          blocked: false,
          role: role?.documentId,
        };
        const { documentId } = await createUser(context, values, { selection: userSelection(project.model) });
        return { json: { documentId, ...summary }, text: `Created the user ${username}.` };
      },
    );
  }
}
