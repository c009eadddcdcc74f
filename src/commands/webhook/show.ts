import * as Args from '@oclif/core/args';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printWebhook } from '../../cli/webhooks.js';

export default class WebhookShow extends BaseCommand<typeof WebhookShow> {
  static override description = 'Show a webhook without its secret and the values of its headers.';
  static override examples = ['<%= config.bin %> <%= command.id %> build'];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override flags = remoteFlag;
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const webhook = await withAdministration(project, this.messages.warn, (api) =>
      api.webhooks.get({ name: this.args.name }),
    );
    return { json: webhook, text: printWebhook(webhook, this.style) };
  }
}
