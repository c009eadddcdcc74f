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
import { createDirectories } from '../configuration.js';
import type { Directories } from '../configuration.js';
import { createCron, createCronClaims } from './cron.js';
import type { Cron } from './cron.js';
import { emitDocumentEvents, createEventHub } from './event-hub.js';
import type { EventHub } from './event-hub.js';
import type { Log } from './log.js';
import { createStore, createStoreDefaults, createWebhookStore, warnUnappliedSetting } from './store.js';
import type { Store, WebhookStore } from './store.js';

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
export interface Runtime {
  readonly properties: RuntimeProperties;
  /** Starts the cron tasks. Call it after `bootstrap`. */
  readonly start: () => void;
  readonly stop: () => void;
}

export interface RuntimeDependencies {
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
