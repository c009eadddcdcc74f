import * as Args from '@oclif/core/args';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { switchProvider } from '../../cli/access/users.js';

export default class ProviderDisable extends BaseCommand<typeof ProviderDisable> {
  static override summary = 'Disable a sign-in provider.';
  static override description = 'Keeps its settings and users.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = { name: Args.string({ required: true, description: 'Provider, such as github.' }) };
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { name: 'provider' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const change = { name: this.args.name, isEnabled: false, dryRun: this.flags['dry-run'] };
    return withAdministration(project, this.messages.warn, ({ providers }) =>
      switchProvider(providers, change),
    );
  }
}
