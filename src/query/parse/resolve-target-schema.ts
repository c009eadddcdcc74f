import { assertNever } from '../../lib/assert-never.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentSchema, ContentModel, ContentType, Uid } from '../../model/model.js';
import { typeInScope } from '../access-scope.js';
import { invalidKey } from '../read-context.js';
import type { QueryLocation, ReadContext } from '../read-context.js';
import { isLocalizations } from '../schema-fields.js';

/** Returns the component with a uid that a client sent, if there is one. */
export function findComponent(model: ContentModel, uid: Uid): ContentSchema | undefined {
  return Object.hasOwn(model.componentsByUid, uid) ? model.componentsByUid[uid] : undefined;
}

const visibleType = (
  context: ReadContext,
  location: QueryLocation,
  { name, uid }: { readonly name: string; readonly uid: Uid },
): ContentType => {
  if (!context.access.canFind(uid))
    throw invalidKey(location, name, `this needs the find permission on ${uid}.`);
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
  location: QueryLocation,
  name: string,
): ContentType | null {
  const { schema } = location;
  return isLocalizations(schema, name) ? visibleType(context, location, { name, uid: schema.uid }) : null;
}

/**
 * Returns the schema whose fields `filters` and `sort` may name below an attribute of the location. Media
 * need no permission of their own.
 *
 * @throws `request/invalid-parameter` if the attribute has no single target schema, or if the caller may not
 *   find the target
 */
export function resolveTargetSchema(
  context: ReadContext,
  location: QueryLocation,
  attribute: Attribute,
): ContentSchema {
  const { name } = attribute;
  switch (attribute.family) {
    case 'component':
      return componentOf(context.model, attribute.component);
    case 'media':
      return typeInScope(context, attribute.target);
    case 'relation': {
      if (attribute.target === null)
        throw invalidKey(location, name, 'polymorphic relations cannot be used in filters or sort.');
      return visibleType(context, location, { name, uid: attribute.target });
    }
    case 'dynamiczone':
      throw invalidKey(location, name, 'dynamic zones cannot be used in filters or sort.');
    case 'scalar':
      throw invalidKey(location, name, 'it has no fields of its own.');
    default:
      return assertNever(attribute, 'attribute family');
  }
}
