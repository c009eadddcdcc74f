import { createError } from '../../errors/catalogue.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { parseDocumentId } from '../../query/parse/parse-version.js';
import type { DocumentContext } from '../document-context.js';
import type { VersionTimes } from '../documents.js';

type Data = Readonly<Record<string, unknown>>;

/** Keys that project code may set in `data` in addition to attributes. */
const SYSTEM_NAMES = ['documentId', 'locale', 'createdAt', 'updatedAt', 'publishedAt'] as const;
type SystemName = (typeof SYSTEM_NAMES)[number];

/** The data of a write by project code, separated from the document's id, its locale and its times. */
export interface VersionData {
  /** The data without these values. */
  readonly data: Data;
  readonly locale: string | undefined;
  readonly documentId?: string;
  readonly times?: VersionTimes;
}

interface DataParams {
  readonly data: Data;
  /** The parameter `locale`. Default: the default locale. */
  readonly locale: string | undefined;
}

const invalid = (name: string, reason: string): Error =>
  createError('request/invalid-parameter', { parameter: `data.${name}`, reason });

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const isSystemName = ({ attributes }: ContentType, name: string): name is SystemName =>
  SYSTEM_NAMES.some((each) => each === name) && !Object.hasOwn(attributes, name);

/** Returns the system values in the data. A key that is an attribute of the type is not one of them. */
const systemValuesOf = (type: ContentType, data: Data): Partial<Record<SystemName, unknown>> =>
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

const parseTimes = (systemValues: Partial<Record<SystemName, unknown>>): VersionTimes | undefined => {
  const names = (['createdAt', 'updatedAt', 'publishedAt'] as const).filter((name) => name in systemValues);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, parseTime(name, systemValues[name])]));
};

const parseId = (value: unknown): string => {
  const id = parseDocumentId(value);
  if (id === null || id === '') throw invalid('documentId', 'it must be a text.');
  return id;
};

/** Parses the locale in the data. It is ignored for types that are not localised. */
const parseDataLocale = ({ localized }: ContentType, value: unknown): string | undefined => {
  if (!localized || value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalid('locale', 'it must be one locale code.');
  return value;
};

const without = (type: ContentType, data: Data, names: readonly string[]): Data =>
  Object.fromEntries(
    Object.entries(data).filter(([name]) => !names.includes(name) || !isSystemName(type, name)),
  );

/**
 * Parses the data of a new version. It may contain the documentId, the locale and the times.
 *
 * @throws `request/invalid-parameter`
 */
export function parseNewVersion(type: ContentType, { data, locale }: DataParams): VersionData {
  const systemValues = systemValuesOf(type, data);
  const dataLocale = parseDataLocale(type, systemValues.locale);
  if (dataLocale !== undefined && locale !== undefined && dataLocale !== locale)
    throw invalid('locale', `it is ${dataLocale}, but the parameter locale is ${locale}.`);
  const times = parseTimes(systemValues);
  return {
    data: without(type, data, SYSTEM_NAMES),
    locale: locale ?? dataLocale,
    ...(systemValues.documentId === undefined ? {} : { documentId: parseId(systemValues.documentId) }),
    ...(times === undefined ? {} : { times }),
  };
}

/**
 * Parses the data of a changed version. It may repeat the documentId and the locale, and set the time of
 * creation.
 *
 * @throws `request/invalid-parameter` for data of another document or locale
 */
export function parseChangedVersion(
  type: ContentType,
  { data, locale, documentId }: DataParams & { readonly documentId: string },
  defaultLocale: string,
): VersionData {
  const systemValues = systemValuesOf(type, data);
  const written = locale ?? defaultLocale;
  const dataLocale = parseDataLocale(type, systemValues.locale) ?? written;
  if (dataLocale !== written)
    throw invalid('locale', `it is ${dataLocale}, but the written version is ${written}.`);
  if (systemValues.documentId !== undefined && systemValues.documentId !== documentId)
    throw invalid('documentId', `a document keeps its id, which is ${documentId}.`);
  const createdAt = parseTime('createdAt', systemValues.createdAt);
  return {
    data: without(type, data, ['documentId', 'locale', 'createdAt']),
    locale,
    ...(createdAt === undefined ? {} : { times: { createdAt } }),
  };
}

/**
 * Returns the stored form of the locale of a write: `NO_LOCALE` for types that are not localised.
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
 * Returns the type if it is localised, or if no locale is set.
 *
 * @throws `request/invalid-parameter` if a type that is not localised has a locale
 */
export function requireLocale(type: ContentType, locale: string | undefined): ContentType {
  if (type.localized || locale === undefined) return type;
  throw createError('request/invalid-parameter', {
    parameter: 'locale',
    reason: `${type.singularName} is not localised.`,
  });
}

/**
 * True if a write with the status publishes. It always does for types without drafts, and otherwise unless
 * the status is `draft`.
 */
export function isPublishing(type: ContentType, status: VersionStatus | undefined): boolean {
  return !type.draftAndPublish || status !== 'draft';
}

/** Returns the word for an operation on drafts in messages. */
export const draftVerb = (action: string): string => (action === 'discardDraft' ? 'discard' : action);

/**
 * Returns the type if it has drafts.
 *
 * @param verb the operation on a draft: `publish`
 * @throws `request/no-drafts` if it has none
 */
export function requireDrafts(type: ContentType, verb: string): ContentType {
  if (type.draftAndPublish) return type;
  throw createError('request/no-drafts', { type: type.singularName, verb });
}
