import { getOrCreate } from '../../../lib/memoize.js';
import type { Attribute, ContentSchema } from '../../../model/model.js';

/** An attribute with the type or component that has it. */
export interface OwnedAttribute<OneAttribute extends Attribute> {
  readonly contentSchema: ContentSchema;
  readonly attribute: OneAttribute;
}

/** Memoizes by the attribute alone: attribute objects are unique in a model. */
export function memoizeByAttribute<OneAttribute extends Attribute, Value>(
  create: (ownedAttribute: OwnedAttribute<OneAttribute>) => Value,
): (contentSchema: ContentSchema, attribute: OneAttribute) => Value {
  const cache = new Map<OneAttribute, Value>();
  return (contentSchema, attribute) =>
    getOrCreate(cache, attribute, () => create({ contentSchema, attribute }));
}
