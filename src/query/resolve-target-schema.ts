import { assertNever } from '../lib/assert-never.js';
import { componentOf, typeOf } from '../model/lookup.js';
import type { Attribute, ContentSchema, ContentModel, Uid } from '../model/model.js';
import type { ReadContext } from './read-context.js';
import { typeInScope } from './access-scope.js';
import { invalidParameter } from './read-context.js';

/** Returns the component with a uid that a client sent, if there is one. */
export function findComponent(model: ContentModel, uid: Uid): ContentSchema | undefined {
  return Object.hasOwn(model.componentsByUid, uid) ? model.componentsByUid[uid] : undefined;
}

/**
 * Returns the schema whose fields `filters` and `sort` may name below an attribute. Media need no permission
 * of their own.
 *
 * @throws `request/invalid-parameter` if the attribute has no single target schema, or if the caller may not
 *   find the target
 */
export function resolveTargetSchema(context: ReadContext, attribute: Attribute, path: string): ContentSchema {
  switch (attribute.family) {
    case 'component':
      return componentOf(context.model, attribute.component);
    case 'media':
      return typeOf(context.model, attribute.target);
    case 'relation': {
      if (attribute.target === null)
        throw invalidParameter(path, 'polymorphic relations cannot be used in filters or sort.');
      if (!context.access.canFind(attribute.target))
        throw invalidParameter(path, `this needs the find permission on ${attribute.target}.`);
      return typeInScope(context, attribute.target);
    }
    case 'dynamiczone':
      throw invalidParameter(path, 'dynamic zones cannot be used in filters or sort.');
    case 'scalar':
      throw invalidParameter(path, 'it has no fields of its own.');
    default:
      return assertNever(attribute, 'attribute family');
  }
}
