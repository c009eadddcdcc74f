import * as Args from '@oclif/core/args';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
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
  static override flags = { ...acceptDataLossFlag, ...remoteFlag, ...dryRunFlag };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, async ({ roles }) => {
      const { role, users } = await roles.remove({
        role: this.args.role,
        acceptDataLoss: true,
        dryRun: true,
      });
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
      await roles.remove({ role: role.type, acceptDataLoss: users > 0 });
      return { json, text: `Removed the role ${role.type}.` };
    });
  }
}
