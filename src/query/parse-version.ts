import { isStorableText } from '../fields/text-value.js';
import type { VersionStatus } from '../model/model.js';
import { PUBLICATION_FILTERS } from './publication-filter.js';
import type { PublicationFilter } from './publication-filter.js';
import { refuse } from './read-context.js';

const MAX_LOCALE_LENGTH = 255;

/** Reads a `status`: `draft` or `published`, the default. Throws `request/invalid-parameter` for anything else. */
export function parseStatus(raw: unknown): VersionStatus {
  if (raw === undefined || raw === null) return 'published';
  if (raw === 'draft' || raw === 'published') return raw;
  throw refuse('status', 'it must be draft or published.');
}

/** Reads a `locale`: a code or `*`; absent or empty: the default locale. Whether the code is configured is not asked. */
export function parseLocale(raw: unknown, defaultLocale: string): string {
  if (raw === undefined || raw === null || raw === '') return defaultLocale;
  if (typeof raw !== 'string' || raw.length > MAX_LOCALE_LENGTH || !isStorableText(raw)) throw refuse('locale', 'it must be one locale code.');
  return raw;
}

/** Reads `hasPublishedVersion`. Null: no restriction. */
export function parseHasPublishedVersion(raw: unknown): boolean | null {
  if (raw === undefined || raw === null) return null;
  if (raw === true || raw === 'true') return true;
  if (raw === false || raw === 'false') return false;
  throw refuse('hasPublishedVersion', 'it must be true or false.');
}

/** Reads a `publicationFilter`: one of the values, in kebab case. Undefined: no restriction. */
export function parsePublicationFilter(raw: unknown): PublicationFilter | undefined {
  if (raw === undefined || raw === null) return undefined;
  const known = PUBLICATION_FILTERS.find((value) => value === raw);
  if (known === undefined) throw refuse('publicationFilter', `it must be one of ${PUBLICATION_FILTERS.join(', ')}.`);
  return known;
}
