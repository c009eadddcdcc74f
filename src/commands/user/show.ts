import { listRoles } from '../../access/roles/role-tables.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { withAccess } from '../../project/open/open-database.js';
import { findUser, printUserState, userArguments, userCompletion } from '../../cli/access/users.js';
import { printKeyValues } from '../../cli/terminal/text-layout.js';

export default class UserShow extends BaseCommand<typeof UserShow> {
  static override summary = 'Show an API user without the password.';
  static override description = 'Only a hash of the password is stored.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann',
    '<%= config.bin %> <%= command.id %> ann@example.com --json',
  ];
  static override args = userArguments;
  static override completion = userCompletion;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { user, roles } = await withAccess(project, async (access) => ({
      user: await findUser(access, this.args.user),
      roles: await listRoles(access),
    }));
    const { id, documentId, username, email, confirmed, blocked, roleDocumentId } = user;
    const role = roles.find((candidate) => candidate.documentId === roleDocumentId)?.type ?? null;
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
    return { json: { id, documentId, username, email, confirmed, blocked, role }, text };
  }
}
