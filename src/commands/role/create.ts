import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createRole } from '../../access/roles/create-role.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/arguments/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import { withAccess } from '../../cli/project/with-access.js';

export default class RoleCreate extends BaseCommand<typeof RoleCreate> {
  static override description = 'Create a role for API users. It has no permissions at first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> Editor',
    '<%= config.bin %> <%= command.id %> "Chief editor" --type chief --description "Publishes"',
  ];
  static override args = { name: Args.string({ description: 'The display name.' }) };
  static override flags = {
    type: Flags.string({ description: 'The name used in commands. [default: derived from the name]' }),
    description: Flags.string({ description: 'A description.' }),
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const name = await this.promptIfMissing('<name>', this.args.name, (prompts, screen) =>
      prompts.input({ message: 'Name' }, screen),
    );
    this.info(await describeTarget(project));
    const dryRun = this.flags['dry-run'];
    const role = await withAccess(project, (access) =>
      createRole(access, { name, type: this.flags.type, description: this.flags.description }, { dryRun }),
    );
    const type = project.model.types.find(({ origin }) => origin === 'project')?.singularName ?? 'TYPE';
    if (!dryRun) this.info(`Grant it permissions with: cms permissions set ${role.type} ${type} find`);
    return {
      json: { ...role, ...(dryRun ? { dryRun } : {}) },
      text: `${dryRun ? 'Would create' : 'Created'} the role ${role.type}, ${role.name}.`,
    };
  }
}
