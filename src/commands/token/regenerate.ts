import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LIFESPANS } from '../../access/tokens.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { summarizeToken } from '../../cli/access/tokens-and-permissions.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class TokenRegenerate extends BaseCommand<typeof TokenRegenerate> {
  static override summary = 'Replace the access key of an API token and print the new key.';
  static override description =
    'The old key stops working within a second. The permissions of the token stay unchanged.';
  static override examples = [
    'TOKEN=$(<%= config.bin %> <%= command.id %> ci)',
    '<%= config.bin %> <%= command.id %> ci --lifespan 90d --json',
  ];
  static override args = { name: Args.string({ required: true, description: 'Name of the token.' }) };
  static override flags = {
    lifespan: Flags.string({
      options: [...LIFESPANS],
      description: 'Validity from now on. Without this flag, the expiry stays unchanged.',
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { name: 'token' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const dryRun = this.flags['dry-run'];
    const lifespan = LIFESPANS.find((candidate) => candidate === this.flags.lifespan);
    this.info(await describeTarget(project));
    const { token, accessKey } = await withAdministration(project, this.messages.warn, async ({ tokens }) => {
      const existing = await tokens.get({ name: this.args.name });
      if (this.canPrompt && !dryRun) await this.confirm(`Replace the key of ${summarizeToken(existing)}?`);
      const { name } = existing;
      return tokens.regenerate({ name, ...(lifespan === undefined ? {} : { lifespan }), dryRun });
    });
    const { name, expiresAt } = token;
    if (dryRun)
      return {
        json: { dryRun, name, expiresAt },
        text: `Would replace the key of the token ${summarizeToken(token)}.`,
      };
    this.info(`The new key of ${summarizeToken(token)} is shown only once:`);
    return { json: { ...token, accessKey }, text: accessKey };
  }
}
