import type { IdentifiedFile } from './resolve-files.js';
import type { StoredContent } from './stored-content.js';
import type { Data } from './version-data.js';

/** What the files say of one document in one locale, and what the database says. */
export interface Unit {
  /** The file that messages are about. */
  readonly file: IdentifiedFile;
  readonly locale: string | null;
  readonly draft: Data;
  /** Null: not published. The draft itself where both are the same. */
  readonly published: Data | null;
  /** Null: not in the database yet. */
  readonly current: StoredContent | null;
  /** Whether this is the first of a document that the database does not have in any locale. */
  readonly isNewDocument: boolean;
}
