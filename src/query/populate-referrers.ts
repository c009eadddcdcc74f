import type { Attribute, ContentType, Uid } from '../model/model.js';
import { coveredType, coverage } from './coverage.js';
import { readableAttribute } from './holder-fields.js';
import type { FilterNode, ReferrersPopulate, Selection } from './query.js';
import type { ReadContext } from './read-context.js';

const NOTHING: Selection = { fields: [], populate: [] };

const isLinkTo = (uid: Uid, type: ContentType, attribute: Attribute): boolean =>
  attribute.family === 'media' && attribute.target === uid && attribute.link !== null && readableAttribute(type, attribute.name) !== null;

/**
 * The documents that show a file, as far as the caller may find them and the attributes that link it; null where there is no such type.
 * What is selected of each is left to the caller.
 */
export function populateReferrers(context: ReadContext, target: Uid, entry: { readonly attribute: string; readonly key: string }): ReferrersPopulate | null {
  const { model, access } = context;
  const on: Record<Uid, Selection> = {};
  const through: Record<Uid, readonly string[]> = {};
  const filters: Record<Uid, FilterNode> = {};
  for (const { uid } of model.types.filter((type) => access.canFind(type.uid))) {
    const type = coveredType(context, uid);
    const names = Object.values(type.attributes).filter((attribute) => isLinkTo(target, type, attribute)).map(({ name }) => name);
    if (names.length === 0) continue;
    context.spend();
    const filter = coverage(context, uid)?.filter ?? null;
    on[uid] = NOTHING;
    through[uid] = names;
    if (filter !== null) filters[uid] = filter;
  }
  return Object.keys(on).length === 0 ? null : { kind: 'referrers', ...entry, on, through, filters };
}
