import type { Attribute, ContentType, Uid } from '../../model/model.js';
import { typeInScope } from '../access-scope.js';
import { readableAttribute } from '../schema-fields.js';
import type { ReferrersPopulate, Selection } from '../query.js';
import type { ReadContext } from '../read-context.js';

const EMPTY_SELECTION: Selection = { fields: [], populate: [] };

const isLinkTo = (uid: Uid, type: ContentType, attribute: Attribute): boolean =>
  attribute.family === 'media' &&
  attribute.target === uid &&
  attribute.link !== null &&
  readableAttribute(type, attribute.name) !== null;

/**
 * Returns the node for the documents that link a file, restricted to types and attributes that the caller may
 * see; null if there are none. The caller fills in the selections and filters.
 */
export function populateReferrers(
  context: ReadContext,
  target: Uid,
  entry: { readonly attribute: string; readonly key: string },
): ReferrersPopulate | null {
  const { model, access } = context;
  const on: Record<Uid, Selection> = {};
  const mediaAttributes: Record<Uid, readonly string[]> = {};
  for (const { uid } of model.types.filter((type) => access.canFind(type.uid))) {
    const type = typeInScope(context, uid);
    const names = Object.values(type.attributes)
      .filter((attribute) => isLinkTo(target, type, attribute))
      .map(({ name }) => name);
    if (names.length === 0) continue;
    on[uid] = EMPTY_SELECTION;
    mediaAttributes[uid] = names;
  }
  return Object.keys(on).length === 0
    ? null
    : { kind: 'referrers', ...entry, on, mediaAttributes, filters: {} };
}
