import type { Delivery } from '../../api/webhooks/delivery-store.js';
import type { Webhook } from '../../api/webhooks/webhook.js';
import { printTime } from '../access/describe-token.js';
import type { Style } from '../terminal/style.js';
import { printKeyValues, printTable } from '../terminal/table.js';

/** Returns a webhook as commands print it. Neither its secret nor the values of its headers are shown. */
export function webhookJson({ secret, headers, ...webhook }: Webhook): Readonly<Record<string, unknown>> {
  return { ...webhook, headers: Object.keys(headers), isSigned: secret !== null };
}

const listOr = (names: readonly string[], none: string): string =>
  names.length === 0 ? none : names.join(', ');

export function printWebhook(webhook: Webhook, style: Style): string {
  return printKeyValues(
    [
      ['Name', webhook.name],
      ['Id', webhook.id],
      ['URL', webhook.url],
      ['Events', webhook.events.join(', ')],
      ['Types', listOr(webhook.types, 'all')],
      ['Locales', listOr(webhook.locales, 'all')],
      ['Headers', listOr(Object.keys(webhook.headers), 'none')],
      ['Signed', webhook.secret === null ? 'no' : 'yes'],
      ['Time-out', `${webhook.timeout} ms`],
      ['Retries', `${webhook.retries}, the first after ${webhook.retryPause} ms`],
      ['State', webhook.isEnabled ? 'enabled' : 'disabled'],
      ['Kept in', webhook.isDeclared ? 'the configuration' : 'the database'],
    ],
    style,
  );
}

/** Returns a delivery as commands print it. */
export function deliveryJson(
  { id: _id, createdAt, attemptedAt, nextAttemptAt, ...delivery }: Delivery,
  names: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const time = (value: number | null): string | null =>
    value === null ? null : new Date(value).toISOString();
  return {
    ...delivery,
    webhook: names.get(delivery.webhookId) ?? null,
    createdAt: time(createdAt),
    attemptedAt: time(attemptedAt),
    nextAttemptAt: delivery.status === 'pending' ? time(nextAttemptAt) : null,
  };
}

const outcomeOf = ({ status, error, responseStatus, attempts }: Delivery): string => {
  if (status === 'pending' && attempts === 0) return 'waits';
  return (error ?? `HTTP ${responseStatus}`).replaceAll(/\s+/g, ' ').slice(0, 120);
};

export function printDeliveries(
  deliveries: readonly Delivery[],
  names: ReadonlyMap<string, string>,
  style: Style,
): string {
  return printTable(
    deliveries,
    [
      { header: 'TIME', value: ({ createdAt }) => printTime(new Date(createdAt).toISOString()) },
      { header: 'WEBHOOK', value: ({ webhookId }) => names.get(webhookId) ?? webhookId },
      { header: 'EVENT', value: ({ event }) => event },
      { header: 'STATUS', value: ({ status }) => (status === 'failed' ? style.red(status) : status) },
      { header: 'ATTEMPTS', value: ({ attempts }) => attempts, align: 'right' },
      { header: 'MS', value: ({ duration }) => duration ?? '–', align: 'right' },
      { header: 'ANSWER', value: outcomeOf },
      { header: 'DELIVERY', value: ({ key }) => key },
    ],
    style,
  );
}
