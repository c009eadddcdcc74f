import type { Transaction } from '../database/database.js';

export type FileValues = Readonly<Record<string, unknown>>;

/** A write of one file, before or after it is done. */
export interface FileWrite {
  readonly action: 'create' | 'update' | 'delete';
  readonly documentId: string;
  /** The values written, by attribute; null for a deletion. */
  readonly data: FileValues | null;
}

/** A requested write. A file to be created has no document id yet. */
type FileWriteRequest = Omit<FileWrite, 'documentId'> & { readonly documentId: string | null };

/** The hooks that take part in writes of files. */
export interface FileHooks {
  /**
   * Wraps a write. `work` writes the values it is given. It returns the document id of the file, or null if
   * there is no such file. An error rejects the write.
   */
  readonly around: (
    request: FileWriteRequest,
    work: (data: FileValues | null) => Promise<string | null>,
  ) => Promise<void>;
  /** Runs inside the transaction of the write. An error rolls it back. */
  readonly before: (write: FileWrite, tx: Transaction) => Promise<void>;
  /** Runs after the commit. Never throws. */
  readonly after: (write: FileWrite) => Promise<void>;
}

/** Takes no part in any write. */
export const NO_FILE_HOOKS: FileHooks = {
  around: async ({ data }, work) => {
    await work(data);
  },
  before: async () => undefined,
  after: async () => undefined,
};
