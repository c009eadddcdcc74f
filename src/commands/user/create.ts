import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { assertPassword, assertUserValue } from '../../access/accounts/local-accounts.js';
import type { Administration } from '../../api/administration/administration.js';
import type { Project } from '../../project/open/open-project.js';
import { askRole } from '../../cli/access/edit-permissions.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { runForm } from '../../cli/prompts/wizard.js';
import type { FormField, FormFields } from '../../cli/prompts/wizard.js';
import { askText } from '../../cli/prompts/prompt.js';
import { readGivenSecret, secretFlags } from '../../cli/prompts/secret.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

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
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const given = await readGivenSecret(this.terminal, { name: 'password', flags: this.flags });
    this.info(await describeTarget(project));
    const dryRun = this.flags['dry-run'];
    return withAdministration(project, this.messages.warn, async (api) => {
      const values = await this.ask((wizard) => runForm(wizard, this.#fields(project, api, given), draftOf));
      const confirmed = !this.flags.unconfirmed;
      const { documentId, role } = await api.users.create({ ...values, confirmed, dryRun });
      const { username, email } = values;
      const summary = { username, email: email.toLowerCase(), role };
      if (dryRun) return { json: { ...summary, dryRun }, text: `Would create the user ${username}.` };
      return { json: { documentId, ...summary }, text: `Created the user ${username}.` };
    });
  }

  #fields(project: Project, api: Administration, password: string | undefined): FormFields<UserValues> {
    const { args, flags } = this;
    const { users } = api;
    const isAvailable = async (identifiers: Parameters<typeof users.check>[0]): Promise<void> =>
      void (await users.check(identifiers));
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
          assertUserValue(project, 'username', username);
          return isAvailable({ username });
        },
        ask: text('Name'),
      },
      email: {
        name: 'email',
        label: 'e-mail address',
        given: flags.email,
        assert: (email, { username }) => {
          assertUserValue(project, 'email', email);
          if (email.toLowerCase() === username) return;
          return isAvailable({ email: email.toLowerCase() });
        },
        ask: text('E-mail address'),
      },
      password: {
        name: 'password',
        label: 'password',
        given: password,
        assert: (typed) => assertPassword(project, typed),
        ask: (prompter, { validate }) =>
          askText(prompter, { message: 'Password', isRequired: true, isSecret: true, validate }),
        print: () => '***',
      },
      role: {
        name: 'role',
        label: 'role',
        given: flags.role ?? (isComplete ? DEFAULT_ROLE : undefined),
        fallback: () => DEFAULT_ROLE,
        ask: (prompter, { initial = DEFAULT_ROLE }) => askRole(prompter, api, { message: 'Role', initial }),
      },
    };
  }
}
