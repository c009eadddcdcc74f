import { isRecord } from '../../lib/records.js';
import type { Attribute, ContentModel, ContentSchema, Uid } from '../../model/model.js';

/** A renamed type, component or attribute. Owners are named by their uid before the migration. */
export type ContentRename =
  | { readonly kind: 'type'; readonly from: Uid; readonly to: Uid }
  | { readonly kind: 'component'; readonly from: Uid; readonly to: Uid }
  | { readonly kind: 'attribute'; readonly type: Uid; readonly from: string; readonly to: string }
  | {
      readonly kind: 'component-attribute';
      readonly component: Uid;
      readonly from: string;
      readonly to: string;
    };

/**
 * The user's decisions about stored values. Keys are the uid of the content-type or component after the
 * migration and the attribute's name after it: `api::article.article.price`, `shared.seo.title`.
 */
export interface ContentDecisions {
  readonly renames: readonly ContentRename[];
  /** Expressions of the new value: SQL, or TypeScript after `ts:`. `value` stands for the old one. */
  readonly convert: Readonly<Record<string, string>>;
  /** The value for versions and items that have none. */
  readonly set: Readonly<Record<string, unknown>>;
  /** New values of an enumeration, by the old ones. */
  readonly map: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Attributes whose default fills existing versions and items that have no value. */
  readonly useDefaults: readonly string[];
}

/** The decisions that a plan is made with. */
export interface PlannedDecisions extends ContentDecisions {
  /** True if TypeScript conversions yield the old values, which fill their tables. */
  readonly collectsOldValues?: boolean;
}

export const NO_DECISIONS: ContentDecisions = Object.freeze({
  renames: [],
  convert: {},
  set: {},
  map: {},
  useDefaults: [],
});

/** True if the user has decided nothing. */
export const isUndecided = ({ renames, convert, set, map, useDefaults }: ContentDecisions): boolean =>
  renames.length +
    useDefaults.length +
    [convert, set, map].flatMap((record) => Object.keys(record)).length ===
  0;

const isText = (value: unknown): value is string => typeof value === 'string';

const isTextRecord = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText);

const isContentRename = (value: unknown): value is ContentRename =>
  isRecord(value) &&
  isText(value['from']) &&
  isText(value['to']) &&
  (value['kind'] === 'type' ||
    value['kind'] === 'component' ||
    (value['kind'] === 'attribute' && isText(value['type'])) ||
    (value['kind'] === 'component-attribute' && isText(value['component'])));

/** True if a value read from a migration's header has the shape of decisions. */
export const isContentDecisions = (value: unknown): value is ContentDecisions =>
  isRecord(value) &&
  Array.isArray(value['renames']) &&
  value['renames'].every(isContentRename) &&
  isTextRecord(value['convert']) &&
  isRecord(value['set']) &&
  isRecord(value['map']) &&
  Object.values(value['map']).every(isTextRecord) &&
  Array.isArray(value['useDefaults']) &&
  value['useDefaults'].every(isText);

/** True if values of one attribute could be values of the other as they are. */
const haveSameValues = (left: Attribute, right: Attribute): boolean => {
  if (left.family !== right.family) return false;
  if (left.family === 'scalar') return right.family === 'scalar' && left.column.kind === right.column.kind;
  if (left.family === 'component')
    return (
      right.family === 'component' &&
      left.component === right.component &&
      left.repeatable === right.repeatable
    );
  if (left.family === 'dynamiczone' || right.family === 'dynamiczone') return true;
  return 'target' in right && left.target === right.target && left.many === right.many;
};

/** True if the attribute stores values. The inverse side of a relation does not. */
const isStored = (attribute: Attribute): boolean => !('side' in attribute) || attribute.side !== 'inverse';

const attributesOnlyIn = (schema: ContentSchema, other: ContentSchema): readonly Attribute[] =>
  Object.values(schema.attributes).filter(
    (attribute) => isStored(attribute) && !Object.hasOwn(other.attributes, attribute.name),
  );

/** The share of attributes that two schemas have in common, from 0 to 1. */
const similarity = (left: ContentSchema, right: ContentSchema): number => {
  const names = new Set([...Object.keys(left.attributes), ...Object.keys(right.attributes)]);
  const shared = [...names].filter((name) => {
    const [old, current] = [left.attributes[name], right.attributes[name]];
    return old !== undefined && current !== undefined && haveSameValues(old, current);
  });
  return names.size === 0 ? 0 : shared.length / names.size;
};

/** Schemas that are less similar are not candidates. */
const MIN_SIMILARITY = 0.6;

const onlyIn = <S extends ContentSchema>(schemas: readonly S[], others: readonly S[]): readonly S[] =>
  schemas.filter(({ uid }) => !others.some((other) => other.uid === uid));

const schemaRenames = (
  kind: 'type' | 'component',
  before: readonly ContentSchema[],
  after: readonly ContentSchema[],
): readonly ContentRename[] =>
  onlyIn(before, after).flatMap((removed) =>
    onlyIn(after, before)
      .filter((added) => similarity(removed, added) >= MIN_SIMILARITY)
      .toSorted((left, right) => similarity(removed, right) - similarity(removed, left))
      .map((added): ContentRename => ({ kind, from: removed.uid, to: added.uid })),
  );

const attributeRenames = (
  before: readonly ContentSchema[],
  after: readonly ContentSchema[],
  rename: (schema: ContentSchema, from: string, to: string) => ContentRename,
): readonly ContentRename[] =>
  before.flatMap((schema) => {
    const next = after.find(({ uid }) => uid === schema.uid);
    if (next === undefined) return [];
    return attributesOnlyIn(schema, next).flatMap((removed) =>
      attributesOnlyIn(next, schema)
        .filter((added) => haveSameValues(removed, added))
        .map((added) => rename(schema, removed.name, added.name)),
    );
  });

/**
 * Finds changes that may be renames: a removed type or component and a similar added one, the most similar
 * first, or an attribute removed from a schema and a similar one added to it. These are suggestions to ask
 * the user about. Several may concern the same schema or attribute, and all may be wrong.
 */
export function findRenameCandidates(before: ContentModel, after: ContentModel): readonly ContentRename[] {
  return [
    ...schemaRenames('type', before.types, after.types),
    ...attributeRenames(before.types, after.types, ({ uid: type }, from, to) => ({
      kind: 'attribute',
      type,
      from,
      to,
    })),
    ...schemaRenames('component', before.components, after.components),
    ...attributeRenames(before.components, after.components, ({ uid: component }, from, to) => ({
      kind: 'component-attribute',
      component,
      from,
      to,
    })),
  ];
}
