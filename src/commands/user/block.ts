import * as Args from '@oclif/core/args';
import { changeUser } from '../../access/people/change-user.js';
import { userSelection } from '../../access/people/user-record.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { requireUser, withUsers } from '../support/users.js';

export default class UserBlock extends BaseCommand<typeof UserBlock> {
  static override description = 'Block an API user, who is out at once, whatever they are signed in with.';
  static override examples = ['<%= config.bin %> <%= command.id %> ann', '<%= config.bin %> <%= command.id %> ann@example.com'];
  static override args = { user: Args.string({ required: true, description: 'Name or e-mail address.' }) };
  static override flags = { ...dryRunFlag };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    return withUsers(project, async (keeper) => {
      const { documentId, username } = await requireUser(keeper, this.args.user);
      const json = { username, documentId, blocked: true };
      if (this.flags['dry-run']) return { json: { ...json, dryRun: true }, text: `Would block ${username}.` };
      await changeUser(keeper, documentId, { blocked: true }, { selection: userSelection(project.model) });
      return { json, text: `Blocked ${username}.` };
    });
  }
}
