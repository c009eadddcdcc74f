import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import type { RecordText } from '../../../documents/documents.js';
import type { FileReadOptions } from '../../../media/file-records.js';
import { defaultSelection } from '../../../query/parse/default-selection.js';
import type { RestDependencies } from '../rest-dependencies.js';

const SIGNED = ',"isUrlSigned":true}';

/** Returns the options that read a whole record. */
export function wholeFile({ model, access }: RestDependencies): FileReadOptions {
  return { selection: defaultSelection(model, FILE_UID), locale: access.locales.defaultCode() };
}

/**
 * Prints a record without an envelope. Strapi's clients read in `isUrlSigned` whether its URLs expire; only
 * those of private providers do, which have been signed by then.
 */
export function printFile(record: RecordText): string {
  return record.endsWith(SIGNED) ? record : `${record.slice(0, -1)},"isUrlSigned":false}`;
}

/** Prints a list without an envelope. */
export function printFiles(records: readonly RecordText[]): string {
  return `[${records.map(printFile).join(',')}]`;
}
