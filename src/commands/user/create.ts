import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createUser } from '../../access/people/create-user.js';
import { assertPassword } from '../../access/people/new-password.js';
import { userSelection } from '../../access/people/user-record.js';
import { listPermissions } from '../../access/operations/list-permissions.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { secretFlags } from '../support/secret.js';
import { describeTarget } from '../support/target.js';
import { withUsers } from '../support/users.js';
import { withAccess } from '../support/with-access.js';

export default class UserCreate extends BaseCommand<typeof UserCreate> {
  static override description = 'Make an API user, who may sign in at once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann --email ann@example.com',
    'echo "$PASSWORD" | <%= config.bin %> <%= command.id %> ann --email ann@example.com --role editor --password -',
  ];
  static override args = { username: Args.string({ description: 'The name to sign in with.' }) };
  static override flags = {
    email: Flags.string({ description: 'Address; may be signed in with too.' }),
    role: Flags.string({ description: 'What the user may do.', default: 'authenticated' }),
    ...secretFlags('password', 'At least 6 characters, at most 72 bytes.'),
    unconfirmed: Flags.boolean({ description: 'The address is still to be confirmed.' }),
    ...dryRunFlag,
  };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const username = await this.promptOr('<username>', this.args.username, (prompts, screen) => prompts.input({ message: 'Name' }, screen));
    const email = await this.promptOr('email', this.flags.email, (prompts, screen) => prompts.input({ message: 'E-mail address' }, screen));
    const password = await this.secret('password', 'Password');
    assertPassword(project, password);
    this.info(await describeTarget(project));
    const [{ role } = { role: null }] = await withAccess(project, (access) => listPermissions(access, this.flags.role));
    const facts = { username, email: email.toLowerCase(), role: role?.type ?? null };
    if (this.flags['dry-run']) return { json: { ...facts, dryRun: true }, text: `Would make the user ${username}.` };
    return withUsers(project, (message) => this.warn(message), async (keeper) => {
      const values = { username, email, password, provider: 'local', confirmed: !this.flags.unconfirmed, blocked: false, role: role?.documentId };
      const { documentId } = await createUser(keeper, values, { selection: userSelection(project.model) });
      return { json: { documentId, ...facts }, text: `Made the user ${username}.` };
    });
  }
}
