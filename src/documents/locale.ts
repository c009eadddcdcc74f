import { fail } from '../errors/catalogue.js';
import { NO_LOCALE } from '../model/model.js';
import type { ContentType } from '../model/model.js';
import type { DocumentContext } from './document-context.js';

/** The locale a write concerns, as it is stored. Throws `request/unknown-locale`. */
export function writtenLocale({ locales }: DocumentContext, type: ContentType, locale: string | undefined): string {
  if (!type.localized) return NO_LOCALE;
  const code = locale ?? locales.defaultCode();
  if (!locales.has(code)) throw fail('request/unknown-locale', { locale: code.slice(0, 60) });
  return code;
}
