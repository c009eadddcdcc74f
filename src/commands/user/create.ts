import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { AccessContext } from '../../access/access.js';
import { assertIdentifiersAvailable, createUser } from '../../access/accounts/users.js';
import { assertPassword, assertUserValue } from '../../access/accounts/passwords.js';
import { compileUserReader } from '../../access/accounts/user-reader.js';
import { userSelection } from '../../access/accounts/account-context.js';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import { openProject } from '../../project/open/open-project.js';
import { askRole } from '../../cli/access/edit-permissions.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { runForm } from '../../cli/prompts/wizard.js';
import type { FormField, FormFields } from '../../cli/prompts/wizard.js';
import { askText } from '../../cli/prompts/prompt.js';
import { readGivenSecret, secretFlags } from '../../cli/prompts/secret.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { withUsers } from '../../cli/access/users.js';
import { withAccess } from '../../project/open/open-database.js';

interface UserValues {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly role: string;
}

const DEFAULT_ROLE = 'authenticated';

const draftOf = ({ username }: Partial<UserValues>): string | null =>
  username === undefined ? null : `the user ${username}`;

export default class UserCreate extends BaseCommand<typeof UserCreate> {
  static override description = 'Create an API user who can sign in immediately.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann --email ann@example.com',
    'echo "$PASSWORD" | <%= config.bin %> <%= command.id %> ann --email ann@example.com ' +
      '--role editor --password -',
  ];
  static override args = { username: Args.string({ description: 'Name to sign in with.' }) };
  static override flags = {
    email: Flags.string({ description: 'E-mail address, which can also be used to sign in.' }),
    role: Flags.string({ description: 'Role of the user. [default: authenticated]' }),
    ...secretFlags('password', 'Password of at least 6 characters and at most 72 bytes.'),
    unconfirmed: Flags.boolean({ description: 'Create the user with an unconfirmed e-mail address.' }),
    ...dryRunFlag,
  };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const given = await readGivenSecret(this.terminal, { name: 'password', flags: this.flags });
    this.info(await describeTarget(project));
    const { role, ...answers } = await withAccess(project, async (access) => {
      const values = await this.ask((wizard) => runForm(wizard, this.#fields(access, given), draftOf));
      const [found] = await listPermissions(access, values.role);
      return { ...values, role: found?.role ?? null };
    });
    const { username, email, password } = answers;
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

  #fields(access: AccessContext, password: string | undefined): FormFields<UserValues> {
    const { args, flags } = this;
    const { model, database } = access;
    const users = compileUserReader(database, model);
    const text =
      (message: string): FormField<string, UserValues>['ask'] =>
      (prompter, question) =>
        askText(prompter, { message, isRequired: true, ...question });
    const isComplete = args.username !== undefined && flags.email !== undefined && password !== undefined;
    return {
      username: {
        name: '<username>',
        label: 'name',
        given: args.username,
        assert: (username) => {
          assertUserValue(access, 'username', username);
          return assertIdentifiersAvailable({ users }, { username });
        },
        ask: text('Name'),
      },
      email: {
        name: 'email',
        label: 'e-mail address',
        given: flags.email,
        assert: (email, { username }) => {
          assertUserValue(access, 'email', email);
          if (email.toLowerCase() === username) return;
          return assertIdentifiersAvailable({ users }, { email: email.toLowerCase() });
        },
        ask: text('E-mail address'),
      },
      password: {
        name: 'password',
        label: 'password',
        given: password,
        assert: (typed) => assertPassword(access, typed),
        ask: (prompter, { validate }) =>
          askText(prompter, { message: 'Password', isRequired: true, isSecret: true, validate }),
        print: () => '***',
      },
      role: {
        name: 'role',
        label: 'role',
        given: flags.role ?? (isComplete ? DEFAULT_ROLE : undefined),
        fallback: () => DEFAULT_ROLE,
        ask: (prompter, { initial = DEFAULT_ROLE }) =>
          askRole(prompter, access, { message: 'Role', initial }),
      },
    };
  }
}
