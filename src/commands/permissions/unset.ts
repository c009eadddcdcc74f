import * as Args from '@oclif/core/args';
import { PERMISSIONS_FILE } from '../../project/access-files.js';
import { remindOfExport } from '../../cli/access/access-files.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describePermissionChanges, resolveActionGroup } from '../../cli/access/tokens-and-permissions.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class PermissionsUnset extends BaseCommand<typeof PermissionsUnset> {
  static override summary = 'Revoke permissions of a role on a content-type.';
  static override description = 'Without actions, revokes all of them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> public article create update',
    '<%= config.bin %> <%= command.id %> public api::tag.tag --dry-run',
  ];
  static override args = {
    role: Args.string({
      required: true,
      description: 'Role: public, authenticated, or a role of the project.',
    }),
    type: Args.string({
      required: true,
      description: 'Content-type (article or api::article.article), or controller of a plugin.',
    }),
    action: Args.string({
      multiple: true,
      description: 'Actions such as find, findOne, create, update, delete.',
    }),
  };
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { role: 'role', type: 'grantable', action: 'action' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const dryRun = this.flags['dry-run'];
    const { uid } = resolveActionGroup(project.model, this.args.type);
    this.info(await describeTarget(project));
    const list = { role: this.args.role, uid, actions: this.args.action ?? [] };
    const change = await withAdministration(project, this.messages.warn, (api) =>
      api.permissions.unset({ ...list, dryRun }),
    );
    const { summary, ...outcome } = describePermissionChanges(change.role.type, [{ ...change, uid }], dryRun);
    this.info(summary);
    if (!dryRun && outcome.text !== '') remindOfExport(project, PERMISSIONS_FILE, this.messages.info);
    return outcome;
  }
}
