import * as Args from '@oclif/core/args';
import { unsetPermissions } from '../../access/permissions/role-permissions.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describePermissionChanges, resolveActionGroup } from '../../cli/access/tokens-and-permissions.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { withAccess } from '../../project/open/open-database.js';

export default class PermissionsUnset extends BaseCommand<typeof PermissionsUnset> {
  static override description =
    'Withdraw permissions on a content-type from a role. Without actions, withdraws all of them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> public article create update',
    '<%= config.bin %> <%= command.id %> public api::tag.tag --dry-run',
  ];
  static override args = {
    role: Args.string({
      required: true,
      description: 'The role: public, authenticated, or a role of the project.',
    }),
    type: Args.string({
      required: true,
      description: "The type (api::article.article, or article), or a plugin's controller.",
    }),
    action: Args.string({
      multiple: true,
      description: 'Actions such as find, findOne, create, update, delete.',
    }),
  };
  static override flags = { ...dryRunFlag };
  static override completion = { role: 'role', type: 'grantable', action: 'action' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const dryRun = this.flags['dry-run'];
    const { uid } = resolveActionGroup(project.model, this.args.type);
    this.info(await describeTarget(project));
    const list = { role: this.args.role, uid, actions: this.args.action ?? [] };
    const change = await withAccess(project, (access) => unsetPermissions(access, list, { dryRun }));
    const { summary, ...outcome } = describePermissionChanges(change.role.type, [{ ...change, uid }], dryRun);
    this.info(summary);
    return outcome;
  }
}
