import { linkAttributeOf, typeOf } from '../model/lookup.js';
import type { ContentModel, ContentType } from '../model/model.js';
import type { Page, Selection } from './query.js';
import type { QueryLimits } from './read-params.js';

/** Limits how many records a query with that selection may read. */
export function withRecordLimit({ maxRecords }: QueryLimits, selection: Selection): Selection {
  return maxRecords === undefined ? selection : Object.assign({}, selection, { maxRecords });
}

/** How many records one record of a selection brings with it at most. */
const recordsWithin = (model: ContentModel, type: ContentType, { populate }: Selection): number =>
  populate.reduce((sum, node) => {
    const attribute = node.kind === 'link' ? linkAttributeOf(type, node.attribute) : null;
    if (attribute === null || attribute.many || attribute.target === null || node.kind !== 'link')
      return Number.POSITIVE_INFINITY;
    return sum + 1 + recordsWithin(model, typeOf(model, attribute.target), node.selection);
  }, 0);

/** Of the limit, what need not be counted. */
const FEW_SHARE = 10;

/** Marks a selection of which a page holds few records, whatever there is. Their texts may be long. */
export function markFewRecords(
  model: ContentModel,
  type: ContentType,
  selection: Selection,
  page: Page | null,
): Selection {
  const { maxRecords, populate } = selection;
  if (maxRecords === undefined || page === null || populate.length === 0) return selection;
  const most = page.limit * (1 + recordsWithin(model, type, selection));
  return most * FEW_SHARE <= maxRecords ? { ...selection, hasFewRecords: true } : selection;
}
