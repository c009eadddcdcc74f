import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class RoleList extends BaseCommand<typeof RoleList> {
  static override description = 'List roles of API users.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const roles = await withAdministration(project, this.messages.warn, (api) => api.roles.list({}));
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
