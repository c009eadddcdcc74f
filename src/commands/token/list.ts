import { listTokens } from '../../access/tokens.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { printExpiry } from '../../cli/access/tokens-and-permissions.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable, printTime } from '../../cli/terminal/text-layout.js';
import { withAccess } from '../../project/open/open-database.js';

export default class TokenList extends BaseCommand<typeof TokenList> {
  static override description = 'List API tokens without their keys.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<Outcome> {
    const tokens = await withAccess(await openProject(this.projectRoot), listTokens);
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
