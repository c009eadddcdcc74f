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
import { wants } from './webhook.js';
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
 * Returns what populates everything an entry consists of: its components as a whole, relations and media
 * once.
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

/** Returns what an event says beside its name. */
export function payloadOf(type: Uid, entry: unknown): Readonly<Record<string, unknown>> {
  return type === FILE_UID ? { media: entry } : { model: lastSegment(type), uid: type, entry };
}

/** Returns the name of an event as Strapi has it. */
export function eventName({ action, type }: Pick<DocumentEvent, 'action' | 'type'>): string {
  return type === FILE_UID ? `media.${action}` : EVENTS[action];
}

/** Returns the types that everybody is told of: files as media, and nothing of users and their roles. */
export function toldTypes(model: ContentModel): readonly Uid[] {
  return Object.keys(model.typesByUid).filter(
    (type) => type === FILE_UID || !type.startsWith('plugin::users-permissions.'),
  );
}

/** Returns what a write is told as. A draft that is written to be published at once is told as both. */
export function toldActions(
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
  /** The documents without the project's middlewares. */
  readonly documents: DocumentService;
  readonly defaultLocale: () => string;
  readonly registry: WebhookRegistry;
  readonly deliveries: DeliveryStore;
  /** Called once a write with events is committed. */
  readonly onRecorded: () => void;
}

const WRITTEN: readonly WriteAction[] = ['create', 'update', 'publish', 'discardDraft'];
const REMOVED: readonly WriteAction[] = ['delete', 'unpublish'];

/** An event with those who may want it: what locales it concerns is known once its entries are read. */
interface WantedEvent extends WebhookEvent {
  readonly webhooks: readonly Webhook[];
}

const wantedBy = (webhooks: readonly Webhook[], event: WebhookEvent): WantedEvent => ({
  ...event,
  webhooks: webhooks.filter((webhook) => wants(webhook, event)),
});

const localeOf = (entry: Readonly<Record<string, unknown>>): string | null =>
  typeof entry['locale'] === 'string' && entry['locale'] !== NO_LOCALE ? entry['locale'] : null;

type Entries = readonly Readonly<Record<string, unknown>>[];
type ReadEntries = (tx: Transaction, event: WebhookEvent, status: VersionStatus) => Promise<Entries>;

/** Returns what reads the entries that an event is about, as the transaction sees them. */
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
  { event, type, documentId, webhooks }: WantedEvent,
  entries: Entries,
): Promise<void> => {
  const createdAt = new Date().toISOString();
  for (const entry of entries) {
    const told = { event, type, documentId, locale: localeOf(entry) };
    const receivers = wantedBy(webhooks, told).webhooks.map(({ id }) => id);
    const payload = JSON.stringify({ event, createdAt, ...payloadOf(type, entry) });
    await deliveries.record(tx, receivers, told, payload);
  }
};

/**
 * Stores the deliveries for a write in its transaction, right before the commit: they exist if, and only if,
 * the write does. If no webhook wants an event, this only checks a list in memory.
 */
export function recordEvents(dependencies: RecordEventsDependencies): void {
  const { model, hooks, registry, deliveries, onRecorded } = dependencies;
  const types = toldTypes(model);
  const readEntries = createReadEntries(dependencies);
  const wantedEvents = async (
    events: readonly DocumentEvent[],
    tx: Transaction,
  ): Promise<readonly WantedEvent[]> => {
    const webhooks = await registry.current(tx);
    if (webhooks.length === 0) return [];
    return events
      .flatMap((event) =>
        toldActions(model, event).map((action) => ({ ...event, event: eventName({ ...event, action }) })),
      )
      .map((event) => wantedBy(webhooks, event))
      .filter((wanted) => wanted.webhooks.length > 0);
  };
  const observe = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> => {
    const isRemoval = events.some(({ action }) => REMOVED.includes(action));
    for (const wanted of await wantedEvents(events, tx)) {
      const isOfPublished = wanted.event === 'entry.publish' || wanted.event === 'entry.unpublish';
      const status = isOfPublished ? 'published' : 'draft';
      // After a removal there is nothing left to read.
      const removed = isRemoval ? await readEntries(tx, wanted, status) : null;
      tx.beforeCommit(async () =>
        writeEvent(deliveries, tx, wanted, removed ?? (await readEntries(tx, wanted, status))),
      );
      tx.afterCommit(async () => onRecorded());
    }
  };
  for (const action of [...WRITTEN, ...REMOVED]) hooks.observe(action, observe, types);
}
