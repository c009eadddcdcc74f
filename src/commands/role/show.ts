import * as Args from '@oclif/core/args';
import { listUsers } from '../../access/accounts/users.js';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import { openProject } from '../../project/open/open-project.js';
import { defined } from '../../lib/assert.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { groupActions, limitedRules, permissionRows } from '../../cli/access/tokens-and-permissions.js';
import { withAccess } from '../../project/open/open-database.js';
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
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { permissions, users } = await withAccess(project, async (access) => {
      const [found] = await listPermissions(access, this.args.role);
      const entry = defined(found, 'the role');
      return { permissions: entry, users: (await listUsers(access, entry.role.type)).length };
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
