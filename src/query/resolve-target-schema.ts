import { assertNever } from '../lib/assert-never.js';
import { componentOf, typeOf } from '../model/lookup.js';
import type { Attribute, ContentSchema, ContentModel, ContentType, Uid } from '../model/model.js';
import { typeInScope } from './access-scope.js';
import { invalidParameter } from './read-context.js';
import type { QueryLocation, ReadContext } from './read-context.js';
import { isLocalizations } from './schema-fields.js';

/** Returns the component with a uid that a client sent, if there is one. */
export function findComponent(model: ContentModel, uid: Uid): ContentSchema | undefined {
  return Object.hasOwn(model.componentsByUid, uid) ? model.componentsByUid[uid] : undefined;
}

const visibleType = (context: ReadContext, uid: Uid, path: string): ContentType => {
  if (!context.access.canFind(uid)) throw invalidParameter(path, `this needs the find permission on ${uid}.`);
  return typeInScope(context, uid);
};

/**
 * Returns the type whose fields `filters` and `sort` may name below `localizations`. Null: the name means
 * something else at that location.
 *
 * @throws `request/invalid-parameter` if the caller may not find the type
 */
export function resolveLocalizations(
  context: ReadContext,
  { schema, path }: QueryLocation,
  name: string,
): ContentType | null {
  return isLocalizations(schema, name) ? visibleType(context, schema.uid, `${path}.${name}`) : null;
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
      return visibleType(context, attribute.target, path);
    }
    case 'dynamiczone':
      throw invalidParameter(path, 'dynamic zones cannot be used in filters or sort.');
    case 'scalar':
      throw invalidParameter(path, 'it has no fields of its own.');
    default:
      return assertNever(attribute, 'attribute family');
  }
}
