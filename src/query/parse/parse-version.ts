import { isStorableText } from '../../model/fields/text-value.js';
import type { VersionStatus } from '../../model/model.js';
import { PUBLICATION_FILTERS } from '../query.js';
import type { PublicationFilter, ReleaseName } from '../query.js';
import { invalidParameter, asList } from '../read-context.js';

const MAX_LOCALE_LENGTH = 255;

/**
 * Parses `status`: `draft` or `published`. Default: `published`.
 *
 * @throws `request/invalid-parameter`
 */
export function parseStatus(raw: unknown): VersionStatus {
  if (raw === undefined || raw === null) return 'published';
  if (raw === 'draft' || raw === 'published') return raw;
  throw invalidParameter('status', 'it must be draft or published.');
}

/**
 * Parses `locale`: a code or `*`. Absent or empty: the default locale. Does not check whether the locale
 * exists.
 */
export function parseLocale(raw: unknown, defaultLocale: string): string {
  if (raw === undefined || raw === null || raw === '') return defaultLocale;
  if (typeof raw !== 'string' || raw.length > MAX_LOCALE_LENGTH || !isStorableText(raw))
    throw invalidParameter('locale', 'it must be one locale code.');
  return raw;
}

/** Like {@link parseStatus}. Undefined: the request names none. */
export function sentStatus(raw: unknown): VersionStatus | undefined {
  return raw === undefined || raw === null ? undefined : parseStatus(raw);
}

/** Like {@link parseLocale}. Undefined: the request names none. */
export function sentLocale(raw: unknown): string | undefined {
  return parseLocale(raw, '') || undefined;
}

/**
 * Parses the `locale` of a list, which may name several. Codes that do not exist match nothing.
 *
 * @throws `request/invalid-parameter`
 */
export function parseLocales(raw: unknown, defaultLocale: string): string | readonly string[] {
  const list = asList(raw);
  if (list === null) return parseLocale(raw, defaultLocale);
  const codes = list.filter((item) => item !== '').map((item) => parseLocale(item, defaultLocale));
  return codes.length === 0 ? defaultLocale : codes;
}

/** Parses `hasPublishedVersion`. Null: no restriction. */
export function parseHasPublishedVersion(raw: unknown): boolean | null {
  if (raw === undefined || raw === null) return null;
  if (raw === true || raw === 'true') return true;
  if (raw === false || raw === 'false') return false;
  throw invalidParameter('hasPublishedVersion', 'it must be true or false.');
}

/** Parses `publicationFilter`: one of its values, in kebab case. Undefined: no restriction. */
export function parsePublicationFilter(raw: unknown): PublicationFilter | undefined {
  if (raw === undefined || raw === null) return undefined;
  const filter = PUBLICATION_FILTERS.find((value) => value === raw);
  if (filter === undefined)
    throw invalidParameter('publicationFilter', `it must be one of ${PUBLICATION_FILTERS.join(', ')}.`);
  return filter;
}

const RELEASE_NAME = /^[\w-]{1,64}$/;

/**
 * Parses `release`: the name of a release. Does not check whether it exists. Undefined: published versions
 * are read as they are.
 */
export function parseRelease(raw: unknown): ReleaseName | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'string' && RELEASE_NAME.test(raw)) return { name: raw };
  throw invalidParameter('release', 'it must be the name of a release.');
}

/** Returns the document id a client names, or null for a value that no database could store. */
export function parseDocumentId(value: unknown): string | null {
  return typeof value === 'string' && isStorableText(value) ? value : null;
}
