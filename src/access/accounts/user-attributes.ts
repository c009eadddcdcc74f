import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, ScalarAttribute } from '../../model/model.js';

/** Returns the content-type of users. */
export function userType(model: ContentModel): ContentType {
  return typeOf(model, USER_UID);
}

/** Returns the attributes of users that conditions of permissions may refer to as `$user.name`. */
export function userAttributes(model: ContentModel): readonly ScalarAttribute[] {
  return Object.values(userType(model).attributes).filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.family === 'scalar' &&
      !attribute.private &&
      attribute.field.filterable &&
      attribute.column.kind !== 'json',
  );
}
