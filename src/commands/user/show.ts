import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printUserState, userArguments, userCompletion } from '../../cli/access/users.js';
import { printKeyValues } from '../../cli/terminal/text-layout.js';

export default class UserShow extends BaseCommand<typeof UserShow> {
  static override summary = 'Show an API user without the password.';
  static override description = 'Only a hash of the password is stored.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann',
    '<%= config.bin %> <%= command.id %> ann@example.com --json',
  ];
  static override args = userArguments;
  static override flags = remoteFlag;
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const user = await withAdministration(project, this.messages.warn, (api) =>
      api.users.get({ user: this.args.user }),
    );
    const { id, documentId, username, email, role } = user;
    const text = printKeyValues(
      [
        ['Name', username],
        ['E-mail', email],
        ['Role', role],
        ['State', printUserState(user)],
        ['Id', `${id} (${documentId})`],
      ],
      this.style,
    );
    return { json: user, text };
  }
}
