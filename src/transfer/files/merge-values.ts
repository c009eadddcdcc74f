/**
 * Merges values of content three ways. A base is the last state that files and database had in common; it
 * has the form of `summarizeData`. This file does no I/O.
 */
import { diff3Merge } from 'node-diff3';
import { isRecord } from '../../lib/records.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, Component, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import { parseBlocks } from '../store/parse-blocks.js';
import { canonicalText, summarizeValue, isSame } from './version-data.js';
import type { Data } from './version-data.js';

/** A merged value. Without conflicts, both sides are equal. */
export interface Merged<Value> {
  /** The value in which the file wins every conflict. */
  readonly file: Value;
  /** The value in which the database wins every conflict. */
  readonly database: Value;
  /** The paths of values that both sides have changed differently: `title`, `zone.1.text`. */
  readonly conflicts: readonly string[];
}

/** The three states of something. */
export interface Sides<Value, Base = Value> {
  /** Undefined: it had no value. */
  readonly base: Base | undefined;
  readonly file: Value;
  readonly database: Value;
}

const agreed = <Value>(value: Value): Merged<Value> => ({ file: value, database: value, conflicts: [] });

/** The attributes whose texts are merged by lines. */
const LINE_TYPES: ReadonlySet<string> = new Set(['string', 'text', 'richtext']);

/** Merges texts by lines. `isClean` is false if both sides have changed the same lines. */
const mergeLines = ({ base = '', file, database }: Sides<string>): Merged<string> => {
  const [own, old, other] = [file, base, database].map((text) => text.split('\n'));
  const regions = diff3Merge(own ?? [], old ?? [], other ?? [], { excludeFalseConflicts: true });
  const side = (name: 'a' | 'b'): string =>
    regions.flatMap(({ ok, conflict }) => ok ?? conflict?.[name] ?? []).join('\n');
  const isClean = regions.every(({ conflict }) => conflict === undefined);
  return { file: side('a'), database: side('b'), conflicts: isClean ? [] : [''] };
};

const isText = (value: unknown): value is string => typeof value === 'string';

const markdownOf = (summary: unknown): { readonly text: string; readonly notes: Data } | null => {
  if (!isRecord(summary) || !isText(summary['$markdown'])) return null;
  return { text: summary['$markdown'], notes: isRecord(summary['$notes']) ? summary['$notes'] : {} };
};

/** Merges blocks by the lines of their Markdown. Null: Markdown cannot express them, or not the result. */
const mergeBlocks = ({ base, file, database }: Sides<unknown>): Merged<unknown> | null => {
  const [old, own, other] = [markdownOf(base), markdownOf(file), markdownOf(database)];
  if (old === null || own === null || other === null) return null;
  // Notes name positions in the text, which a merge would shift.
  if (new Set([old, own, other].map(({ notes }) => canonicalText(notes))).size > 1) return null;
  const merged = mergeLines({ base: old.text, file: own.text, database: other.text });
  const [parsedFile, parsedDatabase] = [
    parseBlocks(merged.file, own.notes),
    parseBlocks(merged.database, own.notes),
  ];
  if (!('blocks' in parsedFile) || !('blocks' in parsedDatabase)) return null;
  return { file: parsedFile.blocks, database: parsedDatabase.blocks, conflicts: merged.conflicts };
};

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Merges additions and removals of links in both lists. The list of the side that has moved links sets the
 * order. Null: both sides have moved links.
 */
const mergeLinks = ({ base, file, database }: Sides<unknown>): readonly unknown[] | null => {
  const values = new Map<string, unknown>();
  const keysOf = (list: unknown): readonly string[] =>
    asList(list).map((item) => {
      const key = canonicalText(item);
      values.set(key, item);
      return key;
    });
  const [old, own, other] = [keysOf(base), keysOf(file), keysOf(database)];
  if ([old, own, other].some((keys) => new Set(keys).size < keys.length)) return null;
  const isMoved = (keys: readonly string[]): boolean =>
    keys.filter((key) => old.includes(key)).join('\n') !== old.filter((key) => keys.includes(key)).join('\n');
  if (isMoved(own) && isMoved(other)) return null;
  const [leading, added] = isMoved(own) ? [own, other] : [other, own];
  const merged = leading.filter((key) => added.includes(key) || !old.includes(key));
  for (const [index, key] of added.entries()) {
    if (old.includes(key) || merged.includes(key)) continue;
    const before = added.slice(0, index).findLast((candidate) => merged.includes(candidate));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, key);
  }
  return merged.map((key) => values.get(key));
};

const componentOfItem = (model: ContentModel, attribute: Attribute, item: unknown): Component | null => {
  if (!isRecord(item)) return null;
  const uid = attribute.family === 'component' ? attribute.component : item['__component'];
  return isText(uid) && Object.hasOwn(model.componentsByUid, uid) ? componentOf(model, uid) : null;
};

/** True if a side has moved an item, so that items of the same position are different ones. */
const isReordered = (
  model: ContentModel,
  attribute: Attribute,
  base: readonly unknown[],
  side: readonly unknown[],
): boolean => {
  const old = base.map(canonicalText);
  const own = asList(summarizeValue(model, attribute, side)).map(canonicalText);
  return own.some((text, index) => text !== old[index] && old.includes(text));
};

/** Merges one component by attribute. Null: it is absent or another component on one side. */
const mergeItem = (
  model: ContentModel,
  attribute: Attribute,
  { base, file, database }: Sides<unknown>,
): Merged<unknown> | null => {
  const component = componentOfItem(model, attribute, file);
  if (component === null || !isRecord(base) || !isRecord(file) || !isRecord(database)) return null;
  const isOther = [base, database].some((item) => componentOfItem(model, attribute, item) !== component);
  return isOther ? null : mergeData(model, component, { base, file, database });
};

/** Merges lists of components by position. Null: a side has added, removed, replaced or moved items. */
const mergeItems = (
  model: ContentModel,
  attribute: Attribute,
  { base, file, database }: Sides<unknown>,
): Merged<unknown> | null => {
  const [old, own, other] = [asList(base), asList(file), asList(database)];
  if (old.length !== own.length || old.length !== other.length) return null;
  if (isReordered(model, attribute, old, own) || isReordered(model, attribute, old, other)) return null;
  const items = own.map((item, index) =>
    mergeItem(model, attribute, { base: old[index], file: item, database: other[index] }),
  );
  const merged = items.filter((item) => item !== null);
  if (merged.length < items.length) return null;
  return {
    file: merged.map((item) => item.file),
    database: merged.map((item) => item.database),
    conflicts: merged.flatMap(({ conflicts }, index) => conflicts.map((path) => `${index}.${path}`)),
  };
};

/** Merges the parts of a value that both sides have changed. Null: it is merged only as a whole. */
const mergeParts = (
  model: ContentModel,
  attribute: Attribute,
  { base, file, database }: Sides<unknown>,
  summaries: Sides<unknown>,
): Merged<unknown> | null => {
  if (attribute.family === 'scalar') {
    if (attribute.type === 'blocks') return mergeBlocks(summaries);
    const isMergeable = LINE_TYPES.has(attribute.type) && isText(base) && isText(file) && isText(database);
    return isMergeable ? mergeLines({ base, file, database }) : null;
  }
  if (attribute.family === 'component' || attribute.family === 'dynamiczone')
    return Array.isArray(file)
      ? mergeItems(model, attribute, { base, file, database })
      : mergeItem(model, attribute, { base, file, database });
  const links = attribute.many ? mergeLinks({ base, file, database }) : null;
  return links === null ? null : agreed(links);
};

const mergeValue = (
  model: ContentModel,
  attribute: Attribute,
  { base, file, database }: Sides<unknown>,
): Merged<unknown> => {
  const summaries = {
    base,
    file: summarizeValue(model, attribute, file),
    database: summarizeValue(model, attribute, database),
  };
  const [old, own, other] = [base, summaries.file, summaries.database].map((side) =>
    side === undefined ? '' : canonicalText(side),
  );
  if (own === other || old === own) return agreed(database);
  if (old === other) return agreed(file);
  return (
    mergeParts(model, attribute, { base, file, database }, summaries) ?? { file, database, conflicts: [''] }
  );
};

/**
 * Merges values by attribute. The result has the attributes of the file. Private values, which a base does
 * not store, and unknown attributes are those of the file.
 */
export function mergeData(model: ContentModel, schema: ContentSchema, sides: Sides<Data>): Merged<Data> {
  const merged = Object.entries(sides.file).map(([name, file]): readonly [string, Merged<unknown>] => {
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    if (attribute === undefined || !isFileAttribute(attribute)) return [name, agreed(file)];
    const values = { base: sides.base?.[name], file, database: sides.database[name] ?? null };
    return [name, mergeValue(model, attribute, values)];
  });
  return {
    file: Object.fromEntries(merged.map(([name, { file }]) => [name, file])),
    database: Object.fromEntries(merged.map(([name, { database }]) => [name, database])),
    conflicts: merged.flatMap(([name, { conflicts }]) =>
      conflicts.map((path) => (path === '' ? name : `${name}.${path}`)),
    ),
  };
}

/** True if none of the values differs from the base. */
export function isUnchanged(
  model: ContentModel,
  schema: ContentSchema,
  base: Data | undefined,
  data: Data,
): boolean {
  return Object.entries(data).every(([name, value]) => {
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    if (attribute === undefined || !isFileAttribute(attribute)) return true;
    const summary = summarizeValue(model, attribute, value);
    return canonicalText(summary ?? null) === canonicalText(base?.[name] ?? null);
  });
}

/** The draft and the published version of a document in a locale. */
export interface Versions {
  readonly draft: Data;
  /** Null: not published. The draft itself if both are equal. */
  readonly published: Data | null;
}

/** A value that both sides have changed differently. */
export interface Conflict {
  readonly version: 'draft' | 'published';
  /** The path of the value, or `$status`. */
  readonly path: string;
}

export interface MergedVersions {
  /** The versions in which the file wins every conflict. */
  readonly file: Versions;
  /** The versions in which the database wins every conflict. */
  readonly database: Versions;
  readonly conflicts: readonly Conflict[];
}

/** The path of conflicts about the status. */
export const STATUS_PATH = '$status';

const mergePublished = (
  model: ContentModel,
  type: ContentType,
  { base, file, database }: Sides<Data | null>,
  baseDraft: Data | undefined,
): Merged<Data | null> => {
  if (file !== null && database !== null)
    return mergeData(model, type, { base: base ?? baseDraft, file, database });
  const published = file ?? database;
  // One side has published the document, or none.
  if (base === null || base === undefined || published === null) return agreed(published);
  // The other side has unpublished it.
  if (isUnchanged(model, type, base, published)) return agreed(null);
  return { file, database, conflicts: [STATUS_PATH] };
};

/** Files may omit generated values, so that only values of both versions are compared. */
const areEqual = (draft: Data, published: Data): boolean =>
  Object.entries(draft).every(([name, value]) => !(name in published) || isSame(value, published[name]));

const joinVersions = (draft: Data, published: Data | null): Versions => ({
  draft,
  published: published !== null && areEqual(draft, published) ? draft : published,
});

const isOneVersion = ({ draft, published }: Versions): boolean => draft === published;

/** Merges a document in a locale: drafts and published versions by attribute, and the status. */
export function mergeVersions(
  model: ContentModel,
  type: ContentType,
  { base, file, database }: Sides<Versions>,
): MergedVersions {
  const drafts = mergeData(model, type, {
    base: base?.draft,
    file: file.draft,
    database: database.draft,
  });
  const draftConflicts = drafts.conflicts.map((path): Conflict => ({ version: 'draft', path }));
  if (base !== undefined && [base, file, database].every(isOneVersion))
    return {
      file: { draft: drafts.file, published: drafts.file },
      database: { draft: drafts.database, published: drafts.database },
      conflicts: draftConflicts,
    };
  const published = mergePublished(
    model,
    type,
    { base: base?.published, file: file.published, database: database.published },
    base?.draft,
  );
  return {
    file: joinVersions(drafts.file, published.file),
    database: joinVersions(drafts.database, published.database),
    conflicts: [
      ...draftConflicts,
      ...published.conflicts.map((path): Conflict => ({ version: 'published', path })),
    ],
  };
}
