import { removeUser } from '../../access/people/remove-user.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { acceptDataLossFlag, dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { changeNamedUser, userArguments, userCompletion } from '../support/users.js';

export default class UserRemove extends BaseCommand<typeof UserRemove> {
  static override description = 'Remove an API user. The account goes only with --accept-data-loss; to keep somebody out, block them.';
  static override examples = ['<%= config.bin %> <%= command.id %> ann --accept-data-loss', '<%= config.bin %> <%= command.id %> ann --dry-run'];
  static override args = userArguments;
  static override flags = { ...acceptDataLossFlag, ...dryRunFlag };
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return changeNamedUser(project, {
      identifier: this.args.user,
      isDryRun: this.flags['dry-run'],
      warn: (message) => this.warn(message),
      json: ({ username, documentId }) => ({ removed: username, documentId }),
      would: 'Would remove the user',
      done: 'Removed the user',
      change: async (keeper, { username, documentId }) => {
        await this.acceptLoss([{ what: `user ${username}`, rows: 1, reason: 'the account is removed' }]);
        await removeUser(keeper, documentId);
      },
    });
  }
}
