import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { printExpiry } from '../../cli/access/tokens-and-permissions.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable, printTime } from '../../cli/terminal/text-layout.js';

export default class TokenList extends BaseCommand<typeof TokenList> {
  static override description = 'List API tokens without their keys.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const tokens = await withAdministration(project, this.messages.warn, (api) => api.tokens.list({}));
    if (tokens.length === 0) this.info('There are no tokens yet. Create one with: cms token create');
    const { style } = this;
    const text = printTable(
      tokens,
      [
        { header: 'NAME', value: ({ name }) => name },
        { header: 'TYPE', value: ({ type }) => type },
        {
          header: 'ACTIONS',
          value: ({ type, permissions }) => (type === 'custom' ? permissions.length : '–'),
          align: 'right',
        },
        { header: 'EXPIRES', value: (token) => printExpiry(token, style) },
        { header: 'LAST USED', value: ({ lastUsedAt }) => printTime(lastUsedAt), optional: true },
        { header: 'DESCRIPTION', value: ({ description }) => description ?? '', optional: true },
      ],
      style,
    );
    return { json: tokens, text };
  }
}
