import * as Args from '@oclif/core/args';
import { listUsers } from '../../access/accounts/list-users.js';
import { listPermissions } from '../../access/permissions/list-permissions.js';
import { openProject } from '../../project/open-project.js';
import { defined } from '../../lib/defined.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { groupActions, limitedRules, permissionRows } from '../../cli/access/permissions.js';
import { withAccess } from '../../cli/project/with-access.js';
import { printKeyValues, printTable } from '../../cli/terminal/table.js';

export default class RoleShow extends BaseCommand<typeof RoleShow> {
  static override description = 'Show a role with its permissions and the number of its users.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> public',
    '<%= config.bin %> <%= command.id %> authenticated --json',
  ];
  static override args = {
    role: Args.string({ required: true, description: 'The type or name of the role.' }),
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
