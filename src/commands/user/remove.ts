import { removeUser } from '../../access/accounts/users.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { changeUserByIdentifier, userArguments, userCompletion } from '../../cli/access/users.js';

export default class UserRemove extends BaseCommand<typeof UserRemove> {
  static override summary = 'Remove an API user.';
  static override description =
    'Requires --accept-data-loss. To lock out a user instead, run cms user block.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann --accept-data-loss',
    '<%= config.bin %> <%= command.id %> ann --dry-run',
  ];
  static override args = userArguments;
  static override flags = { ...acceptDataLossFlag, ...dryRunFlag };
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return changeUserByIdentifier(project, {
      identifier: this.args.user,
      isDryRun: this.flags['dry-run'],
      warn: this.messages.warn,
      json: ({ username, documentId }) => ({ removed: username, documentId }),
      dryRunPrefix: 'Would remove the user',
      successPrefix: 'Removed the user',
      apply: async (context, { username, documentId }) => {
        await this.confirmDataLoss([
          {
            what: `user ${username}`,
            type: USER_UID,
            path: null,
            rows: 1,
            reason: 'the account is removed',
          },
        ]);
        await removeUser(context, documentId);
      },
    });
  }
}
