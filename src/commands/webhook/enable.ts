import * as Args from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { switchWebhook } from '../../cli/webhooks.js';

export default class WebhookEnable extends BaseCommand<typeof WebhookEnable> {
  static override summary = 'Enable a webhook.';
  static override description = 'Also sends events recorded for it before it was disabled.';
  static override examples = ['<%= config.bin %> <%= command.id %> build'];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override flags = { ...dryRunFlag };
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    return switchWebhook({
      root: this.projectRoot,
      name: this.args.name,
      isEnabled: true,
      isDryRun: this.flags['dry-run'],
    });
  }
}
