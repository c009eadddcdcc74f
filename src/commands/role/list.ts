import { listPermissions } from '../../access/permissions/role-permissions.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';
import { withAccess } from '../../project/open/open-database.js';

export default class RoleList extends BaseCommand<typeof RoleList> {
  static override description = 'List roles of API users.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const permissions = await withAccess(project, (access) => listPermissions(access));
    const roles = permissions.map(({ role, actions }) => ({ ...role, actionCount: actions.length }));
    const text = printTable(
      roles,
      [
        { header: 'ROLE', value: ({ type }) => type },
        { header: 'NAME', value: ({ name }) => name },
        { header: 'ACTIONS', value: ({ actionCount }) => actionCount, align: 'right' },
        { header: 'DESCRIPTION', value: ({ description }) => description ?? '', optional: true },
      ],
      this.style,
    );
    return { json: roles, text };
  }
}
