import { FILE_UID } from '../../content-types/builtin/registry.js';
import type { RecordText } from '../../documents/documents.js';
import { fail } from '../../errors/catalogue.js';
import type { ReadQuery } from '../../query/query.js';
import { defaultSelection } from '../../query/default-selection.js';
import type { RestParts } from '../rest-parts.js';

/** The records of some files, whole, in ascending order of their ids. */
export async function readFiles({ model, documents, access }: RestParts, ids: readonly number[]): Promise<readonly RecordText[]> {
  const query: ReadQuery = {
    type: FILE_UID,
    filter: { kind: 'compare', field: 'id', operator: '$in', operand: ids },
    sort: [{ path: ['id'], direction: 'asc' }],
    selection: defaultSelection(model, FILE_UID),
    page: null,
    locale: access.locales.defaultCode(),
    status: 'published',
    hasPublishedVersion: null,
  };
  return (await documents.findMany(query)).records;
}

/** The record of one file. Throws `request/not-found`. */
export async function readFile(parts: RestParts, id: number): Promise<RecordText> {
  const [record] = await readFiles(parts, [id]);
  if (record === undefined) throw fail('request/not-found');
  return record;
}

/** A bare record. Clients look here for whether its addresses carry a signature that expires; they never do. */
export function printFile(record: RecordText): string {
  return `${record.slice(0, -1)},"isUrlSigned":false}`;
}

/** A bare list. */
export function printFiles(records: readonly RecordText[]): string {
  return `[${records.map(printFile).join(',')}]`;
}
