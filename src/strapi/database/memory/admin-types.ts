import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import type { ServerState } from '../../../database/server-state.js';
import type { Uid } from '../../../model/model.js';
import type { StoreDefaults } from '../../runtime/store.js';
import type { WebhookStore } from '../../runtime/webhook-store.js';
import { STORE_PREFIX } from '../../../transfer/stored-state.js';
import type { Entry } from '../version-reader.js';
import { EMPTY_TYPES } from './empty-types.js';
import { createRowQueries } from './row-queries.js';
import type { RowQueries, RowSource } from './row-queries.js';

export interface AdminTypeDependencies {
  readonly state: ServerState;
  /** Settings that the server keeps elsewhere. */
  readonly defaults: StoreDefaults;
  readonly beforeSet: (setting: string, value: unknown) => void;
  readonly webhooks: WebhookStore;
  readonly warn: (message: string) => void;
}

/** Rows that are never there. The first use is logged. */
const emptyRows = (uid: Uid, remedy: string, warn: AdminTypeDependencies['warn']): RowSource => {
  let isTold = false;
  const refuse = async (call: string): Promise<never> => {
    throw createError('strapi/unavailable-call', { call, remedy });
  };
  return {
    all: async () => {
      if (!isTold) warn(`Project code reads ${uid}, which has no rows here. ${remedy}`);
      isTold = true;
      return [];
    },
    create: (_params, call) => refuse(`${call}.create`),
    update: (_row, _params, call) => refuse(`${call}.update`),
    remove: (_row, call) => refuse(`${call}.delete`),
  };
};

type Webhook = Awaited<ReturnType<WebhookStore['createWebhook']>>;

const toWebhookRow = ({ id, isEnabled, ...webhook }: Webhook): Entry => ({
  ...webhook,
  id: Number(id),
  documentId: id,
  enabled: isEnabled,
});

const webhookData = (data: unknown): Partial<Webhook> => {
  const { enabled, ...values } = isRecord(data) ? data : {};
  return { ...values, ...(typeof enabled === 'boolean' ? { isEnabled: enabled } : {}) };
};

const webhookRows = ({ webhooks }: AdminTypeDependencies): RowSource => ({
  all: async () => (await webhooks.findWebhooks()).map(toWebhookRow),
  create: async ({ data }) => toWebhookRow(await webhooks.createWebhook(webhookData(data))),
  update: async (row, { data }) => {
    const changed = await webhooks.updateWebhook(row.id, webhookData(data));
    return changed === null ? row : toWebhookRow(changed);
  },
  remove: async (row) => {
    await webhooks.deleteWebhook(row.id);
    return row;
  },
});

/** Stored values, as text of JSON under their keys. */
const storeRows = ({ state, defaults, beforeSet }: AdminTypeDependencies): RowSource => {
  const valueOf = async (key: string): Promise<string> => {
    const stored = await state.read(STORE_PREFIX + key);
    const resolve = defaults[key];
    return resolve === undefined
      ? (stored ?? 'null')
      : (JSON.stringify(resolve(stored === null ? undefined : JSON.parse(stored))) ?? 'null');
  };
  const write = async (key: string, value: unknown): Promise<void> => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
    beforeSet(key, JSON.parse(text));
    await state.write(STORE_PREFIX + key, text);
  };
  const all: RowSource['all'] = async () => {
    const stored = (await state.keys(STORE_PREFIX)).map((key) => key.slice(STORE_PREFIX.length));
    const keys = [...new Set([...stored, ...Object.keys(defaults)])].toSorted();
    const values = await Promise.all(keys.map(valueOf));
    return keys.map((key, index) => ({
      id: index + 1,
      documentId: key,
      key,
      value: values[index],
      type: 'object',
      environment: null,
      tag: null,
    }));
  };
  const find = async (key: unknown): Promise<Entry> => {
    const row = (await all()).find((each) => each['key'] === key);
    if (row === undefined) throw createError('request/not-found');
    return row;
  };
  return {
    all,
    create: async ({ data }, call) => {
      const { key, value } = isRecord(data) ? data : {};
      if (typeof key !== 'string')
        throw createError('strapi/invalid-call', {
          call: `${call}.create`,
          reason: 'it takes { data } with a key',
        });
      await write(key, value);
      return find(key);
    },
    update: async (row, { data }) => {
      const key = String(row['key']);
      if (isRecord(data) && 'value' in data) await write(key, data['value']);
      return find(key);
    },
    remove: async (row) => {
      await state.remove(STORE_PREFIX + String(row['key']));
      return row;
    },
  };
};

/** Creates what reads and writes the types of Strapi's own that code asks for, by uid. */
export function createAdminTypes(dependencies: AdminTypeDependencies): Readonly<Record<Uid, RowQueries>> {
  const empty = Object.entries(EMPTY_TYPES).map(
    ([uid, remedy]) => [uid, createRowQueries(uid, emptyRows(uid, remedy, dependencies.warn))] as const,
  );
  return {
    ...Object.fromEntries(empty),
    'strapi::webhook': createRowQueries('strapi::webhook', webhookRows(dependencies)),
    'strapi::core-store': createRowQueries('strapi::core-store', storeRows(dependencies)),
  };
}
