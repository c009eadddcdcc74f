import { groupBy } from '../../lib/collections.js';
import { textForm } from '../../lib/stored-value.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentType } from '../../model/model.js';
import type { PublishedLink, PublishedState, PublishedVersion } from './published-state.js';
import {
  anyChangeTag,
  REFERRERS,
  documentTag,
  equalityTag,
  fieldTag,
  hasEqualityTags,
  inverseTag,
  listTag,
  printTagValue,
  publishedTag,
  tagsOfName,
} from './tag-names.js';
import type { TagNames } from './tag-names.js';

/** Writes with more tags announce the type instead. */
const MAX_TAGS = 500;

/** The tags of one write, while they are collected. */
interface Collector {
  readonly names: TagNames;
  readonly type: ContentType;
  /** True if no component can refer to the documents, because the write creates them. */
  readonly isNew: boolean;
  readonly tags: Set<string>;
  /** Those of `tags` that belong to private attributes. */
  readonly hidden: Set<string>;
}

/** Adds a tag of an attribute. */
const addOfAttribute = (
  { tags, hidden }: Collector,
  { attributes }: ContentType,
  attribute: string,
  tag: string,
): void => {
  tags.add(tag);
  if (Object.hasOwn(attributes, attribute) && attributes[attribute]?.private === true) hidden.add(tag);
};

/** Returns the locale of an end of a link. Null: the link does not state it, so that it is any. */
const localeOfLink = ({ end, ownerLocale, targetLocale }: PublishedLink): string | null =>
  (end.owner.localized ? ownerLocale : targetLocale) || null;

/** The attribute under which responses show the links of an end. Null: they do not show them. */
const shownAs = (type: ContentType, attribute: string | null): string | null =>
  attribute ?? (type.uid === FILE_UID ? REFERRERS : null);

interface ShownEnd {
  readonly type: ContentType;
  readonly isOwner: boolean;
  readonly attribute: string | null;
  readonly documentId: string;
  readonly linkedId: string;
}

const otherEnd = ({ end, documentId, otherId }: PublishedLink): ShownEnd => ({
  type: end.other,
  isOwner: !end.isOwner,
  attribute: shownAs(end.other, end.otherAttribute),
  documentId: otherId,
  linkedId: documentId,
});

const nearEnd = ({ end, documentId, otherId }: PublishedLink, type: ContentType): ShownEnd => ({
  type,
  isOwner: end.isOwner,
  attribute: shownAs(type, end.attribute),
  documentId,
  linkedId: otherId,
});

/** Adds the tags of a document whose links of one attribute changed. */
const addEnd = (
  collector: Collector,
  { type, isOwner, attribute, documentId, linkedId }: ShownEnd,
  locale: string | null,
): void => {
  if (attribute === null) return;
  const { names, tags } = collector;
  const add = (tag: string): void => addOfAttribute(collector, type, attribute, tag);
  tags.add(anyChangeTag(names.nameOf(type)));
  for (const scope of names.scopesOf(type, locale)) {
    if (isOwner) tags.add(documentTag(scope, documentId));
    else add(inverseTag(scope, documentId, attribute));
    add(fieldTag(scope, attribute));
    add(equalityTag(scope, attribute, linkedId));
  }
};

/** Adds the tags of both ends of a link that was added, removed or moved. */
const addLink = (collector: Collector, link: PublishedLink): void => {
  const { names, tags, type } = collector;
  const locale = localeOfLink(link);
  addEnd(collector, otherEnd(link), locale);
  addEnd(collector, nearEnd(link, type), locale);
  // The target may have left another owner, which showed it.
  if (link.end.link.exclusive && link.end.isOwner)
    for (const scope of names.scopesOf(link.end.other, locale)) tags.add(documentTag(scope, link.otherId));
};

const linkKey = ({ documentId, otherId, ownerLocale, targetLocale }: PublishedLink): string =>
  [documentId, otherId, ownerLocale, targetLocale].join('\n');

/** True if the links have the same order in the lists of their documents. */
const haveSameOrder = (left: readonly PublishedLink[], right: readonly PublishedLink[]): boolean => {
  const inOrder = (links: readonly PublishedLink[]): string =>
    links
      .toSorted((a, b) => a.position - b.position)
      .map(linkKey)
      .join();
  return inOrder(left) === inOrder(right);
};

/** Adds the tags of links of one end that differ between two states. */
const addChangedLinks = (
  collector: Collector,
  before: readonly PublishedLink[],
  after: readonly PublishedLink[],
): void => {
  const former = new Map(before.map((link) => [linkKey(link), link]));
  const current = new Map(after.map((link) => [linkKey(link), link]));
  for (const [key, link] of former) if (!current.has(key)) addLink(collector, link);
  for (const [key, link] of current) {
    const previous = former.get(key);
    if (previous === undefined) addLink(collector, link);
    else if (previous.otherPosition !== link.otherPosition)
      addEnd(collector, otherEnd(link), localeOfLink(link));
  }
  const isStill = (link: PublishedLink): boolean => former.has(linkKey(link)) && current.has(linkKey(link));
  const afterByDocument = groupBy(after.filter(isStill), ({ documentId }) => documentId);
  for (const [documentId, links] of groupBy(before.filter(isStill), (link) => link.documentId))
    if (!haveSameOrder(links, afterByDocument.get(documentId) ?? []))
      for (const link of links.slice(0, 1)) addLink(collector, link);
};

const versionKey = ({ documentId, locale }: Pick<PublishedVersion, 'documentId' | 'locale'>): string =>
  `${documentId}\n${locale}`;

/** Adds the tags of lists of documents with a value that a version has. */
const addEqualities = (
  collector: Collector,
  scopes: readonly string[],
  { values }: PublishedVersion,
): void => {
  const { type } = collector;
  for (const [field, value] of Object.entries(values)) {
    if (value === null || !hasEqualityTags(type, field)) continue;
    const text = printTagValue(value as StoredScalar);
    for (const scope of scopes) addOfAttribute(collector, type, field, equalityTag(scope, field, text));
  }
};

const changedFields = (before: PublishedVersion, after: PublishedVersion): readonly string[] =>
  Object.keys(after.values).filter(
    (name) =>
      textForm((before.values[name] ?? null) as StoredScalar) !==
      textForm((after.values[name] ?? null) as StoredScalar),
  );

/** Adds the tags of a version that differs between two states. */
const addChangedVersion = (
  collector: Collector,
  before: PublishedVersion | undefined,
  after: PublishedVersion | undefined,
  links: readonly PublishedLink[],
): void => {
  const { names, tags, type, isNew } = collector;
  const version = after ?? before;
  if (version === undefined) return;
  const isKept = before !== undefined && after !== undefined;
  const fields = isKept ? changedFields(before, after) : [];
  if (isKept && fields.length === 0) return;
  const scopes = names.scopesOf(type, version.locale);
  tags.add(anyChangeTag(names.nameOf(type)));
  for (const each of [before, after]) if (each !== undefined) addEqualities(collector, scopes, each);
  for (const scope of scopes) {
    tags.add(documentTag(scope, version.documentId));
    if (!isKept) tags.add(listTag(scope));
    if (before === undefined && !isNew) tags.add(publishedTag(scope));
    for (const field of fields) addOfAttribute(collector, type, field, fieldTag(scope, field));
  }
  for (const link of links) {
    const locale = localeOfLink(link);
    if (type.localized && locale !== null && locale !== version.locale) continue;
    const { attribute } = link.end;
    if (attribute !== null)
      for (const scope of scopes)
        addOfAttribute(collector, type, attribute, equalityTag(scope, attribute, link.otherId));
    // The other end shows the document only while it is published.
    if (!isKept) addEnd(collector, otherEnd(link), locale);
  }
};

const versionsByKey = ({ versions }: PublishedState): ReadonlyMap<string, PublishedVersion> =>
  new Map(versions.map((version) => [versionKey(version), version]));

/**
 * True if a change concerns links that are too many to be listed: one of them changed, or a version appeared
 * or disappeared that they lead to.
 */
const hasCrowdedChange = (before: PublishedState, after: PublishedState): boolean => {
  if (before.crowded.size + after.crowded.size === 0) return false;
  const ends = new Set([...before.crowded.keys(), ...after.crowded.keys()]);
  const [former, current] = [versionsByKey(before), versionsByKey(after)];
  return (
    [...ends].some((end) => end.isOwner || before.crowded.get(end) !== after.crowded.get(end)) ||
    former.size !== current.size ||
    [...former.keys()].some((key) => !current.has(key))
  );
};

interface StateChange {
  readonly type: ContentType;
  /** True if the write creates the documents. */
  readonly isNew: boolean;
  readonly before: PublishedState;
  readonly after: PublishedState;
}

/** The tags that a write announces. */
interface Announcement {
  readonly tags: readonly string[];
  /** Those that clients may know: the values of private attributes could be guessed from their tags. */
  readonly shown: readonly string[];
}

/** Returns the announcement of tags that clients may know. */
export const announcementOf = (tags: readonly string[]): Announcement => ({ tags, shown: tags });

/** Returns the tags that a change of documents of a type makes stale. */
export function changedTags(names: TagNames, { type, isNew, before, after }: StateChange): Announcement {
  const collector: Collector = { names, type, isNew, tags: new Set(), hidden: new Set() };
  const ofType = announcementOf(tagsOfName(names.nameOf(type)));
  if (hasCrowdedChange(before, after)) return ofType;
  const former = versionsByKey(before);
  const current = versionsByKey(after);
  const links = groupBy([...before.links, ...after.links], ({ documentId }) => documentId);
  for (const key of new Set([...former.keys(), ...current.keys()])) {
    const [documentId = ''] = key.split('\n');
    addChangedVersion(collector, former.get(key), current.get(key), links.get(documentId) ?? []);
  }
  const [linksBefore, linksAfter] = [before, after].map((state) => groupBy(state.links, ({ end }) => end));
  for (const end of new Set([...before.links, ...after.links].map((link) => link.end)))
    addChangedLinks(collector, linksBefore?.get(end) ?? [], linksAfter?.get(end) ?? []);
  const tags = [...collector.tags];
  return tags.length > MAX_TAGS ? ofType : { tags, shown: tags.filter((tag) => !collector.hidden.has(tag)) };
}
