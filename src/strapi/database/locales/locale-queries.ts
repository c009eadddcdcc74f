import type { Access, LocaleRecord } from '../../../access/access.js';
import { addLocale } from '../../../access/locales/add-locale.js';
import { listLocales } from '../../../access/locales/find-locales.js';
import { removeLocale } from '../../../access/locales/remove-locale.js';
import { renameLocale } from '../../../access/locales/rename-locale.js';
import type { Config } from '../../../config/config.js';
import type { Database } from '../../../database/database.js';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import type { ContentModel, Uid } from '../../../model/model.js';
import { createRowQueries } from '../memory/row-queries.js';
import type { RowQueries, RowSource } from '../memory/row-queries.js';
import type { Entry } from '../version-reader.js';

/** The type of locales, which are no documents here. */
export const LOCALE_UID: Uid = 'plugin::i18n.locale';

export interface LocaleDependencies {
  readonly access: Pick<Access, 'refresh'>;
  readonly config: Pick<Config, 'secrets'>;
  readonly database: Database;
  readonly model: ContentModel;
}

/** A locale as Strapi's rows have it, which do not say which one is the default. */
export function toLocaleRow({ isDefault: _isDefault, ...locale }: LocaleRecord): Entry {
  return { ...locale, publishedAt: locale.createdAt, locale: null };
}

const invalidCall = (call: string, reason: string) => createError('strapi/invalid-call', { call, reason });

/** Reads and writes locales. Writes hold for all running servers, and are refused where content is lost. */
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
        throw invalidCall(`${call}.create`, 'it takes { data } with a code');
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

/** Creates what reads and writes locales in the place of documents. */
export function createLocaleQueries(dependencies: LocaleDependencies): RowQueries {
  return createRowQueries(LOCALE_UID, createLocaleRows(dependencies));
}
