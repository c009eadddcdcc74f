import { STORE_PREFIX } from '../../transfer/stored-state.js';
import type { ServerState } from '../../database/server-state.js';

/** The key of a stored value. `type` is `core` by default. `name` is that of a plugin or an API. */
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

/** Computes what a setting is that this server keeps elsewhere, from what is stored of it. */
export type StoreDefaults = Readonly<Record<string, (stored: unknown) => unknown>>;

/** The name of a setting: `plugin_users-permissions_advanced`. */
const settingOf = ({ type = 'core', name, key }: StoreKey): string =>
  [type, ...(name === undefined ? [] : [name]), key].join('_');

const stateKeyOf = (params: StoreKey): string => {
  const { environment = '', tag = '' } = params;
  const variant = environment === '' && tag === '' ? '' : `?${environment}&${tag}`;
  return `${STORE_PREFIX}${settingOf(params)}${variant}`;
};

/**
 * Creates the key-value store of a project, which its database keeps.
 *
 * @param beforeSet is told each setting that code stores
 */
export function createStore(
  state: ServerState,
  defaults: StoreDefaults,
  beforeSet: (setting: string, value: unknown) => void,
): Store {
  const get: StoreOperations['get'] = async (params = {}) => {
    const text = await state.read(stateKeyOf(params));
    const stored: unknown = text === null ? undefined : JSON.parse(text);
    const resolve = defaults[settingOf(params)];
    return resolve === undefined ? (stored ?? null) : resolve(stored);
  };
  const set: StoreOperations['set'] = async ({ value, ...key }) => {
    beforeSet(settingOf(key), value);
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
