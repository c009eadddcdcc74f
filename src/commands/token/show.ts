import * as Args from '@oclif/core/args';
import { findToken } from '../../access/tokens.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { printToken } from '../../cli/access/tokens-and-permissions.js';
import type { Outcome } from '../../cli/outcome.js';
import { withAccess } from '../../project/open/open-database.js';

export default class TokenShow extends BaseCommand<typeof TokenShow> {
  static override summary = 'Show an API token without its key.';
  static override description = 'The key is not stored.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ci',
    '<%= config.bin %> <%= command.id %> ci --json',
  ];
  static override args = { name: Args.string({ required: true, description: 'Name of the token.' }) };
  static override completion = { name: 'token' } as const;

  async run(): Promise<Outcome> {
    const token = await withAccess(await openProject(this.projectRoot), (access) =>
      findToken(access, this.args.name),
    );
    return { json: token, text: printToken(token, this.style) };
  }
}
