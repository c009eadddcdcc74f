import type { FilterNode, ReadQuery } from '../query.js';

type Filtered = Pick<ReadQuery, 'filter'>;

/** Returns the query with another condition that every document has to meet. */
export function restrict<Query extends Filtered>(
  query: Query,
  condition: FilterNode,
): Query & { readonly filter: FilterNode } {
  return {
    ...query,
    filter: query.filter === null ? condition : { kind: 'and', items: [condition, query.filter] },
  };
}

/** Returns the query restricted to one document. */
export function narrowToDocument<Query extends Filtered>(
  query: Query,
  documentId: string,
): Query & { readonly filter: FilterNode } {
  return restrict(query, { kind: 'compare', field: 'documentId', operator: '$eq', operand: documentId });
}
