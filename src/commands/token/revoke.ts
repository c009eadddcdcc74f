import * as Args from '@oclif/core/args';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { summarizeToken } from '../../cli/access/tokens-and-permissions.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class TokenRevoke extends BaseCommand<typeof TokenRevoke> {
  static override summary = 'Remove an API token.';
  static override description = 'Its key stops working within a second.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ci',
    '<%= config.bin %> <%= command.id %> ci --dry-run',
  ];
  static override args = { name: Args.string({ required: true, description: 'Name of the token.' }) };
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { name: 'token' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const dryRun = this.flags['dry-run'];
    this.info(await describeTarget(project));
    const token = await withAdministration(project, this.messages.warn, async ({ tokens }) => {
      const existing = await tokens.get({ name: this.args.name });
      // Asked on a terminal only: scripts name the token deliberately.
      if (this.canPrompt && !dryRun) await this.confirm(`Revoke the token ${summarizeToken(existing)}?`);
      return tokens.revoke({ name: existing.name, dryRun });
    });
    const json = { revoked: token.name, ...(dryRun ? { dryRun } : {}) };
    return { json, text: `${dryRun ? 'Would revoke' : 'Revoked'} the token ${summarizeToken(token)}.` };
  }
}
