import { USER_UID } from '../content-types/builtin/registry.js';
import type { ContentModel, ContentType, ScalarAttribute } from '../model/model.js';

export function userType(model: ContentModel): ContentType {
  const type = model.typesByUid[USER_UID];
  if (type === undefined) throw new TypeError(`The model lacks the built-in type ${USER_UID}.`);
  return type;
}

/** The attributes of users that conditions of permissions may refer to as `$user.name`. */
export function userAttributes(model: ContentModel): readonly ScalarAttribute[] {
  return Object.values(userType(model).attributes).filter(
    (attribute): attribute is ScalarAttribute => attribute.family === 'scalar' && !attribute.private && attribute.field.filterable && attribute.column.kind !== 'json',
  );
}
