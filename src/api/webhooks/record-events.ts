import type { Database, Transaction } from '../../database/database.js';
import type { DocumentService } from '../../documents/documents.js';
import type { DocumentEvent, DocumentHooks, WriteAction } from '../../documents/hooks.js';
import { createGetRepository } from '../../documents/repository/create-repository.js';
import { defined } from '../../lib/defined.js';
import { isRecord } from '../../lib/is-record.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, VersionStatus } from '../../model/model.js';
import type { DeliveryStore } from './delivery-store.js';
import { deepPopulate, eventName, payloadOf, toldActions, toldTypes } from './event-payload.js';
import type { WebhookRegistry } from './webhook-registry.js';
import { wants } from './webhook.js';
import type { Webhook, WebhookEvent } from './webhook.js';

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
