import { NO_LOCALE } from '../../model/model.js';
import type { Uid } from '../../model/model.js';
import type { ReadQuery, Selection } from '../query.js';

/** Parts of a {@link publishedQuery} that most readers leave out. */
export type PublishedQueryOptions = Partial<Pick<ReadQuery, 'filter' | 'sort' | 'locale'>>;

/**
 * Returns the query with which the server itself reads published records of a type: without a page, and
 * without a filter, sort order or locale unless the options give one.
 */
export function publishedQuery(
  type: Uid,
  selection: Selection,
  options: PublishedQueryOptions = {},
): ReadQuery {
  return {
    type,
    filter: null,
    sort: [],
    selection,
    page: null,
    locale: NO_LOCALE,
    status: 'published',
    hasPublishedVersion: null,
    ...options,
  };
}
