import { assertNever } from '../lib/assert-never.js';
import type { Attribute, AttributeHolder, ContentModel, Uid } from '../model/model.js';
import type { ReadContext } from './read-context.js';
import { coveredType } from './coverage.js';
import { refuse, typeOf } from './read-context.js';

/** The component of that uid, or undefined. */
export function componentOf(model: ContentModel, uid: Uid): AttributeHolder | undefined {
  return Object.hasOwn(model.componentsByUid, uid) ? model.componentsByUid[uid] : undefined;
}

/**
 * Whose fields `filters` and `sort` name next, behind a relation, media or component attribute.
 * Refuses what has no single kind of target, and relations whose target the caller may not find. Media are part of what holds them,
 * readable with it.
 */
export function openAttribute(context: ReadContext, attribute: Attribute, path: string): AttributeHolder {
  switch (attribute.family) {
    case 'component': {
      const component = componentOf(context.model, attribute.component);
      if (component === undefined) throw refuse(path, 'its component is gone.');
      return component;
    }
    case 'media': return typeOf(context.model, attribute.target);
    case 'relation': {
      if (attribute.target === null) throw refuse(path, 'a polymorphic relation can neither be filtered nor sorted by.');
      if (!context.access.canFind(attribute.target)) throw refuse(path, `this needs the find permission on ${attribute.target}.`);
      return coveredType(context, attribute.target);
    }
    case 'dynamiczone': throw refuse(path, 'a dynamic zone can neither be filtered nor sorted by.');
    case 'scalar': throw refuse(path, 'it has no fields of its own.');
    default: return assertNever(attribute, 'attribute family');
  }
}
