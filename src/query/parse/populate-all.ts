import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import { populatableNames } from '../schema-fields.js';

/**
 * True if files hold an attribute: what can be read as it is written. A relation belongs to the file of the
 * side that owns it, so that it stands in one place.
 */
export function isFileAttribute(attribute: Attribute): boolean {
  if (attribute.private || attribute.type === 'password') return false;
  return attribute.family !== 'relation' || attribute.side === 'owner';
}

/**
 * Returns what reads everything that files hold of a type or component. Components that contain themselves
 * are no part of a model, so that this ends.
 */
export function populateAll(model: ContentModel, schema: ContentSchema): Readonly<Record<string, unknown>> {
  const populateOf = (uid: string): Readonly<Record<string, unknown>> => ({
    populate: populateAll(model, componentOf(model, uid)),
  });
  const entries = Object.values(schema.attributes).flatMap((attribute): (readonly [string, unknown])[] => {
    if (attribute.family === 'scalar' || !isFileAttribute(attribute)) return [];
    if (attribute.family === 'component') return [[attribute.name, populateOf(attribute.component)]];
    if (attribute.family === 'dynamiczone')
      return [
        [
          attribute.name,
          { on: Object.fromEntries(attribute.components.map((uid) => [uid, populateOf(uid)])) },
        ],
      ];
    return [[attribute.name, attribute.target === null ? true : { fields: ['documentId'] }]];
  });
  return Object.fromEntries(entries);
}

type Populate = Readonly<Record<string, unknown>>;

/** Returns what reads the relations and media in components of an attribute, at any depth. */
const populateShownAt = (model: ContentModel, attribute: Attribute | undefined): unknown => {
  const populateOf = (uid: string): Populate => ({ populate: populateShown(model, componentOf(model, uid)) });
  if (attribute?.family === 'component') return populateOf(attribute.component);
  if (attribute?.family === 'dynamiczone')
    return { on: Object.fromEntries(attribute.components.map((uid) => [uid, populateOf(uid)])) };
  return true;
};

/**
 * Returns what reads the relations, media, components and zones of a schema, or those named, for people to
 * see: that of components too.
 */
export function populateShown(
  model: ContentModel,
  schema: ContentSchema,
  names: readonly string[] = populatableNames(schema),
): Populate {
  const attributeOf = (name: string): Attribute | undefined =>
    Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  return Object.fromEntries(names.map((name) => [name, populateShownAt(model, attributeOf(name))]));
}
