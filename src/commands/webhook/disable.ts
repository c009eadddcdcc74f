import * as Args from '@oclif/core/args';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { switchWebhook } from '../../cli/webhooks.js';

export default class WebhookDisable extends BaseCommand<typeof WebhookDisable> {
  static override summary = 'Disable a webhook.';
  static override description = 'Records no events for it until it is enabled again.';
  static override examples = ['<%= config.bin %> <%= command.id %> build'];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const change = { name: this.args.name, isEnabled: false, dryRun: this.flags['dry-run'] };
    return withAdministration(project, this.messages.warn, ({ webhooks }) => switchWebhook(webhooks, change));
  }
}
