/** The cache tags in streams of events: those that a client asked for, of types that it may find. */
import { didYouMean } from '../../lib/nearest.js';
import { SECOND_MS } from '../../lib/units.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import type { ReadAccess } from '../../query/read-access.js';
import { SITE_TAG, createTagNames, manyChangesTag, tagsOfName, typeNameOfTag } from '../tags/tag-names.js';

/** Selects all tags. */
export const ALL_TAGS = '*';

/** The cache tags that a client asks for. */
export type WantedTags = ReadonlySet<string> | typeof ALL_TAGS;

/** Parses names of tags, with commas as in the header `Cache-Tag`. Null: there is an empty one. */
export function parseTagNames(texts: readonly string[]): WantedTags | null {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  if (names.includes('')) return null;
  return names.includes(ALL_TAGS) ? ALL_TAGS : new Set(names);
}

/** Selects cache tags. */
interface TagFilter {
  readonly tags: WantedTags;
  /** The types of the tags. Null: all. */
  readonly types: ReadonlySet<Uid> | null;
}

/** Returns the types of a model by their names in tags. */
const typesByTagName = (model: ContentModel): ReadonlyMap<string, ContentType> => {
  const { nameOf } = createTagNames(model, () => []);
  return new Map(model.types.map((type) => [nameOf(type), type]));
};

/** The types of tags that a client asks for. */
interface TaggedTypes {
  readonly types: readonly ContentType[];
  /** A tag of no type. Null: there is none. */
  readonly unknown: { readonly tag: string; readonly hint: string } | null;
}

/** Returns the types of tags. */
export function typesOfTags(model: ContentModel, tags: Iterable<string>): TaggedTypes {
  const typesByName = typesByTagName(model);
  const types = new Set<ContentType>();
  for (const tag of tags) {
    const name = typeNameOfTag(tag);
    const type = typesByName.get(name);
    if (type !== undefined) types.add(type);
    else if (tag !== SITE_TAG)
      return { types: [], unknown: { tag, hint: didYouMean(name, typesByName.keys()) } };
  }
  return { types: [...types], unknown: null };
}

/**
 * Returns the announced tags that a client asked for and may receive. Null: some may be missing, since this
 * process does not know their type.
 */
export type SelectTags = (
  announced: readonly string[],
  filter: TagFilter,
  access: ReadAccess,
) => readonly string[] | null;

/**
 * Creates the function that selects tags. Clients that may find only some documents or attributes of a type
 * learn only that documents of the type have changed, since other tags contain ids and hashes of values.
 *
 * @param wrapsReads true if project code wraps reads of the type, and may hide documents from a client
 */
export function createSelectTags(model: ContentModel, wrapsReads: (type: Uid) => boolean): SelectTags {
  const typesByName = typesByTagName(model);
  const isLimited = (uid: Uid, { scopeOf }: ReadAccess): boolean =>
    wrapsReads(uid) || (scopeOf?.(uid, 'find') ?? null) !== null;
  return (announced, { tags, types }, access) => {
    if (announced.includes(SITE_TAG)) return [SITE_TAG];
    const visible = new Set<string>();
    for (const tag of announced) {
      const name = typeNameOfTag(tag);
      const type = typesByName.get(name);
      if (type === undefined) {
        if (types === null) return null;
      } else if ((types === null || types.has(type.uid)) && access.canFind(type.uid))
        for (const each of isLimited(type.uid, access) ? tagsOfName(name) : [tag]) visible.add(each);
    }
    if (tags === ALL_TAGS) return [...visible];
    return [...tags].filter((tag) => visible.has(tag) || visible.has(manyChangesTag(typeNameOfTag(tag))));
  };
}

/** Checks regularly for changes that make all responses stale, while a stream needs it. */
export interface SiteChecks {
  /** Checks now and from then on. Returns the function that ends this. */
  readonly start: () => Promise<() => void>;
}

/**
 * Creates the checks of a process.
 *
 * @param announce announces the tag of all responses if it is due
 */
export function createSiteChecks(announce: () => Promise<void>): SiteChecks {
  let streams = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    streams -= 1;
    if (streams === 0) clearInterval(timer);
  };
  return {
    start: async () => {
      await announce();
      streams += 1;
      // The change feed reports that the database does not respond. The next check makes up for this one.
      if (streams === 1) timer = setInterval(() => void announce().catch(() => undefined), SECOND_MS).unref();
      return end;
    },
  };
}
