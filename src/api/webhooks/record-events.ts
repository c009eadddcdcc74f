import type { Database, Transaction } from '../../database/database.js';
import { createGetRepository } from '../../documents/create-repository.js';
import type { DocumentService } from '../../documents/documents.js';
import type { DocumentEvent, DocumentHooks, WriteAction } from '../../documents/hooks.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import { lastSegment } from '../../lib/ids.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { NO_LOCALE } from '../../model/model.js';
import type { Attribute, ContentModel, Uid, VersionStatus } from '../../model/model.js';
import type { DeliveryStore } from './delivery-store.js';
import type { WebhookRegistry } from './webhook-registry.js';
import { subscribesTo } from './webhook.js';
import type { Webhook, WebhookEvent } from './webhook.js';

const EVENTS = {
  create: 'entry.create',
  update: 'entry.update',
  delete: 'entry.delete',
  publish: 'entry.publish',
  unpublish: 'entry.unpublish',
  discardDraft: 'entry.draft-discard',
} as const satisfies Readonly<Record<WriteAction, string>>;

type Populate = Readonly<Record<string, unknown>>;

/** Components nest, and some contain themselves. */
const MAX_DEPTH = 5;

interface Populated {
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/**
 * Returns the `populate` parameter for a complete entry: components at all levels, relations and media at the
 * first level.
 */
export function deepPopulate(model: ContentModel, { attributes }: Populated, depth = 0): Populate {
  const ofComponent = (uid: Uid): unknown => {
    const component = model.componentsByUid[uid];
    if (component === undefined || depth === MAX_DEPTH) return true;
    return { populate: deepPopulate(model, component, depth + 1) };
  };
  const entries = Object.values(attributes).flatMap((attribute) => {
    if (attribute.private || attribute.family === 'scalar') return [];
    const { name } = attribute;
    if (attribute.family === 'component') return [[name, ofComponent(attribute.component)] as const];
    if (attribute.family === 'dynamiczone')
      return [
        [
          name,
          { on: Object.fromEntries(attribute.components.map((uid) => [uid, ofComponent(uid)])) },
        ] as const,
      ];
    return attribute.family === 'relation' && attribute.target === null ? [] : [[name, true] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the payload of an event besides its name and time. */
export function payloadOf(type: Uid, entry: unknown): Readonly<Record<string, unknown>> {
  return type === FILE_UID ? { media: entry } : { model: lastSegment(type), uid: type, entry };
}

/** Returns the name of an event, as in Strapi. */
export function eventName({ action, type }: Pick<DocumentEvent, 'action' | 'type'>): string {
  return type === FILE_UID ? `media.${action}` : EVENTS[action];
}

/** Returns the types whose events are announced: all but users and roles. Files are announced as media. */
export function announcedTypes(model: ContentModel): readonly Uid[] {
  return Object.keys(model.typesByUid).filter(
    (type) => type === FILE_UID || !type.startsWith('plugin::users-permissions.'),
  );
}

/** Returns the actions that a write is announced as. A write that also publishes is announced as both. */
export function announcedActions(
  model: ContentModel,
  { action, type, status }: DocumentEvent,
): readonly WriteAction[] {
  const isPublished =
    (action === 'create' || action === 'update') &&
    status === 'published' &&
    model.typesByUid[type]?.draftAndPublish === true;
  return isPublished ? [action, 'publish'] : [action];
}

export interface RecordEventsDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: Pick<DocumentHooks, 'observe'>;
  /** The document service without the project's middlewares. */
  readonly documents: DocumentService;
  readonly defaultLocale: () => string;
  readonly registry: WebhookRegistry;
  readonly deliveries: DeliveryStore;
  /** Called once a write with events is committed. */
  readonly onRecorded: () => void;
}

const WRITTEN: readonly WriteAction[] = ['create', 'update', 'publish', 'discardDraft'];
const REMOVED: readonly WriteAction[] = ['delete', 'unpublish'];

/** An event with the webhooks that may subscribe to it. Its locales are known once its entries are read. */
interface SubscribedEvent extends WebhookEvent {
  readonly webhooks: readonly Webhook[];
}

const withSubscribers = (webhooks: readonly Webhook[], event: WebhookEvent): SubscribedEvent => ({
  ...event,
  webhooks: webhooks.filter((webhook) => subscribesTo(webhook, event)),
});

const localeOf = (entry: Readonly<Record<string, unknown>>): string | null =>
  typeof entry['locale'] === 'string' && entry['locale'] !== NO_LOCALE ? entry['locale'] : null;

type Entries = readonly Readonly<Record<string, unknown>>[];
type ReadEntries = (tx: Transaction, event: WebhookEvent, status: VersionStatus) => Promise<Entries>;

/** Creates the function that reads the entries of an event within its transaction. */
const createReadEntries = ({
  database,
  model,
  documents,
  defaultLocale,
}: RecordEventsDependencies): ReadEntries => {
  const repositories = createGetRepository({ model, documents, defaultLocale });
  return async (tx, { type, documentId, locale }, status) => {
    const definition = defined(model.typesByUid[type], 'The type of an event');
    const find = () =>
      repositories(type).findMany({
        filters: { documentId },
        status,
        populate: deepPopulate(model, definition),
        ...(definition.localized ? { locale: locale ?? '*' } : {}),
      });
    const found = await tx.runProjectCode(() => database.join(tx, find));
    return found.filter(isRecord);
  };
};

const writeEvent = async (
  deliveries: DeliveryStore,
  tx: Transaction,
  { event, type, documentId, webhooks }: SubscribedEvent,
  entries: Entries,
): Promise<void> => {
  const createdAt = new Date().toISOString();
  for (const entry of entries) {
    const entryEvent = { event, type, documentId, locale: localeOf(entry) };
    const receivers = withSubscribers(webhooks, entryEvent).webhooks.map(({ id }) => id);
    const payload = JSON.stringify({ event, createdAt, ...payloadOf(type, entry) });
    await deliveries.record(tx, receivers, entryEvent, payload);
  }
};

/**
 * Stores the deliveries for a write in its transaction, right before the commit, so that they exist if, and
 * only if, the write does. If no webhook subscribes to an event, this only checks a list in memory. Start
 * reading here; startWebhookSender sends the stored deliveries.
 */
export function recordEvents(dependencies: RecordEventsDependencies): void {
  const { model, hooks, registry, deliveries, onRecorded } = dependencies;
  const types = announcedTypes(model);
  const readEntries = createReadEntries(dependencies);
  const subscribedEvents = async (
    events: readonly DocumentEvent[],
    tx: Transaction,
  ): Promise<readonly SubscribedEvent[]> => {
    const webhooks = await registry.current(tx);
    if (webhooks.length === 0) return [];
    return events
      .flatMap((event) =>
        announcedActions(model, event).map((action) => ({
          ...event,
          event: eventName({ ...event, action }),
        })),
      )
      .map((event) => withSubscribers(webhooks, event))
      .filter((subscribed) => subscribed.webhooks.length > 0);
  };
  const observe = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> => {
    const isRemoval = events.some(({ action }) => REMOVED.includes(action));
    for (const subscribed of await subscribedEvents(events, tx)) {
      const isOfPublished = subscribed.event === 'entry.publish' || subscribed.event === 'entry.unpublish';
      const status = isOfPublished ? 'published' : 'draft';
      // After a removal, the entries can no longer be read.
      const removed = isRemoval ? await readEntries(tx, subscribed, status) : null;
      tx.beforeCommit(async () =>
        writeEvent(deliveries, tx, subscribed, removed ?? (await readEntries(tx, subscribed, status))),
      );
      tx.afterCommit(async () => onRecorded());
    }
  };
  for (const action of [...WRITTEN, ...REMOVED]) hooks.observe(action, observe, types);
}
