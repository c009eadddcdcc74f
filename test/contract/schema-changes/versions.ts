import { editType, option } from './support/edits.js';
import { ANY } from './support/differences.js';
import type { ExpectedChange } from './support/effects.js';
import type { Content, Item } from './support/read-content.js';
import { change } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

interface Version {
  readonly documentId: string;
  readonly locale: string;
  readonly status: string;
  readonly item: Item;
}

/** Maps the versions of one type. Those without a locale have the locale `-`. */
const mapVersions =
  (type: string, map: (version: Version, others: readonly Version[]) => readonly Version[]) =>
  (content: Content): Content => {
    const versions = Object.entries(content[type] ?? {}).map(([key, item]): Version => {
      const [documentId = '', locale = '', status = ''] = key.split(' ');
      return { documentId, locale, status, item };
    });
    const mapped = versions.flatMap((version) => map(version, versions));
    return {
      ...content,
      [type]: Object.fromEntries(
        mapped.map(({ documentId, locale, status, item }) => [`${documentId} ${locale} ${status}`, item]),
      ),
    };
  };

const withLocale = (version: Version, locale: string): Version => ({
  ...version,
  locale,
  item: { ...version.item, locale },
});

const withoutLocale = (version: Version): Version => {
  const { locale: _locale, ...item } = version.item;
  return { ...version, locale: '-', item };
};

/** Published versions stay, and drafts without one become public. */
const withoutDraft = (version: Version, versions: readonly Version[]): readonly Version[] => {
  if (version.status === 'published') return [version];
  const isPublished = versions.some(
    ({ documentId, locale, status }) =>
      status === 'published' && documentId === version.documentId && locale === version.locale,
  );
  const { updatedAt } = version.item;
  return isPublished
    ? []
    : [{ ...version, status: 'published', item: { ...version.item, publishedAt: updatedAt } }];
};

const withDraft = (version: Version): readonly Version[] => {
  const { publishedAt: _publishedAt, ...item } = version.item;
  return [version, { ...version, status: 'draft', item: { ...item, id: ANY } }];
};

const mainOf = ({ documentId, status }: Version, versions: readonly Version[]): Version | undefined => {
  const same = versions.filter((each) => each.documentId === documentId && each.status === status);
  return same.find(({ locale }) => locale === 'en') ?? same[0];
};

const dropped = (type: string, path: string | null, values: number): ExpectedChange => ({
  kind: 'dropped',
  type: `api::${type}.${type}`,
  path,
  values,
});

const localized = { pluginOptions: { i18n: { localized: true } } };

export const VERSION_CHANGES: readonly SchemaChange[] = [
  change(
    'drafts switched on',
    editType('note', (type) => ({ ...type, draftAndPublish: true })),
    [],
    {
      content: mapVersions('note', withDraft),
    },
  ),
  change(
    'drafts switched on for a localised type',
    editType('category', (type) => ({ ...type, draftAndPublish: true })),
    [],
    {
      content: mapVersions('category', withDraft),
    },
  ),
  change(
    'drafts switched off',
    editType('page', (type) => ({ ...type, draftAndPublish: false })),
    [],
    {
      changes: [dropped('page', null, 2), dropped('page', null, 3)],
      content: mapVersions('page', withoutDraft),
    },
  ),
  change(
    'drafts of a single type switched off',
    editType('home', (type) => ({ ...type, draftAndPublish: false })),
    [],
    {
      changes: [dropped('home', null, 1)],
      content: mapVersions('home', withoutDraft),
    },
  ),
  change(
    'locales switched on',
    editType('note', (type) => ({ ...type, localized: true })),
    [],
    {
      content: mapVersions('note', (version) => [withLocale(version, 'en')]),
    },
  ),
  change(
    'locales of a single type switched on',
    editType('home', (type) => ({ ...type, localized: true })),
    [],
    {
      content: mapVersions('home', (version) => [withLocale(version, 'en')]),
    },
  ),
  change(
    'locales switched off',
    editType('page', (type) => ({ ...type, localized: false })),
    [],
    {
      changes: [dropped('page', null, 5)],
      content: mapVersions('page', (version) => (version.locale === 'en' ? [withoutLocale(version)] : [])),
    },
  ),
  change(
    'drafts and locales switched off at once',
    editType('page', (type) => ({ ...type, draftAndPublish: false, localized: false })),
    [],
    {
      changes: [dropped('page', null, 2), dropped('page', null, 2), dropped('page', null, 5)],
      content: (content) =>
        mapVersions(
          'page',
          withoutDraft,
        )(
          mapVersions('page', (version) => (version.locale === 'en' ? [withoutLocale(version)] : []))(
            content,
          ),
        ),
    },
  ),
  change('a shared attribute becomes localised', option('article', 'weight', localized)),
  change('a shared enumeration becomes localised', option('article', 'shade', localized)),
  change('a localised attribute becomes shared', option('page', 'title', { pluginOptions: {} }), [], {
    changes: [dropped('page', 'title', 5)],
    content: mapVersions('page', (version, versions) => [
      { ...version, item: { ...version.item, title: mainOf(version, versions)?.item['title'] } },
    ]),
  }),
  change('a localised component becomes shared', option('page', 'badge', { pluginOptions: {} }), [], {
    changes: [dropped('page', 'badge', 5)],
    content: mapVersions('page', (version, versions) => [
      { ...version, item: { ...version.item, badge: mainOf(version, versions)?.item['badge'] } },
    ]),
  }),
  change(
    'drafts and locales switched on at once',
    editType('note', (type) => ({
      ...type,
      draftAndPublish: true,
      localized: true,
    })),
    [],
    {
      content: mapVersions('note', (version) => withDraft(withLocale(version, 'en'))),
    },
  ),
];
