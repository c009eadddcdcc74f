import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import type { ContentRename } from './content-decisions.js';

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

/** The inverse side of a relation holds nothing to be kept. */
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

/** Schemas that are less similar are no candidates. */
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
 * first, or an attribute removed from a schema and an alike one added to it. These are suggestions to ask the
 * user about. Several may concern the same schema or attribute, and all may be wrong.
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
