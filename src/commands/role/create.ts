import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { AccessContext, RoleRecord } from '../../access/access.js';
import {
  assertRoleDescription,
  createRole,
  parseRoleName,
  roleTypeFromName,
} from '../../access/roles/write-roles.js';
import type { NewRole } from '../../access/roles/write-roles.js';
import { listRoles } from '../../access/roles/role-tables.js';
import { openProject } from '../../project/open/open-project.js';
import { createError } from '../../errors/catalogue.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { runForm } from '../../cli/prompts/wizard.js';
import type { FormFields, Wizard } from '../../cli/prompts/wizard.js';
import { askText, missingValue, validateWith } from '../../cli/prompts/prompt.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { withAccess } from '../../project/open/open-database.js';

interface RoleValues {
  readonly name: string;
  readonly type: string | undefined;
  readonly description: string | undefined;
}

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
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    const dryRun = this.flags['dry-run'];
    const role = await withAccess(project, async (access) => {
      const values = await this.ask((wizard) => this.#choose(wizard, access));
      return createRole(access, values, { dryRun });
    });
    const type = project.model.types.find(({ origin }) => origin === 'project')?.singularName ?? 'TYPE';
    if (!dryRun) this.info(`Grant it permissions with: cms permissions set ${role.type} ${type} find`);
    return {
      json: { ...role, ...(dryRun ? { dryRun } : {}) },
      text: `${dryRun ? 'Would create' : 'Created'} the role ${role.type}, ${role.name}.`,
    };
  }

  async #choose(wizard: Wizard | null, access: AccessContext): Promise<RoleValues> {
    const { args, flags } = this;
    if (wizard === null || args.name !== undefined) {
      if (args.name === undefined) throw missingValue('<name>');
      return { name: args.name, type: flags.type, description: flags.description };
    }
    const tryRole = (role: NewRole): Promise<unknown> => createRole(access, role, { dryRun: true });
    const fields: FormFields<RoleValues> = {
      name: {
        name: '<name>',
        label: 'name',
        // If no type can be derived from the name, the next prompt asks for one.
        assert: async (name) => assertNameAvailable(parseRoleName(name), await listRoles(access)),
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
