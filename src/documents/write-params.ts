import { createError } from '../errors/catalogue.js';
import { NO_LOCALE } from '../model/model.js';
import type { ContentType, VersionStatus } from '../model/model.js';
import type { DocumentContext } from './document-context.js';

/**
 * Returns the locale a write concerns, as it is stored: `NO_LOCALE` for types that are not localised.
 *
 * @throws `request/unknown-locale`
 */
export function resolveLocale(
  { locales }: Pick<DocumentContext, 'locales'>,
  type: ContentType,
  locale: string | undefined,
): string {
  if (!type.localized) return NO_LOCALE;
  const code = locale ?? locales.defaultCode();
  if (!locales.has(code)) throw createError('request/unknown-locale', { locale: code.slice(0, 60) });
  return code;
}

/**
 * Returns the type if a locale may be named for it, or none is.
 *
 * @throws `request/invalid-parameter` if it is not localised
 */
export function requireLocale(type: ContentType, locale: string | undefined): ContentType {
  if (type.localized || locale === undefined) return type;
  throw createError('request/invalid-parameter', {
    parameter: 'locale',
    reason: `${type.singularName} is not localised.`,
  });
}

/**
 * True if a write with that status publishes: always for types without drafts, otherwise unless the status is
 * `draft`.
 */
export function isPublishing(type: ContentType, status: VersionStatus | undefined): boolean {
  return !type.draftAndPublish || status !== 'draft';
}

/** Returns the word for an operation on drafts in messages. */
export const draftVerb = (action: string): string => (action === 'discardDraft' ? 'discard' : action);

/**
 * Returns the type if it has drafts.
 *
 * @param verb what is to be done with a draft: `publish`
 * @throws `request/no-drafts` if it has none
 */
export function requireDrafts(type: ContentType, verb: string): ContentType {
  if (type.draftAndPublish) return type;
  throw createError('request/no-drafts', { type: type.singularName, verb });
}
