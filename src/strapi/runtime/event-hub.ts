import {
  deepPopulate,
  eventName,
  payloadOf,
  announcedActions,
  announcedTypes,
} from '../../api/webhooks/record-events.js';
import type { DocumentEvent } from '../../documents/hooks.js';
import type { ProjectDocuments } from '../../documents/create-repository.js';
import type { ContentModel } from '../../model/model.js';

type Listener = (...args: readonly unknown[]) => unknown;
type Subscriber = (event: string, ...args: readonly unknown[]) => unknown;

/** Delivers events between the parts of a project. Listeners run in turn. */
export interface EventHub {
  readonly emit: (event: string, ...args: readonly unknown[]) => Promise<void>;
  /** `on`, `once` and `subscribe` return a function that undoes them. */
  readonly on: (event: string, listener: Listener) => () => void;
  readonly once: (event: string, listener: Listener) => () => void;
  readonly subscribe: (subscriber: Subscriber) => () => void;
  readonly off: (event: string, listener: Listener) => void;
  readonly unsubscribe: (subscriber: Subscriber) => void;
  readonly addListener: (event: string, listener: Listener) => () => void;
  readonly removeListener: (event: string, listener: Listener) => void;
  readonly removeAllListeners: () => EventHub;
  readonly removeAllSubscribers: () => EventHub;
  readonly destroy: () => EventHub;
}

interface EventHubOptions {
  /** Called once, before the first listener or subscriber is added. Events are not needed before. */
  readonly onFirstListener: () => void;
}

/** Creates the event hub of an application. */
export function createEventHub({ onFirstListener }: EventHubOptions): EventHub {
  const listeners = new Map<string, Listener[]>();
  const subscribers: Subscriber[] = [];
  let isUsed = false;
  const use = (): void => {
    if (isUsed) return;
    isUsed = true;
    onFirstListener();
  };
  const off: EventHub['off'] = (event, listener) => {
    const remaining = (listeners.get(event) ?? []).filter((each) => each !== listener);
    listeners.set(event, remaining);
  };
  const on: EventHub['on'] = (event, listener) => {
    use();
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    return () => off(event, listener);
  };
  const unsubscribe: EventHub['unsubscribe'] = (subscriber) => {
    const index = subscribers.indexOf(subscriber);
    if (index !== -1) subscribers.splice(index, 1);
  };
  const hub: EventHub = {
    emit: async (event, ...args) => {
      for (const listener of listeners.get(event) ?? []) await listener(...args);
      for (const subscriber of subscribers) await subscriber(event, ...args);
    },
    on,
    once: (event, listener) => {
      const stop = on(event, (...args) => {
        stop();
        return listener(...args);
      });
      return stop;
    },
    subscribe: (subscriber) => {
      use();
      subscribers.push(subscriber);
      return () => unsubscribe(subscriber);
    },
    off,
    unsubscribe,
    addListener: on,
    removeListener: off,
    removeAllListeners: () => {
      listeners.clear();
      return hub;
    },
    removeAllSubscribers: () => {
      subscribers.length = 0;
      return hub;
    },
    destroy: () => hub.removeAllListeners().removeAllSubscribers(),
  };
  return hub;
}

interface EventDependencies {
  readonly model: ContentModel;
  readonly documents: ProjectDocuments;
  readonly hub: Pick<EventHub, 'emit'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Emits events about writes of documents, as Strapi does. Versions that a deletion or an unpublication
 * removes are read before.
 */
export function emitDocumentEvents({ model, documents, hub, onError }: EventDependencies): void {
  const types = announcedTypes(model);
  const read = async ({ type, documentId, locale }: DocumentEvent, status: 'draft' | 'published') => {
    const definition = model.typesByUid[type];
    if (definition === undefined) return null;
    return documents(type).findOne({
      documentId,
      status,
      populate: deepPopulate(model, definition),
      ...(locale === null ? {} : { locale }),
    });
  };
  const emit = async (event: DocumentEvent, entry: unknown): Promise<void> => {
    if (entry !== null) await hub.emit(eventName(event), payloadOf(event.type, entry));
  };
  const announce = async (event: DocumentEvent): Promise<void> => {
    for (const action of announcedActions(model, event))
      await emit({ ...event, action }, await read(event, action === 'publish' ? 'published' : 'draft'));
  };
  for (const action of ['create', 'update', 'publish', 'discardDraft'] as const)
    documents.after(action, announce, types);
  for (const action of ['delete', 'unpublish'] as const)
    documents.before(
      action,
      async (event, tx) => {
        const entry = await read(event, action === 'unpublish' ? 'published' : 'draft');
        tx.afterCommit(() => emit(event, entry).catch(onError));
      },
      types,
    );
}
