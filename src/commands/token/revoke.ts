import * as Args from '@oclif/core/args';
import { findToken } from '../../access/operations/find-token.js';
import { revokeToken } from '../../access/operations/revoke-token.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { summarizeToken } from '../support/describe-token.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class TokenRevoke extends BaseCommand<typeof TokenRevoke> {
  static override description = 'Remove an API token: its key stops working everywhere within a second.';
  static override examples = ['<%= config.bin %> <%= command.id %> ci', '<%= config.bin %> <%= command.id %> ci --dry-run'];
  static override args = { name: Args.string({ required: true, description: 'The token\'s name.' }) };
  static override flags = { ...dryRunFlag };
  static override completion = { name: 'token' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const dryRun = this.flags['dry-run'];
    this.info(await describeTarget(project));
    const token = await withAccess(project, async (access) => {
      const found = await findToken(access, this.args.name);
      // Whoever names the token in a script has said it; on a terminal a slip of the hand would stop a client.
      if (this.canPrompt && !dryRun) await this.confirm(`Revoke the token ${summarizeToken(found)}?`);
      return revokeToken(access, found.name, { dryRun });
    });
    const json = { revoked: token.name, ...(dryRun ? { dryRun } : {}) };
    return { json, text: `${dryRun ? 'Would revoke' : 'Revoked'} the token ${summarizeToken(token)}.` };
  }
}
