import type { ContentRename } from '../../migrations/content/content-decisions.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { settingsOf } from '../schema/describe-schema.js';
import type { Style } from '../terminal/terminal.js';
import { countNoun } from '../../lib/text.js';

/** The maximum number of printed attributes of a new content-type. */
const MAX_ATTRIBUTES = 4;
const MAX_LINES = 12;

const isType = (schema: ContentSchema): schema is ContentType => 'pluralName' in schema;

/** Renamed types and components, by the old uid. */
const renamedSchemas = (renames: readonly ContentRename[]): ReadonlyMap<string, string> =>
  new Map(
    renames.flatMap(({ kind, from, to }) => (kind === 'type' || kind === 'component' ? [[from, to]] : [])),
  );

/** Renamed attributes, by the old name. Only renames whose names occur in one schema each. */
const renamedAttributes = (
  before: ContentSchema,
  after: ContentSchema,
  renames: readonly ContentRename[],
): ReadonlyMap<string, string> => {
  const hasOnly = ({ attributes }: ContentSchema, name: string, other: string): boolean =>
    attributes[name] !== undefined && attributes[other] === undefined;
  return new Map(
    renames.flatMap((rename) => {
      const { from, to } = rename;
      if (rename.kind === 'type' || rename.kind === 'component') return [];
      const owner = rename.kind === 'attribute' ? rename.type : rename.component;
      const isOfSchema = owner === before.uid || owner === after.uid;
      return isOfSchema && hasOnly(after, to, from) && before.attributes[to] === undefined
        ? [[from, to]]
        : [];
    }),
  );
};

const schemasOf = ({ types, components }: ContentModel): ReadonlyMap<string, ContentSchema> =>
  new Map([...types, ...components].map((schema) => [schema.uid, schema]));

/** `article`, or `shared.seo` for a component. */
const shortName = (schema: ContentSchema): string => (isType(schema) ? schema.singularName : schema.uid);

/**
 * True for attributes of the project. Those of built-in types follow from other types, except those that a
 * project adds to users.
 */
const isOfProject = (schema: ContentSchema): boolean => !isType(schema) || schema.origin !== 'builtin';

const printAdded = (schema: ContentSchema): string => {
  const texts = Object.values(schema.attributes).map(({ name, type }) => `${name} ${type}`);
  const more = texts.length > MAX_ATTRIBUTES ? [`${texts.length - MAX_ATTRIBUTES} more`] : [];
  const attributes = [...texts.slice(0, MAX_ATTRIBUTES), ...more].join(', ');
  return `+ ${shortName(schema)}${attributes === '' ? '' : ` (${attributes})`}`;
};

const schemaOptions = (schema: ContentSchema): readonly string[] =>
  isType(schema)
    ? [
        schema.kind === 'singleType' ? 'single' : 'collection',
        `/${schema.kind === 'singleType' ? schema.singularName : schema.pluralName}`,
        schema.draftAndPublish ? 'drafts' : 'no drafts',
        schema.localized ? 'localized' : 'not localized',
      ]
    : [];

/** `required, maxLength 140 (was maxLength 120)`. Undefined if nothing differs. */
const printDifference = (before: readonly string[], after: readonly string[]): string | undefined => {
  const added = after.filter((text) => !before.includes(text));
  const removed = before.filter((text) => !after.includes(text));
  if (removed.length === 0) return added.length === 0 ? undefined : added.join(', ');
  return added.length === 0
    ? `no longer ${removed.join(', ')}`
    : `${added.join(', ')} (was ${removed.join(', ')})`;
};

const changeOfAttribute = (place: string, before: Attribute, after: Attribute): readonly string[] => {
  if (before.type !== after.type) return [`~ ${place} ${before.type} → ${after.type}`];
  const difference = printDifference(settingsOf(before), settingsOf(after));
  return difference === undefined ? [] : [`~ ${place} ${after.type}: ${difference}`];
};

const changesOfAttributes = (
  before: ContentSchema,
  after: ContentSchema,
  renames: readonly ContentRename[],
): readonly string[] => {
  const place = (name: string): string => `${shortName(after)}.${name}`;
  const printed = ({ name, type }: Attribute): string => `${place(name)} ${type}`;
  const renamed = renamedAttributes(before, after, renames);
  const oldNames = new Map([...renamed].map(([from, to]) => [to, from]));
  const removed = Object.values(before.attributes).filter(
    ({ name }) => after.attributes[name] === undefined && !renamed.has(name),
  );
  const changesOf = (attribute: Attribute): readonly string[] => {
    const { name } = attribute;
    const oldName = oldNames.get(name);
    const previous = before.attributes[oldName ?? name];
    if (previous === undefined) return [`+ ${printed(attribute)}`];
    const isRenamed = oldName === undefined ? [] : [`~ ${place(oldName)} → ${name}`];
    return [...isRenamed, ...(isOfProject(after) ? changeOfAttribute(place(name), previous, attribute) : [])];
  };
  return [
    ...removed.map((attribute) => `- ${printed(attribute)}`),
    ...Object.values(after.attributes).flatMap(changesOf),
  ];
};

const changesOfSchema = (
  before: ContentSchema,
  after: ContentSchema,
  renames: readonly ContentRename[],
): readonly string[] => {
  const difference = printDifference(schemaOptions(before), schemaOptions(after));
  return [
    ...(before.uid === after.uid ? [] : [`~ ${shortName(before)} → ${shortName(after)}`]),
    ...(difference === undefined ? [] : [`~ ${shortName(after)}: ${difference}`]),
    ...changesOfAttributes(before, after, renames),
  ];
};

const COLORS: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  '+': 'green',
  '-': 'red',
  '~': 'yellow',
};

const paint = (line: string, style: Style): string => {
  const color = COLORS[line.charAt(0)];
  return color === undefined ? line : style[color](line.charAt(0)) + line.slice(1);
};

/** Two content models, and all renames up to the later one. */
export interface ModelChange {
  readonly before: ContentModel;
  readonly after: ContentModel;
  readonly renames: readonly ContentRename[];
}

/**
 * Lists the differences between two content models, one line each: `+ recipe.source string`,
 * `- recipe.source string`, `~ recipe.source string → text`, `~ recipe.source → origin`.
 */
export function describeChanges({ before, after, renames }: ModelChange, style: Style): readonly string[] {
  const [earlier, later] = [schemasOf(before), schemasOf(after)];
  const renamed = renamedSchemas(renames);
  const oldUids = new Map([...renamed].map(([from, to]) => [to, from]));
  const removed = [...earlier.values()].filter(({ uid }) => !later.has(renamed.get(uid) ?? uid));
  const lines = [
    ...removed.map((schema) => `- ${shortName(schema)}`),
    ...[...later.values()].flatMap((schema) => {
      const previous = earlier.get(schema.uid) ?? earlier.get(oldUids.get(schema.uid) ?? '');
      return previous === undefined ? [printAdded(schema)] : changesOfSchema(previous, schema, renames);
    }),
  ];
  const more =
    lines.length > MAX_LINES ? [`… and ${countNoun(lines.length - MAX_LINES, 'more change')}`] : [];
  return [...lines.slice(0, MAX_LINES).map((line) => paint(line, style)), ...more];
}
