import { listLocales } from '../access/locales.js';
import { createDeliveryStore } from '../api/webhooks/delivery-store.js';
import type { Delivery, DeliveryStore } from '../api/webhooks/delivery-store.js';
import { createWebhookRegistry } from '../api/webhooks/webhook-registry.js';
import type { WebhookRegistry } from '../api/webhooks/webhook-registry.js';
import type { Webhook } from '../api/webhooks/webhook.js';
import type { Database } from '../database/database.js';
import { createError } from '../errors/catalogue.js';
import { didYouMean } from '../lib/nearest.js';
import { mapUnreachableError, openProjectDatabase } from '../project/open/open-database.js';
import { openProject } from '../project/open/open-project.js';
import type { Project } from '../project/open/open-project.js';
import type { Outcome } from './outcome.js';
import type { Style } from './terminal/terminal.js';
import { printKeyValues, printTable, printTime } from './terminal/text-layout.js';

/** The webhooks of a project, for commands. */
export interface Webhooks {
  readonly project: Project;
  readonly registry: WebhookRegistry;
  readonly deliveries: DeliveryStore;
  /** The codes of the project's locales. */
  readonly locales: () => Promise<readonly string[]>;
}

const openWebhooks = (project: Project, database: Database): Webhooks => ({
  project,
  registry: createWebhookRegistry(database, project.config),
  deliveries: createDeliveryStore(database),
  locales: async () => (await listLocales({ database })).map(({ code }) => code),
});

/**
 * Runs work with the webhooks of a project, and closes the database afterwards.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the work
 */
export async function withWebhooks<T>(
  project: Project,
  work: (webhooks: Webhooks) => Promise<T>,
): Promise<T> {
  return mapUnreachableError(project, async () => {
    const { database, close } = await openProjectDatabase(project);
    try {
      return await work(openWebhooks(project, database));
    } finally {
      await close();
    }
  });
}

/** Returns a webhook by its id or name. Throws `webhook/unknown` with the nearest name. */
export async function findWebhook({ registry }: Pick<Webhooks, 'registry'>, name: string): Promise<Webhook> {
  const webhooks = await registry.current();
  const found = webhooks.find(({ id }) => id === name) ?? webhooks.find((webhook) => webhook.name === name);
  if (found !== undefined) return found;
  const names = webhooks.map((webhook) => webhook.name);
  throw createError('webhook/unknown', { name, remedy: didYouMean(name, names, 'See: cms webhook list') });
}

/** Returns a webhook that commands may change. Throws `webhook/unknown` and `webhook/declared`. */
export async function findChangeable(webhooks: Webhooks, name: string): Promise<Webhook> {
  const webhook = await findWebhook(webhooks, name);
  if (!webhook.isDeclared) return webhook;
  throw createError('webhook/declared', { name, file: webhooks.project.config.file ?? 'the configuration' });
}

interface SwitchOptions {
  readonly root: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly isDryRun: boolean;
}

/** Switches a webhook on or off. */
export async function switchWebhook({ root, name, isEnabled, isDryRun }: SwitchOptions): Promise<Outcome> {
  const webhook = await withWebhooks(await openProject(root), async (webhooks) => {
    const found = await findChangeable(webhooks, name);
    if (!isDryRun) await webhooks.registry.update(found.id, { isEnabled });
    return found;
  });
  const verb = isEnabled ? 'enable' : 'disable';
  return {
    json: { name: webhook.name, isEnabled, ...(isDryRun ? { dryRun: true } : {}) },
    text: `${isDryRun ? `Would ${verb}` : isEnabled ? 'Enabled' : 'Disabled'} the webhook ${webhook.name}.`,
  };
}

/** Returns a webhook for `--json`, without its secret and the values of its headers. */
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
      ['Stored in', webhook.isDeclared ? 'the configuration' : 'the database'],
    ],
    style,
  );
}

/** Returns a delivery for `--json`. */
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
      { header: 'RESPONSE', value: outcomeOf },
      { header: 'DELIVERY', value: ({ key }) => key },
    ],
    style,
  );
}
