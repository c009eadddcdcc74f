import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LIFESPANS } from '../../access/lifespan.js';
import { findToken } from '../../access/operations/find-token.js';
import { regenerateToken } from '../../access/operations/regenerate-token.js';
import type { Regeneration } from '../../access/operations/regenerate-token.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { summarizeToken } from '../support/describe-token.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class TokenRegenerate extends BaseCommand<typeof TokenRegenerate> {
  static override summary = 'Give an API token a new access key and print it.';
  static override description = 'The old key stops working everywhere within a second. What the token may do stays as it is.';
  static override examples = ['TOKEN=$(<%= config.bin %> <%= command.id %> ci)', '<%= config.bin %> <%= command.id %> ci --lifespan 90d --json'];
  static override args = { name: Args.string({ required: true, description: 'The token\'s name.' }) };
  static override flags = {
    lifespan: Flags.string({ options: [...LIFESPANS], description: 'How long it works from now on; by default until it would have stopped anyway.' }),
    ...dryRunFlag,
  };
  static override completion = { name: 'token' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const dryRun = this.flags['dry-run'];
    const lifespan = LIFESPANS.find((known) => known === this.flags.lifespan);
    this.info(await describeTarget(project));
    const { token, accessKey } = await withAccess(project, async (access) => {
      const found = await findToken(access, this.args.name);
      if (this.canPrompt && !dryRun) await this.confirm(`Replace the key of ${summarizeToken(found)}?`);
      const regeneration: Regeneration = { name: found.name, ...(lifespan === undefined ? {} : { lifespan }) };
      return regenerateToken(access, regeneration, { dryRun });
    });
    const { name, expiresAt } = token;
    if (dryRun) return { json: { dryRun, name, expiresAt }, text: `Would give a new key to the token ${summarizeToken(token)}.` };
    this.info(`The new key of ${summarizeToken(token)} is shown this once:`);
    return { json: { ...token, accessKey }, text: accessKey };
  }
}
