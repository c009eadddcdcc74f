import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { ContentType } from '../../model/model.js';
import { unsupportedKey } from './issues.js';

/** Keys of a document's data that describe the version. Clients send them back with what they have read. */
export const METADATA_KEYS: ReadonlySet<string> = new Set(['publishedAt', 'locale']);

/** The version that a write makes, which metadata in its data must agree with. */
export interface WrittenVersion {
  readonly isNew: boolean;
  /** As it is stored. */
  readonly locale: string;
  readonly publish: boolean;
  /** The time of the published version before the write. Null: there is none. */
  readonly publishedAt: Date | null;
}

const isTime = (value: unknown, time: Date | null): boolean =>
  typeof value === 'string' && time !== null && new Date(value).getTime() === time.getTime();

const assertPublishedAt = (type: ContentType, value: unknown, version: WrittenVersion): void => {
  if (value === null && !version.publish) return;
  if (isTime(value, version.publishedAt)) return;
  if (value !== null)
    throw unsupportedKey(
      'publishedAt',
      'publishing sets it. Omit it, or schedule the publication of a draft: PUT …/schedule.',
    );
  throw unsupportedKey(
    'publishedAt',
    type.draftAndPublish
      ? 'null asks for a draft, but this write publishes. Send the parameter status=draft.'
      : `null asks for a draft, but ${type.singularName} has none: every write publishes.`,
  );
};

const otherLocale = (value: string, locale: string): GalleyError =>
  unsupportedKey(
    'locale',
    `this write concerns the locale ${locale}, and no write moves a document to another locale. To write ` +
      `${value.slice(0, 60)}, send the parameter locale.`,
  );

const assertLocale = (type: ContentType, value: unknown, locale: string): void => {
  if (value === null || value === locale) return;
  if (!type.localized) throw unsupportedKey('locale', `${type.singularName} is not localised.`);
  if (typeof value !== 'string')
    throw createError('request/invalid-parameter', {
      parameter: 'locale',
      reason: 'it must be one locale code.',
    });
  throw otherLocale(value, locale);
};

/**
 * Checks that data do not ask for another version than the write makes: `locale` names that of the write,
 * `publishedAt` is null for drafts, and otherwise the time at which the document was published. An update of
 * nothing but the `locale` has no content to write into the wrong one, and leaves it as it is.
 *
 * @throws `request/invalid-key`
 */
export function assertMetadata(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  version: WrittenVersion,
): void {
  const { locale, publishedAt } = data;
  if (publishedAt !== undefined) assertPublishedAt(type, publishedAt, version);
  if (locale === undefined || (!version.isNew && Object.keys(data).length === 1)) return;
  assertLocale(type, locale, version.locale);
}
