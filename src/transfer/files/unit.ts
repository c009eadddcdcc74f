import type { IdentifiedFile } from './resolve-files.js';
import type { StoredContent } from './stored-content.js';
import type { Data } from './version-data.js';

/** Content of one document in one locale, in the files and in the database. */
export interface Unit {
  /** The file that messages are about. */
  readonly file: IdentifiedFile;
  readonly locale: string | null;
  readonly draft: Data;
  /** Null: not published. The same object as the draft if both are equal. */
  readonly published: Data | null;
  /** Null: not in the database yet. */
  readonly current: StoredContent | null;
  /** True if this is the first of a document that the database does not have in any locale. */
  readonly isNewDocument: boolean;
}
