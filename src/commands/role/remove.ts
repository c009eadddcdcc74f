import * as Args from '@oclif/core/args';
import { removeRole } from '../../access/operations/remove-role.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { acceptDataLossFlag, dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class RoleRemove extends BaseCommand<typeof RoleRemove> {
  static override description = 'Remove a role. Where users have it, only with --accept-data-loss: they are left without one.';
  static override examples = ['<%= config.bin %> <%= command.id %> editor', '<%= config.bin %> <%= command.id %> editor --dry-run', '<%= config.bin %> <%= command.id %> editor --accept-data-loss'];
  static override args = { role: Args.string({ required: true, description: 'Its type or name.' }) };
  static override flags = { ...acceptDataLossFlag, ...dryRunFlag };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return withAccess(project, async (access) => {
      const { role, users } = await removeRole(access, { role: this.args.role, acceptDataLoss: true }, { dryRun: true });
      const json = { removed: role.type, users, ...(dryRun ? { dryRun } : {}) };
      if (dryRun) return { json, text: `Would remove the role ${role.type}, which ${users} ${users === 1 ? 'user has' : 'users have'}.` };
      if (users > 0) await this.acceptLoss([{ what: `role ${role.type}`, rows: users, reason: 'users are left without a role' }]);
      await removeRole(access, { role: role.type, acceptDataLoss: users > 0 });
      return { json, text: `Removed the role ${role.type}.` };
    });
  }
}
