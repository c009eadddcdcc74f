import { listLocales } from '../access/locales/find-locales.js';
import type { AccessContext } from '../access/access.js';
import type { Config } from '../config/config.js';
import type { Locales } from '../documents/documents.js';

/** Reads the locales once, for work that ends before anyone changes them. */
export async function loadLocales(context: AccessContext, { i18n }: Pick<Config, 'i18n'>): Promise<Locales> {
  const configuredLocales = await listLocales(context);
  return {
    defaultCode: () => configuredLocales.find(({ isDefault }) => isDefault)?.code ?? i18n.defaultLocale,
    has: (code) => configuredLocales.some((locale) => locale.code === code),
  };
}
