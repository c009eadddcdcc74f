import { createError } from '../../errors/catalogue.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { parseDocumentId } from '../../query/parse/parse-version.js';
import type { DocumentContext } from '../document-context.js';
import type { VersionTimes } from '../documents.js';

type Data = Readonly<Record<string, unknown>>;

/** Keys besides the attributes that server code may set in `data`. */
const SYSTEM_NAMES = ['documentId', 'locale', 'createdAt', 'updatedAt', 'publishedAt'] as const;
type SystemName = (typeof SYSTEM_NAMES)[number];

/** A write of code whose `data` may name the document, its locale and its times. */
export interface GivenVersion {
  /** Without what the other members hold. */
  readonly data: Data;
  readonly locale: string | undefined;
  readonly documentId?: string;
  readonly times?: VersionTimes;
}

interface GivenParams {
  readonly data: Data;
  /** As the parameter `locale` names it. Undefined: the default locale. */
  readonly locale: string | undefined;
}

const invalid = (name: string, reason: string): Error =>
  createError('request/invalid-parameter', { parameter: `data.${name}`, reason });

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const isSystemName = ({ attributes }: ContentType, name: string): name is SystemName =>
  SYSTEM_NAMES.some((each) => each === name) && !Object.hasOwn(attributes, name);

/** The values of such names that are set, where the type has no attribute of the name. */
const givenIn = (type: ContentType, data: Data): Partial<Record<SystemName, unknown>> =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => isSystemName(type, name) && !isAbsent(value)),
  );

/** Parses a time of data. @throws `request/invalid-parameter` */
export function parseTime(name: string, value: unknown): Date | undefined {
  if (value === undefined) return undefined;
  const isTime = typeof value === 'string' || typeof value === 'number' || value instanceof Date;
  const time = isTime ? new Date(value) : null;
  if (time === null || Number.isNaN(time.getTime())) throw invalid(name, 'it must be a time.');
  return time;
}

const parseTimes = (given: Partial<Record<SystemName, unknown>>): VersionTimes | undefined => {
  const names = (['createdAt', 'updatedAt', 'publishedAt'] as const).filter((name) => name in given);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, parseTime(name, given[name])]));
};

const parseId = (value: unknown): string => {
  const id = parseDocumentId(value);
  if (id === null || id === '') throw invalid('documentId', 'it must be a text.');
  return id;
};

/** Types without locales have none to name, whatever the data say. */
const parseGivenLocale = ({ localized }: ContentType, value: unknown): string | undefined => {
  if (!localized || value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalid('locale', 'it must be one locale code.');
  return value;
};

const without = (type: ContentType, data: Data, names: readonly string[]): Data =>
  Object.fromEntries(
    Object.entries(data).filter(([name]) => !names.includes(name) || !isSystemName(type, name)),
  );

/**
 * Parses what code creates. The data may give the new version its documentId, its locale and its times.
 *
 * @throws `request/invalid-parameter`
 */
export function parseNewVersion(type: ContentType, { data, locale }: GivenParams): GivenVersion {
  const given = givenIn(type, data);
  const givenLocale = parseGivenLocale(type, given.locale);
  if (givenLocale !== undefined && locale !== undefined && givenLocale !== locale)
    throw invalid('locale', `it is ${givenLocale}, but the parameter locale is ${locale}.`);
  const times = parseTimes(given);
  return {
    data: without(type, data, SYSTEM_NAMES),
    locale: locale ?? givenLocale,
    ...(given.documentId === undefined ? {} : { documentId: parseId(given.documentId) }),
    ...(times === undefined ? {} : { times }),
  };
}

/**
 * Parses what code changes. The data may repeat which version that is, and set when it was created.
 *
 * @throws `request/invalid-parameter` for data of another document or locale
 */
export function parseChangedVersion(
  type: ContentType,
  { data, locale, documentId }: GivenParams & { readonly documentId: string },
  defaultLocale: string,
): GivenVersion {
  const given = givenIn(type, data);
  const written = locale ?? defaultLocale;
  const givenLocale = parseGivenLocale(type, given.locale) ?? written;
  if (givenLocale !== written)
    throw invalid('locale', `it is ${givenLocale}, but the version that is written is ${written}.`);
  if (given.documentId !== undefined && given.documentId !== documentId)
    throw invalid('documentId', `a document keeps its id, which is ${documentId}.`);
  const createdAt = parseTime('createdAt', given.createdAt);
  return {
    data: without(type, data, ['documentId', 'locale', 'createdAt']),
    locale,
    ...(createdAt === undefined ? {} : { times: { createdAt } }),
  };
}

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
