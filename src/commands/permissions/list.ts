import * as Flags from '@oclif/core/flags';
import { listPermissions } from '../../access/operations/list-permissions.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import type { Outcome } from '../support/outcome.js';
import { groupActions, limitedRules, permissionRows } from '../support/permissions.js';
import { printTable } from '../support/table.js';
import { withAccess } from '../support/with-access.js';

export default class PermissionsList extends BaseCommand<typeof PermissionsList> {
  static override description = 'List what each role may do.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --role public --json'];
  static override flags = { role: Flags.string({ description: 'Only this role.' }) };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const permissions = await withAccess(project, (access) => listPermissions(access, this.flags.role));
    const rows = permissionRows(permissions);
    if (rows.length === 0) this.info('Nothing is granted. Grant something with: cms permissions set public article find findOne');
    const text = printTable(rows, [
      { header: 'ROLE', value: ({ role }) => role },
      { header: 'ON', value: ({ uid }) => uid },
      { header: 'ACTIONS', value: ({ actions }) => actions },
    ], this.style);
    const json = permissions.map((each) => {
      const limits = limitedRules(each);
      return { role: each.role.type, name: each.role.name, permissions: groupActions(each.actions), ...(limits === undefined ? {} : { limits }) };
    });
    return { json, text };
  }
}
