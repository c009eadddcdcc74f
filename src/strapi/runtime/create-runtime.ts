/**
 * Implements the properties of `strapi` that do not concern content, such as `strapi.cron`, `strapi.eventHub`
 * and `strapi.store`. Start at {@link createRuntime}.
 */
import type { Access } from '../../access/access.js';
import type { WebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import { createServerState } from '../../database/server-state.js';
import type { ProjectDocuments } from '../../documents/create-repository.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel } from '../../model/model.js';
import {
  deepPopulate,
  eventName,
  payloadOf,
  announcedActions,
  announcedTypes,
} from '../../api/webhooks/record-events.js';
import type { DocumentEvent } from '../../documents/hooks.js';
import { createDirectories } from '../configuration.js';
import type { Directories } from '../configuration.js';
import { createCron, createCronClaims } from './cron.js';
import type { Cron } from './cron.js';
import type { Log } from './log.js';
import { createStore, createStoreDefaults, createWebhookStore, warnUnappliedSetting } from './store.js';
import type { Store, WebhookStore } from './store.js';

type Listener = (...args: readonly unknown[]) => unknown;
type Subscriber = (event: string, ...args: readonly unknown[]) => unknown;

/** Delivers events between the parts of a project. Listeners run in turn. */
interface EventHub {
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
function createEventHub({ onFirstListener }: EventHubOptions): EventHub {
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
function emitDocumentEvents({ model, documents, hub, onError }: EventDependencies): void {
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

/** A custom field that project code has registered: its name and the type in which it is stored. */
interface CustomField {
  readonly name: string;
  readonly plugin?: string;
  readonly type: string;
}

interface CustomFields {
  readonly register: (field: unknown) => void;
  readonly getAll: () => Readonly<Record<string, CustomField>>;
  readonly get: (uid: string) => CustomField | undefined;
}

const isCustomField = (value: unknown): value is CustomField =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';

/** Creates the registry of custom fields, which attributes of schema files refer to by uid. */
export function createCustomFields(): CustomFields {
  const fields: Record<string, CustomField> = {};
  return {
    register: (registered) => {
      for (const field of [registered].flat()) {
        if (!isCustomField(field)) throw new TypeError('A custom field needs a name and a type.');
        fields[`${field.plugin === undefined ? 'global::' : `plugin::${field.plugin}.`}${field.name}`] =
          field;
      }
    },
    getAll: () => fields,
    get: (uid) => fields[uid],
  };
}

/** The properties of `strapi` that concern the running server rather than its content. */
export interface RuntimeProperties {
  readonly store: Store;
  readonly cron: Cron;
  readonly eventHub: EventHub;
  readonly webhookStore: WebhookStore;
  readonly customFields: CustomFields;
  readonly dirs: Directories;
  readonly fetch: typeof fetch;
  readonly features: {
    readonly config: unknown;
    readonly future: { readonly isEnabled: (name: string) => boolean };
  };
  readonly telemetry: { readonly send: (event: string) => Promise<false>; readonly isDisabled: true };
  /** True after all code has been bootstrapped. */
  readonly isLoaded: boolean;
  readonly EE: false;
  readonly ee: { readonly isEE: false; readonly features: { readonly isEnabled: () => false } };
}

/** The runtime of one application. */
interface Runtime {
  readonly properties: RuntimeProperties;
  /** Starts the cron tasks. Call it after `bootstrap`. */
  readonly start: () => void;
  readonly stop: () => void;
}

interface RuntimeDependencies {
  readonly root: string;
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly access: Access;
  readonly documents: ProjectDocuments;
  readonly webhooks: WebhookRegistry;
  readonly log: Log;
  readonly strapi: unknown;
  /** Reads the configuration of the project: `server.cron.tasks`. */
  readonly read: (path: string, otherwise?: unknown) => unknown;
}

const createFeatures = (read: RuntimeDependencies['read']): RuntimeProperties['features'] => ({
  get config() {
    return read('features');
  },
  future: { isEnabled: (name) => read(`features.future.${name}`) === true },
});

const NO_EDITIONS: RuntimeProperties['ee'] = Object.freeze({
  isEE: false,
  features: Object.freeze({ isEnabled: (): false => false }),
});

/**
 * Creates the properties of `strapi` that do not concern content: stored values, cron tasks, events and
 * others.
 */
export function createRuntime(dependencies: RuntimeDependencies): Runtime {
  const { root, config, model, database, access, documents, webhooks, log, strapi, read } = dependencies;
  const state = createServerState(database);
  const onError = (error: unknown): void => log.error({ err: error }, 'A listener of events failed');
  const eventHub: EventHub = createEventHub({
    onFirstListener: () => emitDocumentEvents({ model, documents, hub: eventHub, onError }),
  });
  const cron = createCron({ strapi, log, claims: createCronClaims(state) });
  let isLoaded = false;
  return {
    properties: {
      store: createStore(
        state,
        createStoreDefaults(config, access.locales.defaultCode),
        warnUnappliedSetting(log),
      ),
      cron,
      eventHub,
      webhookStore: createWebhookStore(webhooks),
      customFields: createCustomFields(),
      dirs: createDirectories(root),
      fetch: globalThis.fetch,
      features: createFeatures(read),
      telemetry: { send: async () => false, isDisabled: true },
      get isLoaded() {
        return isLoaded;
      },
      EE: false,
      ee: NO_EDITIONS,
    },
    start: () => {
      const tasks = read('server.cron.enabled', true) === false ? {} : read('server.cron.tasks', {});
      cron.add(isRecord(tasks) ? tasks : {}).start();
      isLoaded = true;
    },
    stop: () => {
      cron.destroy();
      eventHub.destroy();
      isLoaded = false;
    },
  };
}
