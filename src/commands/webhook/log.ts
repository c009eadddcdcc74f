import { setTimeout as sleep } from 'node:timers/promises';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { writeText } from '../../cli/terminal/terminal.js';
import { deliveryJson, printDeliveries } from '../../cli/webhooks.js';
import type { DeliveryNames } from '../../cli/webhooks.js';
import type { Administration } from '../../api/administration/administration.js';
import type { Delivery } from '../../api/webhooks/delivery-store.js';

const FOLLOW_MS = 1000;
const MAX_FOLLOWED = 1000;

type Webhooks = Administration['webhooks'];
type DeliveryFilter = Parameters<Webhooks['log']>[0];

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
    ...remoteFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    return withAdministration(project, this.messages.warn, async ({ webhooks }) => {
      const { name } = this.args;
      const filter = { ...(name === undefined ? {} : { name }), isFailed: this.flags.failed };
      if (this.flags.follow) return this.#follow(webhooks, filter);
      const { deliveries, names } = await webhooks.log({ ...filter, limit: this.flags.limit });
      if (deliveries.length === 0) this.info('There are no deliveries.');
      return {
        json: deliveries.map((delivery) => deliveryJson(delivery, names)),
        text: deliveries.length === 0 ? '' : printDeliveries(deliveries, names, this.style),
      };
    });
  }

  /** Prints deliveries when they are added or change. Runs until the process ends. */
  async #follow(webhooks: Webhooks, filter: Omit<DeliveryFilter, 'limit' | 'since'>): Promise<never> {
    const printed = new Map<number, string>();
    const since = Date.now();
    for (;;) {
      const { deliveries, names } = await webhooks.log({ ...filter, since, limit: MAX_FOLLOWED });
      for (const delivery of deliveries.toReversed()) {
        const state = `${delivery.status} ${delivery.attempts}`;
        if (printed.get(delivery.id) !== state) this.#print(delivery, names);
        printed.set(delivery.id, state);
      }
      await sleep(FOLLOW_MS);
    }
  }

  #print(delivery: Delivery, names: DeliveryNames): void {
    const line = this.flags.json
      ? JSON.stringify(deliveryJson(delivery, names))
      : printDeliveries([delivery], names, this.style).split('\n').slice(1).join('\n');
    writeText(this.terminal.stdout, line);
  }
}
