import { randomUUID } from 'node:crypto';
import * as Args from '@oclif/core/args';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { findWebhook, withWebhooks } from '../../cli/webhooks.js';
import { postEvent } from '../../api/webhooks/post-event.js';

const EVENT = 'trigger-test';

export default class WebhookTest extends BaseCommand<typeof WebhookTest> {
  static override summary = 'Send a test to a webhook once and print the response.';
  static override description =
    'Sends the event trigger-test without an entry, signed like any other. Fails if the webhook fails.';
  static override examples = ['<%= config.bin %> <%= command.id %> build'];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const webhook = await withWebhooks(project, (webhooks) => findWebhook(webhooks, this.args.name));
    const body = JSON.stringify({ event: EVENT, createdAt: new Date().toISOString() });
    const result = await postEvent(webhook, { key: randomUUID(), event: EVENT, body });
    const { isDelivered, responseStatus, duration, error } = result;
    const verb = isDelivered ? 'accepted' : 'did not accept';
    const response = isDelivered ? `HTTP ${responseStatus}` : error;
    return {
      json: { name: webhook.name, url: webhook.url, ...result },
      text: `${webhook.name} ${verb} the test in ${duration} ms: ${response}`,
      exitCode: isDelivered ? 0 : 1,
    };
  }
}
