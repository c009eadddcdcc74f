import type { Attribute, Component, ContentModel } from '../../model/model.js';
import type { ContentRename } from './content-decisions.js';

/** Whether values of one attribute could be values of the other as they are. */
const haveSameType = (left: Attribute, right: Attribute): boolean => {
  if (left.type !== right.type) return false;
  if (left.family === 'scalar') return true;
  if (left.family === 'component')
    return (
      right.family === 'component' &&
      left.component === right.component &&
      left.repeatable === right.repeatable
    );
  if (left.family === 'dynamiczone' || right.family === 'dynamiczone') return left.family === right.family;
  return 'target' in right && left.target === right.target && left.many === right.many;
};

const attributesOnlyIn = (schema: Component, other: Component): readonly Attribute[] =>
  Object.values(schema.attributes).filter(({ name }) => !Object.hasOwn(other.attributes, name));

/** The share of attributes that two components have in common, from 0 to 1. */
const similarity = (left: Component, right: Component): number => {
  const names = new Set([...Object.keys(left.attributes), ...Object.keys(right.attributes)]);
  const shared = [...names].filter((name) => {
    const [old, current] = [left.attributes[name], right.attributes[name]];
    return old !== undefined && current !== undefined && haveSameType(old, current);
  });
  return names.size === 0 ? 0 : shared.length / names.size;
};

/** Components that are less similar are no candidates. */
const MIN_SIMILARITY = 0.6;

const componentsOnlyIn = (model: ContentModel, other: ContentModel): readonly Component[] =>
  model.components.filter(({ uid }) => !Object.hasOwn(other.componentsByUid, uid));

const componentRenames = (before: ContentModel, after: ContentModel): readonly ContentRename[] =>
  componentsOnlyIn(before, after).flatMap((removed) =>
    componentsOnlyIn(after, before)
      .filter((added) => similarity(removed, added) >= MIN_SIMILARITY)
      .toSorted((left, right) => similarity(removed, right) - similarity(removed, left))
      .map((added): ContentRename => ({ kind: 'component', from: removed.uid, to: added.uid })),
  );

const attributeRenames = (before: ContentModel, after: ContentModel): readonly ContentRename[] =>
  before.components.flatMap((component) => {
    const next = after.componentsByUid[component.uid];
    if (next === undefined) return [];
    return attributesOnlyIn(component, next).flatMap((removed) =>
      attributesOnlyIn(next, component)
        .filter((added) => haveSameType(removed, added))
        .map((added): ContentRename => ({
          kind: 'component-attribute',
          component: component.uid,
          from: removed.name,
          to: added.name,
        })),
    );
  });

/**
 * Finds changes that may be renames: a removed component and a similar added one, the most similar first, or
 * an attribute removed from a component and one of the same type added to it. These are suggestions to ask
 * the user about. Several may concern the same component or attribute, and all may be wrong.
 */
export function findContentRenameCandidates(
  before: ContentModel,
  after: ContentModel,
): readonly ContentRename[] {
  return [...componentRenames(before, after), ...attributeRenames(before, after)];
}
