import * as Args from '@oclif/core/args';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';

export default class WebhookRemove extends BaseCommand<typeof WebhookRemove> {
  static override description = 'Remove a webhook, its log and its unsent deliveries.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> build',
    '<%= config.bin %> <%= command.id %> build --dry-run',
  ];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    const isDryRun = this.flags['dry-run'];
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const webhook = await withAdministration(project, this.messages.warn, async ({ webhooks }) => {
      const found = await webhooks.remove({ name: this.args.name, dryRun: true });
      // Asked on a terminal only: scripts name the webhook deliberately.
      if (this.canPrompt && !isDryRun) await this.confirm(`Remove the webhook ${found.name} (${found.url})?`);
      if (!isDryRun) await webhooks.remove({ name: found.id });
      return found;
    });
    return {
      json: { removed: webhook.name, ...(isDryRun ? { dryRun: true } : {}) },
      text: `${isDryRun ? 'Would remove' : 'Removed'} the webhook ${webhook.name}.`,
    };
  }
}
