import { USER_UID } from '../../model/content-types/builtin-types.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { userArguments, userCompletion } from '../../cli/access/users.js';

export default class UserRemove extends BaseCommand<typeof UserRemove> {
  static override summary = 'Remove an API user.';
  static override description =
    'Requires --accept-data-loss. To lock out a user instead, run cms user block.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann --accept-data-loss',
    '<%= config.bin %> <%= command.id %> ann --dry-run',
  ];
  static override args = userArguments;
  static override flags = { ...acceptDataLossFlag, ...remoteFlag, ...dryRunFlag };
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const { user } = this.args;
    return withAdministration(project, this.messages.warn, async ({ users }) => {
      const { username, documentId } = await users.get({ user });
      const json = { removed: username, documentId };
      if (this.flags['dry-run'])
        return { json: { ...json, dryRun: true }, text: `Would remove the user ${username}.` };
      await this.confirmDataLoss([
        {
          what: `user ${username}`,
          type: USER_UID,
          path: null,
          rows: 1,
          reason: 'the account is removed',
        },
      ]);
      await users.remove({ user });
      return { json, text: `Removed the user ${username}.` };
    });
  }
}
