import * as Flags from '@oclif/core/flags';
import { printUserState } from '../../cli/access/users.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class UserList extends BaseCommand<typeof UserList> {
  static override description = 'List API users.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --role authenticated --json',
  ];
  static override flags = {
    role: Flags.string({ description: 'List only users with this role.' }),
    ...remoteFlag,
  };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const { role: only } = this.flags;
    const users = await withAdministration(project, this.messages.warn, (api) =>
      api.users.list(only === undefined ? {} : { role: only }),
    );
    if (users.length === 0) this.info('There are no users. Create one with: cms user create');
    const text = printTable(
      users,
      [
        { header: 'ID', value: ({ id }) => id, align: 'right' },
        { header: 'NAME', value: ({ username }) => username },
        { header: 'EMAIL', value: ({ email }) => email },
        { header: 'ROLE', value: ({ role }) => role ?? '' },
        { header: 'STATE', value: printUserState },
      ],
      this.style,
    );
    return { json: users, text };
  }
}
