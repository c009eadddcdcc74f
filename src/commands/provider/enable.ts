import * as Args from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { switchProvider } from '../../cli/access/providers.js';

export default class ProviderEnable extends BaseCommand<typeof ProviderEnable> {
  static override description = 'Enable a sign-in provider that was set up.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = { name: Args.string({ required: true, description: 'Provider, such as github.' }) };
  static override flags = { ...dryRunFlag };
  static override completion = { name: 'provider' } as const;

  async run(): Promise<Outcome> {
    return switchProvider({
      root: this.projectRoot,
      name: this.args.name,
      isEnabled: true,
      isDryRun: this.flags['dry-run'],
    });
  }
}
