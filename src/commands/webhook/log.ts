import { setTimeout as sleep } from 'node:timers/promises';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { writeText } from '../../cli/terminal/terminal.js';
import { deliveryJson, findWebhook, printDeliveries, withWebhooks } from '../../cli/webhooks.js';
import type { Webhooks } from '../../cli/webhooks.js';
import type { Delivery, DeliveryFilter } from '../../api/webhooks/delivery-store.js';

const FOLLOW_MS = 1000;
const MAX_FOLLOWED = 1000;

const webhookNames = async ({ registry }: Webhooks): Promise<ReadonlyMap<string, string>> =>
  new Map((await registry.current()).map(({ id, name }) => [id, name]));

export default class WebhookLog extends BaseCommand<typeof WebhookLog> {
  static override summary = 'List webhook deliveries, latest first.';
  static override description =
    'Shows the response, the milliseconds and the number of attempts. Deliveries are kept for 30 days.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --failed --json',
  ];
  static override args = {
    name: Args.string({ description: 'Webhook to list: its name or id.' }),
  };
  static override flags = {
    failed: Flags.boolean({ description: 'List only deliveries that failed after all retries.' }),
    limit: Flags.integer({
      min: 1,
      max: 10_000,
      default: 25,
      description: 'Maximum number of deliveries to list.',
    }),
    follow: Flags.boolean({
      description: 'Print new deliveries until the command is stopped, as JSON lines with --json.',
    }),
  };

  async run(): Promise<Outcome> {
    return withWebhooks(await openProject(this.projectRoot), async (webhooks) => {
      const { name } = this.args;
      const webhookId = name === undefined ? undefined : (await findWebhook(webhooks, name)).id;
      const filter = { webhookId, status: this.flags.failed ? ('failed' as const) : undefined };
      if (this.flags.follow) return this.#follow(webhooks, filter);
      const found = await webhooks.deliveries.list({ ...filter, limit: this.flags.limit });
      if (found.length === 0) this.info('There are no deliveries.');
      const names = await webhookNames(webhooks);
      return {
        json: found.map((delivery) => deliveryJson(delivery, names)),
        text: found.length === 0 ? '' : printDeliveries(found, names, this.style),
      };
    });
  }

  /** Prints deliveries when they are added or change. Runs until the process ends. */
  async #follow(webhooks: Webhooks, filter: Omit<DeliveryFilter, 'limit' | 'since'>): Promise<never> {
    const printed = new Map<number, string>();
    const startedAt = Date.now();
    for (;;) {
      const names = await webhookNames(webhooks);
      const found = await webhooks.deliveries.list({ ...filter, since: startedAt, limit: MAX_FOLLOWED });
      for (const delivery of found.toReversed()) {
        const state = `${delivery.status} ${delivery.attempts}`;
        if (printed.get(delivery.id) !== state) this.#print(delivery, names);
        printed.set(delivery.id, state);
      }
      await sleep(FOLLOW_MS);
    }
  }

  #print(delivery: Delivery, names: ReadonlyMap<string, string>): void {
    const line = this.flags.json
      ? JSON.stringify(deliveryJson(delivery, names))
      : printDeliveries([delivery], names, this.style).split('\n').slice(1).join('\n');
    writeText(this.terminal.stdout, line);
  }
}
