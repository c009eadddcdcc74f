import type { Selection } from '../query.js';
import type { QueryLimits } from '../read-params.js';

/** Limits how many records a query with that selection may read. */
export function withRecordLimit({ maxRecords }: QueryLimits, selection: Selection): Selection {
  return maxRecords === undefined ? selection : Object.assign({}, selection, { maxRecords });
}
