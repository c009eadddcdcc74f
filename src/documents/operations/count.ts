import type { ReadQuery } from '../../query/query.js';
import type { DocumentContext } from '../document-context.js';

/** How many versions the query selects, whatever its page. */
export async function count({ records }: DocumentContext, query: ReadQuery): Promise<number> {
  return records.count(query);
}
