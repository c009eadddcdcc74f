import type { LocaleRecord } from '../../access/access.js';
import { addLocale, removeLocale } from '../../access/locales.js';
import { ApplicationError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/records.js';
import { LOCALE_UID, toLocaleRow } from '../database/internal-types.js';
import { assertParams, SERVICE_PARAMS } from '../database/call-params.js';
import { toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';
import type { PluginHost } from './plugin-host.js';

type Row = Readonly<Record<string, unknown>>;

const toRowOrNull = (locale: LocaleRecord | null): Row | null =>
  locale === null ? null : toLocaleRow(locale);

const createLocalesService = ({ access, database, model, config, query }: PluginHost) => {
  const rows = () => query(LOCALE_UID);
  const { locales } = access;
  const context = { database, model, salt: config.secrets.apiTokenSalt };
  const byCode = (code: unknown): LocaleRecord | null =>
    locales.all().find((locale) => locale.code === code) ?? null;
  const byId = (id: unknown): LocaleRecord | null =>
    locales.all().find((locale) => locale.id === Number(id)) ?? null;
  return {
    find: (where: Row = {}) => rows().findMany({ where }),
    findById: async (id: unknown) => toRowOrNull(byId(id)),
    findByCode: async (code: unknown) => toRowOrNull(byCode(code)),
    count: (where: Row = {}) => rows().count({ where }),
    create: async (params: Row) => {
      const call = "strapi.plugin('i18n').service('locales').create";
      assertParams({ call, options: SERVICE_PARAMS['i18n.locales create'] }, params);
      const { code, name, isDefault } = params;
      const created = await addLocale(context, {
        code: String(code),
        ...(typeof name === 'string' ? { name } : {}),
        isDefault: isDefault === true,
      });
      await access.refresh();
      return created;
    },
    delete: async ({ id }: Row) => {
      const locale = byId(id);
      if (locale === null) return null;
      await removeLocale(context, { code: locale.code, acceptDataLoss: true });
      await access.refresh();
      return locale;
    },
    getDefaultLocale: async () => locales.defaultCode(),
    setDefaultLocale: async ({ code }: Row) => {
      await addLocale(context, { code: String(code), isDefault: true });
      await access.refresh();
    },
    setIsDefault: async (given: unknown) => {
      const mark = (locale: unknown): unknown =>
        isRecord(locale) ? { ...locale, isDefault: locale['code'] === locales.defaultCode() } : locale;
      return Array.isArray(given) ? given.map(mark) : mark(given);
    },
  };
};

const isLocalized = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const pluginOptions: unknown = Reflect.get(value, 'pluginOptions');
  const i18n: unknown = isRecord(pluginOptions) ? pluginOptions['i18n'] : undefined;
  return isRecord(i18n) && i18n['localized'] === true;
};

const createContentTypesService = ({ access: { locales } }: PluginHost) => ({
  isLocalizedContentType: isLocalized,
  getValidLocale: async (locale?: unknown) => {
    if (locale === undefined || locale === null) return locales.defaultCode();
    if (typeof locale !== 'string' || !locales.has(locale)) throw new ApplicationError('Locale not found');
    return locale;
  },
});

/** Creates the plugin that manages the locales. */
export function createI18nPlugin(host: PluginHost): PluginDefinition {
  return toPluginDefinition({
    services: { locales: createLocalesService(host), 'content-types': createContentTypesService(host) },
  });
}
