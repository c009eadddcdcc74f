import * as Args from '@oclif/core/args';
import { removeRole } from '../../access/roles/write-roles.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { withAccess } from '../../project/open/open-database.js';
import { countNoun } from '../../lib/text.js';

export default class RoleRemove extends BaseCommand<typeof RoleRemove> {
  static override summary = 'Remove a role.';
  static override description =
    'Requires --accept-data-loss if users have the role; they are left without one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> editor',
    '<%= config.bin %> <%= command.id %> editor --dry-run',
    '<%= config.bin %> <%= command.id %> editor --accept-data-loss',
  ];
  static override args = { role: Args.string({ required: true, description: 'Type or name of the role.' }) };
  static override flags = { ...acceptDataLossFlag, ...dryRunFlag };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return withAccess(project, async (access) => {
      const { role, users } = await removeRole(
        access,
        { role: this.args.role, acceptDataLoss: true },
        { dryRun: true },
      );
      const json = { removed: role.type, users, ...(dryRun ? { dryRun } : {}) };
      if (dryRun)
        return {
          json,
          text: `Would remove the role ${role.type} of ${countNoun(users, 'user')}.`,
        };
      if (users > 0)
        await this.confirmDataLoss([
          {
            what: `role ${role.type}`,
            type: USER_UID,
            path: 'role',
            rows: users,
            reason: 'users are left without a role',
          },
        ]);
      await removeRole(access, { role: role.type, acceptDataLoss: users > 0 });
      return { json, text: `Removed the role ${role.type}.` };
    });
  }
}
