import * as Args from '@oclif/core/args';
import { removeUser } from '../../access/people/remove-user.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { acceptDataLossFlag, dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { requireUser, withUsers } from '../support/users.js';

export default class UserRemove extends BaseCommand<typeof UserRemove> {
  static override description = 'Remove an API user. The account goes only with --accept-data-loss; to keep somebody out, block them.';
  static override examples = ['<%= config.bin %> <%= command.id %> ann --accept-data-loss', '<%= config.bin %> <%= command.id %> ann --dry-run'];
  static override args = { user: Args.string({ required: true, description: 'Name or e-mail address.' }) };
  static override flags = { ...acceptDataLossFlag, ...dryRunFlag };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return withUsers(project, async (keeper) => {
      const { documentId, username } = await requireUser(keeper, this.args.user);
      const json = { removed: username, documentId };
      if (this.flags['dry-run']) return { json: { ...json, dryRun: true }, text: `Would remove the user ${username}.` };
      await this.acceptLoss([{ what: `user ${username}`, rows: 1, reason: 'the account is removed' }]);
      await removeUser(keeper, documentId);
      return { json, text: `Removed the user ${username}.` };
    });
  }
}
