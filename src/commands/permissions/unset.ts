import * as Args from '@oclif/core/args';
import { unsetPermissions } from '../../access/operations/unset-permissions.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { resolveActionGroup } from '../support/action-groups.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { reportChanges } from '../support/permissions.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class PermissionsUnset extends BaseCommand<typeof PermissionsUnset> {
  static override description = 'Withdraw actions on a content-type from a role; all of them where none is named.';
  static override examples = ['<%= config.bin %> <%= command.id %> public article create update', '<%= config.bin %> <%= command.id %> public api::tag.tag --dry-run'];
  static override args = {
    role: Args.string({ required: true, description: 'public, authenticated, or a role of your own.' }),
    uid: Args.string({ required: true, description: 'The type (api::article.article, or article), or a plugin\'s controller.' }),
    action: Args.string({ multiple: true, description: 'What to withdraw: find, create…' }),
  };
  static override flags = { ...dryRunFlag };
  static override completion = { role: 'role', uid: 'grantable', action: 'action' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const dryRun = this.flags['dry-run'];
    const { uid } = resolveActionGroup(project.model, this.args.uid);
    this.info(await describeTarget(project));
    const list = { role: this.args.role, uid, actions: this.args.action ?? [] };
    const change = await withAccess(project, (access) => unsetPermissions(access, list, { dryRun }));
    const { summary, ...outcome } = reportChanges(change.role.type, [{ ...change, uid }], dryRun);
    this.info(summary);
    return outcome;
  }
}
