import * as Args from '@oclif/core/args';
import { changeUser } from '../../access/accounts/users.js';
import { userSelection } from '../../access/accounts/account-context.js';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import { openProject } from '../../project/open/open-project.js';
import { defined } from '../../lib/assert.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { withAccess } from '../../project/open/open-database.js';
import { changeUserByIdentifier, userArguments, userCompletion } from '../../cli/access/users.js';

export default class UserSetRole extends BaseCommand<typeof UserSetRole> {
  static override summary = 'Change the role of an API user.';
  static override description = 'Takes effect with the next request.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann editor',
    '<%= config.bin %> <%= command.id %> ann@example.com editor --dry-run',
  ];
  static override args = {
    ...userArguments,
    role: Args.string({ required: true, description: 'Type or name of the role.' }),
  };
  static override flags = dryRunFlag;
  static override completion = { ...userCompletion, role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    const [found] = await withAccess(project, (access) => listPermissions(access, this.args.role));
    const { role } = defined(found, 'the role');
    return changeUserByIdentifier(project, {
      identifier: this.args.user,
      isDryRun: this.flags['dry-run'],
      warn: this.messages.warn,
      json: ({ username, documentId }) => ({ username, documentId, role: role.type }),
      dryRunPrefix: `Would give the role ${role.type} to`,
      successPrefix: `Gave the role ${role.type} to`,
      apply: (context, { documentId }) =>
        changeUser(
          context,
          documentId,
          { role: role.documentId },
          { selection: userSelection(project.model) },
        ),
    });
  }
}
