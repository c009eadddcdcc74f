import { USER_UID } from '../../../model/content-types/builtin/registry.js';
import { typeOf } from '../../../model/lookup.js';
import type { ContentModel } from '../../../model/model.js';
import type { Entry } from '../plugin-host.js';

/** Returns a user without private attributes and without what refers to other types. */
export function toPublicUser(model: ContentModel, user: Entry): Readonly<Record<string, unknown>> {
  const { attributes, privateFields } = typeOf(model, USER_UID);
  return Object.fromEntries(
    Object.entries(user).filter(([name]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      if (attribute === undefined) return !privateFields.includes(name);
      return attribute.family === 'scalar' && !attribute.private;
    }),
  );
}
