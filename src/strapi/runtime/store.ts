import type { WebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { StoredWebhook } from '../../api/webhooks/webhook.js';
import type { Config } from '../../config/config.js';
import { emailSettings } from '../../config/email-settings.js';
import { currentAccountSettings, printAdvancedSettings } from '../../config/account-settings.js';
import { WEBHOOK_EVENTS, isWebhookUrl } from '../../config/webhook-settings.js';
import { STORE_PREFIX } from '../../database/server-state.js';
import type { ServerState } from '../../database/server-state.js';
import { ValidationError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/records.js';
import type { Log } from './log.js';

/** The key of a stored value. `type` is `core` by default. `name` is the name of a plugin or an API. */
interface StoreKey {
  readonly type?: string;
  readonly name?: string;
  readonly key?: string;
  readonly environment?: string;
  readonly tag?: string;
}

interface StoreOperations {
  /** Returns the value, or null. */
  readonly get: (params?: StoreKey) => Promise<unknown>;
  readonly set: (params: StoreKey & { readonly value?: unknown }) => Promise<unknown>;
  readonly delete: (params?: StoreKey) => Promise<unknown>;
}

/** `store({type, name, key}).get()` or `store.get({type, name, key})`. */
export type Store = StoreOperations & ((defaults?: StoreKey) => StoreOperations);

/** Functions that compute settings stored in other places, from the stored value. */
export type StoreDefaults = Readonly<Record<string, (stored: unknown) => unknown>>;

/** Returns the name of a setting: `plugin_users-permissions_advanced`. */
const settingName = ({ type = 'core', name, key }: StoreKey): string =>
  [type, ...(name === undefined ? [] : [name]), key].join('_');

const stateKey = (params: StoreKey): string => {
  const { environment = '', tag = '' } = params;
  const variant = environment === '' && tag === '' ? '' : `?${environment}&${tag}`;
  return `${STORE_PREFIX}${settingName(params)}${variant}`;
};

/**
 * Creates the key-value store of a project in its database.
 *
 * @param beforeSet is called with each setting that code stores
 */
export function createStore(
  state: ServerState,
  defaults: StoreDefaults,
  beforeSet: (setting: string, value: unknown) => void,
): Store {
  const get: StoreOperations['get'] = async (params = {}) => {
    const text = await state.read(stateKey(params));
    const stored: unknown = text === null ? undefined : JSON.parse(text);
    const resolve = defaults[settingName(params)];
    return resolve === undefined ? (stored ?? null) : resolve(stored);
  };
  const set: StoreOperations['set'] = async ({ value, ...key }) => {
    beforeSet(settingName(key), value);
    await state.write(stateKey(key), JSON.stringify(value) ?? 'null');
    return { key: settingName(key), value };
  };
  const remove: StoreOperations['delete'] = async (params = {}) => {
    await state.remove(stateKey(params));
    return { key: settingName(params) };
  };
  const bind = (bound: StoreKey = {}): StoreOperations => ({
    get: (params) => get({ ...bound, ...params }),
    set: (params) => set({ ...bound, ...params }),
    delete: (params) => remove({ ...bound, ...params }),
  });
  return Object.assign(bind, { get, set, delete: remove });
}

/** The default providers. Sign-in with others is off unless project code stores their settings. */
const PROVIDERS = { email: { enabled: true, icon: 'envelope' } };

/** Returns a function that merges a stored value over the defaults, key by key. */
const withDefaults =
  (defaults: Readonly<Record<string, unknown>>) =>
  (stored: unknown): unknown =>
    isRecord(stored) ? { ...defaults, ...stored } : (stored ?? defaults);

const mailOptions = (config: Config, object: string) => {
  const { from, replyTo } = emailSettings(config);
  return {
    options: { from: { name: '', email: from }, response_email: replyTo ?? '', object, message: '' },
  };
};

/**
 * Returns the settings that are in Strapi's store but in Galley's configuration. Project code reads their
 * effective values.
 */
export function createStoreDefaults(config: Config, defaultLocale: () => string): StoreDefaults {
  return {
    'plugin_users-permissions_advanced': (advanced) => ({
      ...(isRecord(advanced) ? advanced : {}),
      ...printAdvancedSettings(currentAccountSettings(config, { advanced, grant: null })),
    }),
    'plugin_users-permissions_grant': withDefaults(PROVIDERS),
    'plugin_users-permissions_email': withDefaults({
      reset_password: mailOptions(config, 'Reset password'),
      email_confirmation: mailOptions(config, 'Account confirmation'),
    }),
    plugin_upload_settings: withDefaults({
      sizeOptimization: false,
      responsiveDimensions: true,
      autoOrientation: false,
    }),
    plugin_i18n_default_locale: (stored) => stored ?? defaultLocale(),
  };
}

/** Creates the function that warns of stored settings without effect. */
export const warnUnappliedSetting =
  ({ warn }: Pick<Log, 'warn'>) =>
  (setting: string, value: unknown): void => {
    if (setting === 'plugin_users-permissions_advanced' && isRecord(value) && value['unique_email'] === false)
      warn('unique_email: false has no effect: two users cannot have the same address');
  };

/** A webhook in Strapi's form, without its secret. */
interface Webhook extends Pick<StoredWebhook, 'id' | 'name' | 'url' | 'headers' | 'events' | 'isEnabled'> {
  /** The uids of the content-types whose events it receives. Empty: all. */
  readonly contentTypes: readonly string[];
}

/** The parts of a webhook that project code sets. */
type WebhookData = Partial<Omit<Webhook, 'contentTypes'>> & {
  readonly contentTypes?: Webhook['contentTypes'] | null;
};

export interface WebhookStore {
  readonly allowedEvents: Map<string, string>;
  readonly addAllowedEvent: (key: string, event: string) => void;
  readonly removeAllowedEvent: (key: string) => void;
  readonly listAllowedEvents: () => readonly string[];
  readonly getAllowedEvent: (key: string) => string | undefined;
  readonly findWebhooks: () => Promise<readonly Webhook[]>;
  readonly findWebhook: (id: string | number) => Promise<Webhook | null>;
  readonly createWebhook: (data: WebhookData) => Promise<Webhook>;
  readonly updateWebhook: (id: string | number, data: WebhookData) => Promise<Webhook | null>;
  readonly deleteWebhook: (id: string | number) => Promise<Webhook | null>;
}

const eventKey = (event: string): string => event.replace(/[.-]/g, '_').toUpperCase();

const toWebhook = ({ id, name, url, headers, events, isEnabled, types = [] }: StoredWebhook): Webhook => ({
  id,
  name,
  url,
  headers,
  events,
  isEnabled,
  contentTypes: types,
});

const toWebhookOrNull = (webhook: StoredWebhook | null): Webhook | null =>
  webhook === null ? null : toWebhook(webhook);

/** Returns the changes to a webhook that project code may make. */
const changesOf = (data: WebhookData): Partial<StoredWebhook> => {
  const { name, url, headers, events, isEnabled, contentTypes } = data;
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(headers === undefined ? {} : { headers }),
    ...(events === undefined ? {} : { events }),
    ...(isEnabled === undefined ? {} : { isEnabled }),
    ...(contentTypes === undefined ? {} : { types: contentTypes ?? [] }),
  };
};

/** Creates the store of webhooks in the database. */
export function createWebhookStore(registry: WebhookRegistry): WebhookStore {
  const allowedEvents = new Map<string, string>(WEBHOOK_EVENTS.map((event) => [eventKey(event), event]));
  const assertValid = ({ events = [], url = '', contentTypes }: WebhookData): void => {
    const allowed = [...allowedEvents.values()];
    const unknown = events.find((event) => !allowed.includes(event));
    if (unknown !== undefined) throw new ValidationError(`There is no webhook event ${unknown}`);
    const types: unknown = contentTypes ?? [];
    if (!Array.isArray(types) || types.some((type) => typeof type !== 'string'))
      throw new ValidationError('contentTypes of a webhook is a list of uids');
    if (url !== '' && !isWebhookUrl(url)) throw new ValidationError(`${url} is not a valid webhook URL`);
  };
  return {
    allowedEvents,
    addAllowedEvent: (key, event) => void allowedEvents.set(key, event),
    removeAllowedEvent: (key) => void allowedEvents.delete(key),
    listAllowedEvents: () => [...allowedEvents.keys()],
    getAllowedEvent: (key) => allowedEvents.get(key),
    findWebhooks: async () => (await registry.stored()).map(toWebhook),
    findWebhook: async (id) =>
      toWebhookOrNull((await registry.stored()).find((webhook) => webhook.id === String(id)) ?? null),
    createWebhook: async (data) => {
      assertValid(data);
      const added = { name: '', url: '', headers: {}, events: [], isEnabled: true, ...changesOf(data) };
      return toWebhook(await registry.add(added));
    },
    updateWebhook: async (id, data) => {
      assertValid(data);
      return toWebhookOrNull(await registry.update(String(id), changesOf(data)));
    },
    deleteWebhook: async (id) => toWebhookOrNull(await registry.remove(String(id))),
  };
}
