import type { Administration } from '../api/administration/administration.js';
import type { WebhookSummary } from '../api/administration/webhook-operations.js';
import type { Delivery } from '../api/webhooks/delivery-store.js';
import type { Outcome } from './outcome.js';
import type { Style } from './terminal/terminal.js';
import { printKeyValues, printTable, printTime } from './terminal/text-layout.js';

type Webhooks = Administration['webhooks'];

/** The names of webhooks by id. */
export type DeliveryNames = Readonly<Record<string, string>>;

interface WebhookSwitch {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly dryRun: boolean;
}

/** Switches a webhook on or off. */
export async function switchWebhook(
  webhooks: Webhooks,
  { name, isEnabled, dryRun }: WebhookSwitch,
): Promise<Outcome> {
  const webhook = await webhooks.setEnabled({ name, isEnabled, dryRun });
  const verb = isEnabled ? 'enable' : 'disable';
  const done = dryRun ? `Would ${verb}` : isEnabled ? 'Enabled' : 'Disabled';
  return {
    json: { name: webhook.name, isEnabled, ...(dryRun ? { dryRun } : {}) },
    text: `${done} the webhook ${webhook.name}.`,
  };
}

const listOr = (names: readonly string[], none: string): string =>
  names.length === 0 ? none : names.join(', ');

export function printWebhook(webhook: WebhookSummary, style: Style): string {
  return printKeyValues(
    [
      ['Name', webhook.name],
      ['Id', webhook.id],
      ['URL', webhook.url],
      ['Events', webhook.events.join(', ')],
      ...(webhook.purge === null ? [] : [['Purges', webhook.purge] as const]),
      ['Types', listOr(webhook.types, 'all')],
      ['Locales', listOr(webhook.locales, 'all')],
      ['Headers', listOr(webhook.headers, 'none')],
      [webhook.purge === null ? 'Signed' : 'Token', webhook.isSigned ? 'yes' : 'no'],
      ['Time-out', `${webhook.timeout} ms`],
      ['Retries', `${webhook.retries}, the first after ${webhook.retryPause} ms`],
      ['State', webhook.isEnabled ? 'enabled' : 'disabled'],
      ['Stored in', webhook.isDeclared ? 'the configuration' : 'the database'],
    ],
    style,
  );
}

/** Returns a delivery for `--json`. */
export function deliveryJson(
  { id: _id, createdAt, attemptedAt, nextAttemptAt, ...delivery }: Delivery,
  names: DeliveryNames,
): Readonly<Record<string, unknown>> {
  const time = (value: number | null): string | null =>
    value === null ? null : new Date(value).toISOString();
  return {
    ...delivery,
    webhook: names[delivery.webhookId] ?? null,
    createdAt: time(createdAt),
    attemptedAt: time(attemptedAt),
    nextAttemptAt: delivery.status === 'pending' ? time(nextAttemptAt) : null,
  };
}

const outcomeOf = ({ status, error, responseStatus, attempts }: Delivery): string => {
  if (status === 'pending' && attempts === 0) return 'waits';
  return (error ?? `HTTP ${responseStatus}`).replaceAll(/\s+/g, ' ').slice(0, 120);
};

export function printDeliveries(deliveries: readonly Delivery[], names: DeliveryNames, style: Style): string {
  return printTable(
    deliveries,
    [
      { header: 'TIME', value: ({ createdAt }) => printTime(new Date(createdAt).toISOString()) },
      { header: 'WEBHOOK', value: ({ webhookId }) => names[webhookId] ?? webhookId },
      { header: 'EVENT', value: ({ event }) => event },
      { header: 'STATUS', value: ({ status }) => (status === 'failed' ? style.red(status) : status) },
      { header: 'ATTEMPTS', value: ({ attempts }) => attempts, align: 'right' },
      { header: 'MS', value: ({ duration }) => duration ?? '–', align: 'right' },
      { header: 'RESPONSE', value: outcomeOf },
      { header: 'DELIVERY', value: ({ key }) => key },
    ],
    style,
  );
}
