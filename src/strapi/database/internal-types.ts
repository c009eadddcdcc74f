import type { Access, LocaleRecord } from '../../access/access.js';
import { addLocale, listLocales, removeLocale, renameLocale } from '../../access/locales.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import { STORE_PREFIX } from '../../database/server-state.js';
import type { ServerState } from '../../database/server-state.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { StoreDefaults, WebhookStore } from '../runtime/store.js';
import { TYPES_WITHOUT_ROWS } from '../unavailable.js';
import { createRowQueries, invalidCall } from './memory-queries.js';
import type { RowQueries, RowSource } from './memory-queries.js';
import type { Entry } from './version-reader.js';

/** The uid of locales, which are not documents here. */
export const LOCALE_UID: Uid = 'plugin::i18n.locale';

export interface LocaleDependencies {
  readonly access: Pick<Access, 'refresh'>;
  readonly config: Pick<Config, 'secrets'>;
  readonly database: Database;
  readonly model: ContentModel;
}

/** Returns a locale in the form of Strapi's rows, which do not mark the default locale. */
export function toLocaleRow({ isDefault: _isDefault, ...locale }: LocaleRecord): Entry {
  return { ...locale, publishedAt: locale.createdAt, locale: null };
}

/**
 * Creates the source of locales. Writes take effect in all running servers, and are rejected if content would
 * be lost.
 */
const createLocaleRows = ({ access, config, database, model }: LocaleDependencies): RowSource => {
  const context = { database, model, salt: config.secrets.apiTokenSalt };
  const changed = async (work: () => Promise<LocaleRecord>): Promise<Entry> => {
    const locale = await work();
    await access.refresh();
    return toLocaleRow(locale);
  };
  return {
    all: async () => (await listLocales(context)).map(toLocaleRow),
    create: async ({ data }, call) => {
      if (!isRecord(data) || typeof data['code'] !== 'string')
        throw invalidCall(`${call}.create`, 'it requires { data } with a code');
      const { code, name } = data;
      return changed(() => addLocale(context, { code, ...(typeof name === 'string' ? { name } : {}) }));
    },
    update: async ({ id, ...row }, { data }, call) => {
      const { code = row['code'], name = row['name'] } = isRecord(data) ? data : {};
      if (code !== row['code'])
        throw invalidCall(
          `${call}.update`,
          'the code of a locale cannot change, since content is stored in it',
        );
      return changed(() => renameLocale(context, { id, name: String(name) }));
    },
    remove: (row) => changed(async () => (await removeLocale(context, { code: String(row['code']) })).locale),
  };
};

/** Creates the queries of locales. */
export function createLocaleQueries(dependencies: LocaleDependencies): RowQueries {
  return createRowQueries(LOCALE_UID, createLocaleRows(dependencies));
}

export interface AdminTypeDependencies {
  readonly state: ServerState;
  /** Settings that the server stores in other places. */
  readonly defaults: StoreDefaults;
  readonly beforeSet: (setting: string, value: unknown) => void;
  readonly webhooks: WebhookStore;
  readonly warn: (message: string) => void;
}

/** Creates the source of a type without rows. The first read is logged. */
const emptyRows = (uid: Uid, remedy: string, warn: AdminTypeDependencies['warn']): RowSource => {
  let isWarned = false;
  const refuse = async (call: string): Promise<never> => {
    throw createError('strapi/unavailable-call', { call, remedy });
  };
  return {
    all: async () => {
      if (!isWarned) warn(`Project code reads ${uid}, which has no rows here. ${remedy}`);
      isWarned = true;
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

/** Creates the source of stored values, as JSON text by key. */
const storeRows = ({ state, defaults, beforeSet }: AdminTypeDependencies): RowSource => {
  const storedText = async (key: string): Promise<string> => {
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
    const values = await Promise.all(keys.map(storedText));
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
      if (typeof key !== 'string') throw invalidCall(`${call}.create`, 'it requires { data } with a key');
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

/** Creates the queries of Strapi's internal types by uid. */
export function createAdminTypes(dependencies: AdminTypeDependencies): Readonly<Record<Uid, RowQueries>> {
  const empty = Object.entries(TYPES_WITHOUT_ROWS).map(
    ([uid, remedy]) => [uid, createRowQueries(uid, emptyRows(uid, remedy, dependencies.warn))] as const,
  );
  return {
    ...Object.fromEntries(empty),
    'strapi::webhook': createRowQueries('strapi::webhook', webhookRows(dependencies)),
    'strapi::core-store': createRowQueries('strapi::core-store', storeRows(dependencies)),
  };
}
