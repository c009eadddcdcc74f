import { isRecord } from '../../lib/is-record.js';
import { STORE_PREFIX } from '../../transfer/stored-state.js';
import type { ServerState } from './state.js';

/** Where a value is stored. `type` is `core` where it is not said, `name` is that of a plugin or an API. */
interface StoreKey {
  readonly type?: string;
  readonly name?: string;
  readonly key?: string;
  readonly environment?: string;
  readonly tag?: string;
}

interface StoreOperations {
  /** Returns null where nothing is stored. */
  readonly get: (params?: StoreKey) => Promise<unknown>;
  readonly set: (params: StoreKey & { readonly value?: unknown }) => Promise<unknown>;
  readonly delete: (params?: StoreKey) => Promise<unknown>;
}

/** `store({type, name, key}).get()` or `store.get({type, name, key})`. */
export type Store = StoreOperations & ((defaults?: StoreKey) => StoreOperations);

/** Computes what a setting is that this server keeps elsewhere. */
export type StoreDefaults = Readonly<Record<string, () => unknown>>;

/** The name of a setting: `plugin_users-permissions_advanced`. */
const settingOf = ({ type = 'core', name, key }: StoreKey): string =>
  [type, ...(name === undefined ? [] : [name]), key].join('_');

const stateKeyOf = (params: StoreKey): string => {
  const { environment = '', tag = '' } = params;
  const variant = environment === '' && tag === '' ? '' : `?${environment}&${tag}`;
  return `${STORE_PREFIX}${settingOf(params)}${variant}`;
};

/** What is stored wins over what the server says, key by key. */
const withDefaults = (stored: unknown, defaults: unknown): unknown =>
  isRecord(stored) && isRecord(defaults) ? { ...defaults, ...stored } : (stored ?? defaults ?? null);

/** Creates the key-value store of a project, which its database keeps. */
export function createStore(state: ServerState, defaults: StoreDefaults): Store {
  const get: StoreOperations['get'] = async (params = {}) => {
    const text = await state.read(stateKeyOf(params));
    const stored: unknown = text === null ? undefined : JSON.parse(text);
    return withDefaults(stored, defaults[settingOf(params)]?.());
  };
  const set: StoreOperations['set'] = async ({ value, ...key }) => {
    await state.write(stateKeyOf(key), JSON.stringify(value) ?? 'null');
    return { key: settingOf(key), value };
  };
  const remove: StoreOperations['delete'] = async (params = {}) => {
    await state.remove(stateKeyOf(params));
    return { key: settingOf(params) };
  };
  const bind = (bound: StoreKey = {}): StoreOperations => ({
    get: (params) => get({ ...bound, ...params }),
    set: (params) => set({ ...bound, ...params }),
    delete: (params) => remove({ ...bound, ...params }),
  });
  return Object.assign(bind, { get, set, delete: remove });
}
