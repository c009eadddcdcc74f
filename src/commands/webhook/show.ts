import * as Args from '@oclif/core/args';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { findWebhook, printWebhook, webhookJson, withWebhooks } from '../../cli/webhooks.js';

export default class WebhookShow extends BaseCommand<typeof WebhookShow> {
  static override description = 'Show a webhook without its secret and the values of its headers.';
  static override examples = ['<%= config.bin %> <%= command.id %> build'];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const webhook = await withWebhooks(project, (webhooks) => findWebhook(webhooks, this.args.name));
    return { json: webhookJson(webhook), text: printWebhook(webhook, this.style) };
  }
}
