import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createRole } from '../../access/operations/create-role.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class RoleCreate extends BaseCommand<typeof RoleCreate> {
  static override description = 'Make a role of API users. It may do nothing until it is granted something.';
  static override examples = ['<%= config.bin %> <%= command.id %> Editor', '<%= config.bin %> <%= command.id %> "Chief editor" --type chief --description "Publishes"'];
  static override args = { name: Args.string({ description: 'What people read.' }) };
  static override flags = {
    type: Flags.string({ description: 'What commands call it. Default: made from the name.' }),
    description: Flags.string({ description: 'What it is for.' }),
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const name = await this.promptOr('<name>', this.args.name, (prompts, screen) => prompts.input({ message: 'Name' }, screen));
    this.info(await describeTarget(project));
    const dryRun = this.flags['dry-run'];
    const role = await withAccess(project, (access) => createRole(access, { name, type: this.flags.type, description: this.flags.description }, { dryRun }));
    if (!dryRun) this.info(`Say what it may do with: cms permissions set ${role.type} article find findOne`);
    return { json: { ...role, ...(dryRun ? { dryRun } : {}) }, text: `${dryRun ? 'Would make' : 'Made'} the role ${role.type}, ${role.name}.` };
  }
}
