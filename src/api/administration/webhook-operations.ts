import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { requireLocales } from '../../access/access.js';
import { listLocales } from '../../access/locales.js';
import { PURGE_EVENT, webhooks as webhooksCheck } from '../../config/webhook-settings.js';
import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import { shellWord } from '../../lib/text.js';
import { createDeliveryStore } from '../webhooks/delivery-store.js';
import { postEvent, postTags } from '../webhooks/webhook-sender.js';
import { fromStored } from '../webhooks/webhook.js';
import type { StoredWebhook, Webhook } from '../webhooks/webhook.js';
import { DRY_RUN, FLAG, NO_INPUT, TEXT, operation } from './operation.js';
import type { AdministrationContext } from './operation.js';

/** A webhook without its secret and the values of its headers. */
export interface WebhookSummary extends Omit<Webhook, 'secret' | 'headers'> {
  readonly headers: readonly string[];
  readonly isSigned: boolean;
}

const summarize = ({ secret, headers, ...webhook }: Webhook): WebhookSummary => ({
  ...webhook,
  headers: Object.keys(headers),
  isSigned: secret !== null,
});

/** Returns a webhook by its id or name. Throws `webhook/unknown` with the nearest name. */
const findWebhook = async ({ webhooks: registry }: AdministrationContext, name: string): Promise<Webhook> => {
  const webhooks = await registry.current();
  const found = webhooks.find(({ id }) => id === name) ?? webhooks.find((webhook) => webhook.name === name);
  if (found !== undefined) return found;
  const names = webhooks.map((webhook) => webhook.name);
  throw createError('webhook/unknown', { name, remedy: didYouMean(name, names, 'See: cms webhook list') });
};

/** Returns a webhook that commands may change. Throws `webhook/unknown` and `webhook/declared`. */
const findChangeable = async (context: AdministrationContext, name: string): Promise<Webhook> => {
  const webhook = await findWebhook(context, name);
  if (!webhook.isDeclared) return webhook;
  throw createError('webhook/declared', { name, file: context.config.file ?? 'the configuration' });
};

const readWebhook = (
  { access: { model } }: AdministrationContext,
  input: Readonly<Record<string, unknown>>,
): Omit<StoredWebhook, 'id'> => {
  const [checked] = webhooksCheck.read([input]) ?? [];
  if (checked === undefined)
    throw createError('webhook/invalid', {
      reason: `${String(input['name'])} ${String(input['url'])} is not a valid webhook.`,
      remedy: `A webhook is ${webhooksCheck.allowed.replace('a list of ', '')}.`,
    });
  const { enabled: _enabled, headers = {}, ...kept } = checked;
  const unknown = kept.types?.find((type) => !Object.hasOwn(model.typesByUid, type));
  if (unknown !== undefined)
    throw createError('webhook/invalid', {
      reason: `There is no content-type ${unknown}.`,
      remedy: 'See: cms type list',
    });
  return { ...kept, headers, isEnabled: true };
};

const NAMED = { name: TEXT };

const EVENT = 'trigger-test';
/** A tag that no response has. */
const TEST_TAG = 'galley-test';
const MAX_LISTED = 10_000;

/** Operations on webhooks. Secrets and the values of headers are never returned. */
export const WEBHOOK_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List webhooks without their secrets',
    input: NO_INPUT,
    run: async ({ webhooks }) => (await webhooks.current()).map(summarize),
  }),
  get: operation({
    action: 'read',
    description: 'Read a webhook without its secret',
    input: v.strictObject(NAMED),
    run: async (context, { name }) => summarize(await findWebhook(context, name)),
  }),
  add: operation({
    action: 'write',
    description: 'Add a webhook',
    input: v.strictObject({
      webhook: v.pipe(v.record(v.string(), v.unknown()), v.readonly()),
      ...DRY_RUN,
    }),
    targetOf: ({ webhook }) => String(webhook['name']),
    run: async (context, { webhook: input, dryRun = false }) => {
      const webhook = readWebhook(context, input);
      const locales = await listLocales(context.access);
      requireLocales(
        webhook.locales ?? [],
        locales.map(({ code }) => code),
      );
      const { name } = webhook;
      if ((await context.webhooks.current()).some((existing) => existing.name === name))
        throw createError('webhook/exists', { name, word: shellWord(name) });
      const added = dryRun ? { ...webhook, id: 'new' } : await context.webhooks.add(webhook);
      return summarize(fromStored(added));
    },
  }),
  setEnabled: operation({
    action: 'write',
    description: 'Switch a webhook on or off',
    input: v.strictObject({ ...NAMED, isEnabled: FLAG, ...DRY_RUN }),
    targetOf: ({ name }) => name,
    run: async (context, { name, isEnabled, dryRun = false }) => {
      const found = await findChangeable(context, name);
      if (!dryRun) await context.webhooks.update(found.id, { isEnabled });
      return summarize({ ...found, isEnabled });
    },
  }),
  remove: operation({
    action: 'write',
    description: 'Remove a webhook with its deliveries',
    input: v.strictObject({ ...NAMED, ...DRY_RUN }),
    targetOf: ({ name }) => name,
    run: async (context, { name, dryRun = false }) => {
      const found = await findChangeable(context, name);
      if (!dryRun) await context.webhooks.remove(found.id);
      return summarize(found);
    },
  }),
  test: operation({
    action: 'write',
    description: 'Send a test to a webhook once',
    input: v.strictObject(NAMED),
    run: async (context, { name }) => {
      const webhook = await findWebhook(context, name);
      const key = randomUUID();
      const body = JSON.stringify({ event: EVENT, createdAt: new Date().toISOString() });
      const outcome = webhook.events.includes(PURGE_EVENT)
        ? await postTags(webhook, { key, tags: [TEST_TAG] })
        : await postEvent(webhook, { key, event: EVENT, body });
      return { name: webhook.name, url: webhook.url, ...outcome };
    },
  }),
  log: operation({
    action: 'read',
    description: 'List deliveries of webhooks, the latest first',
    input: v.strictObject({
      name: v.exactOptional(TEXT),
      isFailed: v.optional(FLAG, false),
      /** Only deliveries that were recorded or attempted after this time. */
      since: v.exactOptional(v.number()),
      limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_LISTED)),
    }),
    run: async (context, { name, isFailed, since, limit }) => {
      const deliveries = await createDeliveryStore(context.access.database).list({
        webhookId: name === undefined ? undefined : (await findWebhook(context, name)).id,
        status: isFailed ? 'failed' : undefined,
        since,
        limit,
      });
      const webhooks = await context.webhooks.current();
      return {
        deliveries,
        /** The names of the webhooks by id. */
        names: Object.fromEntries(webhooks.map((webhook) => [webhook.id, webhook.name])),
      };
    },
  }),
  redeliver: operation({
    action: 'write',
    description: 'Send one delivery again, or all that failed',
    input: v.union([v.strictObject({ key: TEXT }), v.strictObject({ failedOf: v.nullable(TEXT) })]),
    run: async (context, which) => {
      const { redeliver } = createDeliveryStore(context.access.database);
      if ('failedOf' in which) {
        const { failedOf } = which;
        return redeliver({ failedOf: failedOf === null ? null : (await findWebhook(context, failedOf)).id });
      }
      const count = await redeliver(which);
      if (count === 0) throw createError('webhook/unknown-delivery', { key: which.key });
      return count;
    },
  }),
} as const;
