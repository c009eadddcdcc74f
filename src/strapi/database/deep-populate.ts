import { componentOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema } from '../../model/model.js';

/** Populates all that a version consists of: its components at any depth, and the ids of what they link. */
export function deepPopulate(model: ContentModel, schema: ContentSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.values(schema.attributes).flatMap((attribute): readonly (readonly [string, unknown])[] => {
      switch (attribute.family) {
        case 'relation':
          return attribute.side === 'inverse' || attribute.target === null
            ? []
            : [[attribute.name, { fields: ['documentId'] }]];
        case 'media':
          return [[attribute.name, { fields: ['documentId'] }]];
        case 'component': {
          const populate = deepPopulate(model, componentOf(model, attribute.component));
          return [[attribute.name, { populate }]];
        }
        case 'dynamiczone': {
          const on = attribute.components.map((uid) => [
            uid,
            { populate: deepPopulate(model, componentOf(model, uid)) },
          ]);
          return [[attribute.name, { on: Object.fromEntries(on) as unknown }]];
        }
        default:
          return [];
      }
    }),
  );
}
