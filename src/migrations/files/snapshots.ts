import { LRUCache } from 'lru-cache';
import { createError } from '../../errors/catalogue.js';
import { byCodePoint } from '../../lib/text.js';
import { deepFreeze, isRecord } from '../../lib/records.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { buildModel } from '../../model/build-model.js';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
} from '../../model/content-types/definition.js';
import type { ContentModel } from '../../model/model.js';

/** The schema after a migration, and the migration it was planned after. */
export interface SchemaSnapshot {
  /** The name of the previous migration. Null if it was the first. */
  readonly parent: string | null;
  readonly text: string;
}

export const CONTENT_SNAPSHOT_FILE = 'content-types.snapshot';

const NOTICE =
  '// The schema after this migration. The next one is worked out from it; Prisma does not read it.';
const HEADER_PATTERN = /^\/\/[^\n]*\n\/\/ After: ([^\n]*)\n\n/;
const NO_PARENT = 'nothing';

export function printSnapshot({ parent, text }: SchemaSnapshot): string {
  return `${NOTICE}\n// After: ${parent ?? NO_PARENT}\n\n${text}`;
}

/** @throws SyntaxError if the first lines are not those that {@link printSnapshot} writes */
export function parseSnapshot(file: string): SchemaSnapshot {
  const text = file.replaceAll('\r\n', '\n');
  const [header, parent] = HEADER_PATTERN.exec(text) ?? [];
  if (header === undefined || parent === undefined)
    throw new SyntaxError('the first lines of the schema snapshot are missing');
  return { parent: parent === NO_PARENT ? null : parent, text: text.slice(header.length) };
}

type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The content-types and components after a migration, by uid, each with its attributes by name. Files, lines
 * and descriptions are left out, since they do not affect stored values.
 */
export interface ContentSnapshot {
  readonly types: Entries;
  readonly components: Entries;
}

/** The content-types before the first migration. */
export const EMPTY_CONTENT: ContentSnapshot = Object.freeze({ types: {}, components: {} });

/** Options that do not affect stored values. */
const IRRELEVANT_OPTIONS: ReadonlySet<string> = new Set([
  'private',
  'configurable',
  'options',
  'index',
  'search',
]);

const attributesOf = (attributes: readonly AttributeDefinition[]): Entries =>
  Object.fromEntries(
    attributes.map(({ name, type, options }) => [
      name,
      {
        ...Object.fromEntries(Object.entries(options).filter(([key]) => !IRRELEVANT_OPTIONS.has(key))),
        type,
      },
    ]),
  );

const sortedByUid = <T extends { readonly uid: string }>(schemas: readonly T[]): readonly T[] =>
  schemas.toSorted((left, right) => byCodePoint(left.uid, right.uid));

/** Returns the snapshot of a project's definitions. */
export function contentSnapshotOf({
  types,
  components,
}: Pick<Definitions, 'types' | 'components'>): ContentSnapshot {
  return {
    types: Object.fromEntries(
      sortedByUid(types).map((type) => [
        type.uid,
        {
          origin: type.origin,
          kind: type.kind,
          collectionName: type.collectionName,
          singularName: type.singularName,
          pluralName: type.pluralName,
          draftAndPublish: type.draftAndPublish,
          localized: type.localized,
          attributes: attributesOf(type.attributes),
        },
      ]),
    ),
    components: Object.fromEntries(
      sortedByUid(components).map(({ uid, attributes }) => [uid, { attributes: attributesOf(attributes) }]),
    ),
  };
}

const withoutDefault = ({ default: _default, ...options }: Readonly<Record<string, unknown>>) => options;

const withoutDefaultsIn = (entries: Entries): Entries =>
  Object.fromEntries(
    Object.entries(entries).map(([uid, { attributes, ...schema }]) => [
      uid,
      {
        ...schema,
        attributes: Object.fromEntries(
          Object.entries(record(attributes)).map(([name, options]) => [
            name,
            withoutDefault(record(options)),
          ]),
        ),
      },
    ]),
  );

/** Returns the snapshot without defaults, which affect stored values only if the user asks for them. */
export function withoutDefaults({ types, components }: ContentSnapshot): ContentSnapshot {
  return { types: withoutDefaultsIn(types), components: withoutDefaultsIn(components) };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const toAttributes = (value: unknown): readonly AttributeDefinition[] =>
  Object.entries(record(value)).map(([name, options]) => ({
    name,
    type: text(record(options)['type']),
    options: record(options),
    line: 1,
    optionLines: {},
  }));

const toType = ([uid, type]: [string, Readonly<Record<string, unknown>>]): ContentTypeDefinition => ({
  uid,
  origin: type['origin'] === 'builtin' ? 'builtin' : 'project',
  kind: type['kind'] === 'singleType' ? 'singleType' : 'collectionType',
  file: null,
  collectionName: text(type['collectionName']),
  singularName: text(type['singularName']),
  pluralName: text(type['pluralName']),
  displayName: text(type['singularName']),
  description: '',
  draftAndPublish: type['draftAndPublish'] === true,
  localized: type['localized'] === true,
  options: {},
  pluginOptions: {},
  attributes: toAttributes(type['attributes']),
  indexes: [],
  nameLines: {},
});

const toComponent = ([uid, component]: [string, Readonly<Record<string, unknown>>]): ComponentDefinition => {
  const [category = '', name = ''] = uid.split('.');
  return {
    uid,
    category,
    name,
    file: '',
    displayName: name,
    description: '',
    options: {},
    attributes: toAttributes(component['attributes']),
  };
};

const buildSnapshot = memoizeWeakly(({ types, components }: ContentSnapshot) =>
  buildModel({
    types: Object.entries(types).map(toType),
    components: Object.entries(components).map(toComponent),
    problems: [],
    unreadable: [],
  }),
);

/**
 * Rebuilds the content model of a snapshot.
 *
 * @throws `migration/unreadable` if a snapshot does not describe a valid model
 */
export function modelOfSnapshot(name: string, snapshot: ContentSnapshot): ContentModel {
  const { model, problems } = buildSnapshot(snapshot);
  if (model !== null) return model;
  const reason = problems.map(({ message }) => message).join('; ');
  throw createError('migration/unreadable', { name, file: CONTENT_SNAPSHOT_FILE, reason });
}

export function printContentSnapshot(snapshot: ContentSnapshot): string {
  return `${JSON.stringify(snapshot, null, 2)}\n`;
}

/** Parsed snapshots. A command reads the last migrations several times, and building a model takes long. */
const parsed = new LRUCache<string, ContentSnapshot>({ max: 4 });

/** @throws SyntaxError if the text is not a snapshot */
export function parseContentSnapshot(file: string): ContentSnapshot {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const value: unknown = JSON.parse(file);
  if (!isRecord(value) || !isRecord(value['types']) || !isRecord(value['components']))
    throw new SyntaxError('the content snapshot is damaged');
  const snapshot = deepFreeze(value as unknown as ContentSnapshot);
  parsed.set(file, snapshot);
  return snapshot;
}

/** Returns the snapshot as it is read from its file, so that it can be compared with others. */
export function asRecorded(snapshot: ContentSnapshot): ContentSnapshot {
  return parseContentSnapshot(printContentSnapshot(snapshot));
}

/** Applies the changes from `base` to `theirs` to `ours`, entry by entry. */
const mergeRecords = (
  base: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const merged: Record<string, unknown> = { ...ours };
  for (const key of Object.keys(base)) if (!Object.hasOwn(theirs, key)) delete merged[key];
  for (const [key, value] of Object.entries(theirs)) {
    if (JSON.stringify(base[key]) === JSON.stringify(value)) continue;
    const current = ours[key];
    merged[key] =
      isRecord(current) && isRecord(value) ? mergeRecords(record(base[key]), current, value) : value;
  }
  return merged;
};

/** Merges two snapshots that both derive from `base`. If both changed the same option, `theirs` wins. */
export function mergeContentSnapshots(
  base: ContentSnapshot,
  ours: ContentSnapshot,
  theirs: ContentSnapshot,
): ContentSnapshot {
  return mergeRecords({ ...base }, { ...ours }, { ...theirs }) as unknown as ContentSnapshot;
}
