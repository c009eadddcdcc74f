import * as Args from '@oclif/core/args';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { printToken } from '../../cli/access/tokens-and-permissions.js';
import type { Outcome } from '../../cli/outcome.js';

export default class TokenShow extends BaseCommand<typeof TokenShow> {
  static override summary = 'Show an API token without its key.';
  static override description = 'The key is not stored.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ci',
    '<%= config.bin %> <%= command.id %> ci --json',
  ];
  static override args = { name: Args.string({ required: true, description: 'Name of the token.' }) };
  static override flags = remoteFlag;
  static override completion = { name: 'token' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const { name } = this.args;
    const token = await withAdministration(project, this.messages.warn, ({ tokens }) => tokens.get({ name }));
    return { json: token, text: printToken(token, this.style) };
  }
}
