import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { RoleRecord } from '../../access/access.js';
import { assertRoleDescription, parseRoleName, roleTypeFromName } from '../../access/roles/write-roles.js';
import type { Administration } from '../../api/administration/administration.js';
import { createError } from '../../errors/catalogue.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { runForm } from '../../cli/prompts/wizard.js';
import type { FormFields, Wizard } from '../../cli/prompts/wizard.js';
import { askText, missingValue, validateWith } from '../../cli/prompts/prompt.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

interface RoleValues {
  readonly name: string;
  readonly type: string | undefined;
  readonly description: string | undefined;
}

type NewRoleValues = Pick<RoleValues, 'name'> & Partial<RoleValues>;

/** Returns the values without those that are not set. */
const inputOf = ({
  name,
  type,
  description,
}: NewRoleValues): Parameters<Administration['roles']['create']>[0] => ({
  name,
  ...(type === undefined ? {} : { type }),
  ...(description === undefined ? {} : { description }),
});

const assertNameAvailable = (name: string, roles: readonly RoleRecord[]): void => {
  const taken = roles.find((role) => role.name.toLowerCase() === name.toLowerCase());
  if (taken !== undefined) throw createError('access/role-exists', { role: taken.type });
};

export default class RoleCreate extends BaseCommand<typeof RoleCreate> {
  static override summary = 'Create a role for API users.';
  static override description = 'A new role has no permissions.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> Editor',
    '<%= config.bin %> <%= command.id %> "Chief editor" --type chief --description "Publishes"',
  ];
  static override args = { name: Args.string({ description: 'Display name of the role.' }) };
  static override flags = {
    type: Flags.string({ description: 'Name for commands. [default: derived from the name]' }),
    description: Flags.string({ description: 'Description of the role.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const dryRun = this.flags['dry-run'];
    const role = await withAdministration(project, this.messages.warn, async ({ roles }) => {
      const values = await this.ask((wizard) => this.#choose(wizard, roles));
      return roles.create({ ...inputOf(values), dryRun });
    });
    const type = project.model.types.find(({ origin }) => origin === 'project')?.singularName ?? 'TYPE';
    if (!dryRun) this.info(`Grant it permissions with: cms permissions set ${role.type} ${type} find`);
    return {
      json: { ...role, ...(dryRun ? { dryRun } : {}) },
      text: `${dryRun ? 'Would create' : 'Created'} the role ${role.type}, ${role.name}.`,
    };
  }

  async #choose(wizard: Wizard | null, roles: Administration['roles']): Promise<RoleValues> {
    const { args, flags } = this;
    if (wizard === null || args.name !== undefined) {
      if (args.name === undefined) throw missingValue('<name>');
      return { name: args.name, type: flags.type, description: flags.description };
    }
    const tryRole = (role: NewRoleValues): Promise<unknown> =>
      roles.create({ ...inputOf(role), dryRun: true });
    const fields: FormFields<RoleValues> = {
      name: {
        name: '<name>',
        label: 'name',
        // If no type can be derived from the name, the next prompt asks for one.
        assert: async (name) => assertNameAvailable(parseRoleName(name), await roles.list({})),
        ask: (prompter, question) => askText(prompter, { message: 'Name', isRequired: true, ...question }),
      },
      type: {
        name: 'type',
        label: 'name in commands',
        given: flags.type,
        assert: (type, { name = '' }) => tryRole({ name, type }),
        ask: (prompter, { initial, validate }, { name = '' }) =>
          askText(prompter, {
            message: 'Name in commands',
            isRequired: true,
            initial: initial ?? roleTypeFromName(name),
            validate,
          }),
      },
      description: {
        name: 'description',
        label: 'description',
        given: flags.description,
        assert: (description = '') => assertRoleDescription(description),
        ask: (prompter, question) => askText(prompter, { message: 'Description', ...question }),
        print: (description = '') => (description === '' ? null : description),
      },
    };
    const draftOf = ({ name }: Partial<RoleValues>): string | null =>
      name === undefined ? null : `the role ${name}`;
    return runForm(wizard, fields, draftOf, (values) => validateWith(() => tryRole(values)));
  }
}
