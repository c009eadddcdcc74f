import * as Flags from '@oclif/core/flags';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { groupActions, limitedRules, permissionRows } from '../../cli/access/tokens-and-permissions.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class PermissionsList extends BaseCommand<typeof PermissionsList> {
  static override description = 'List the permissions of each role.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --role public --json',
  ];
  static override flags = { role: Flags.string({ description: 'List only this role.' }), ...remoteFlag };
  static override completion = { role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const { role: only } = this.flags;
    const permissions = await withAdministration(project, this.messages.warn, (api) =>
      api.permissions.list(only === undefined ? {} : { role: only }),
    );
    const rows = permissionRows(permissions);
    if (rows.length === 0)
      this.info(
        'No permissions are granted. Grant some with: cms permissions set public article find findOne',
      );
    const text = printTable(
      rows,
      [
        { header: 'ROLE', value: ({ role }) => role },
        { header: 'ON', value: ({ uid }) => uid },
        { header: 'ACTIONS', value: ({ actions }) => actions },
      ],
      this.style,
    );
    const json = permissions.map((entry) => {
      const limits = limitedRules(entry);
      return {
        role: entry.role.type,
        name: entry.role.name,
        permissions: groupActions(entry.actions),
        ...(limits === undefined ? {} : { limits }),
      };
    });
    return { json, text };
  }
}
