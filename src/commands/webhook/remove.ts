import * as Args from '@oclif/core/args';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { findChangeable, withWebhooks } from '../../cli/webhooks.js';

export default class WebhookRemove extends BaseCommand<typeof WebhookRemove> {
  static override description = 'Remove a webhook, its log and its unsent deliveries.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> build',
    '<%= config.bin %> <%= command.id %> build --dry-run',
  ];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override flags = { ...dryRunFlag };
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    const isDryRun = this.flags['dry-run'];
    const project = await openProject(this.projectRoot);
    const webhook = await withWebhooks(project, async (webhooks) => {
      const found = await findChangeable(webhooks, this.args.name);
      // Asked on a terminal only: scripts name the webhook deliberately.
      if (this.canPrompt && !isDryRun) await this.confirm(`Remove the webhook ${found.name} (${found.url})?`);
      if (!isDryRun) await webhooks.registry.remove(found.id);
      return found;
    });
    return {
      json: { removed: webhook.name, ...(isDryRun ? { dryRun: true } : {}) },
      text: `${isDryRun ? 'Would remove' : 'Removed'} the webhook ${webhook.name}.`,
    };
  }
}
