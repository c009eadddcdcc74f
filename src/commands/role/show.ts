import * as Args from '@oclif/core/args';
import { defined } from '../../lib/assert.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { groupActions, limitedRules, permissionRows } from '../../cli/access/tokens-and-permissions.js';
import { printKeyValues, printTable } from '../../cli/terminal/text-layout.js';

export default class RoleShow extends BaseCommand<typeof RoleShow> {
  static override description = 'Show a role with its permissions and the number of its users.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> public',
    '<%= config.bin %> <%= command.id %> authenticated --json',
  ];
  static override args = {
    role: Args.string({ required: true, description: 'Type or name of the role.' }),
  };
  static override flags = remoteFlag;
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const { permissions, users } = await withAdministration(project, this.messages.warn, async (api) => {
      const [found] = await api.permissions.list({ role: this.args.role });
      const entry = defined(found, 'the role');
      return { permissions: entry, users: (await api.users.list({ role: entry.role.type })).length };
    });
    const { role, actions } = permissions;
    const limits = limitedRules(permissions);
    const keyValues = printKeyValues(
      [
        ['Role', role.type],
        ['Name', role.name],
        ['Description', role.description],
        ['Users', users],
      ],
      this.style,
    );
    const table = printTable(
      permissionRows([permissions]),
      [
        { header: 'ON', value: ({ uid }) => uid },
        { header: 'ACTIONS', value: (row) => row.actions },
      ],
      this.style,
    );
    return {
      json: {
        ...role,
        users,
        permissions: groupActions(actions),
        ...(limits === undefined ? {} : { limits }),
      },
      text: `${keyValues}\n\n${table === '' ? 'It has no permissions.' : table}`,
    };
  }
}
