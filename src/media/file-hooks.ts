import type { Transaction } from '../database/database.js';

export type FileValues = Readonly<Record<string, unknown>>;

/** A write of one file: what is about to be written, or has been. */
export interface FileWrite {
  readonly action: 'create' | 'update' | 'delete';
  readonly documentId: string;
  /** The values written, by attribute; null where the file goes. */
  readonly data: FileValues | null;
}

/** A write that is asked for; a file that is to be made has no document id yet. */
export type FileWish = Omit<FileWrite, 'documentId'> & { readonly documentId: string | null };

/** Whoever takes part in the writes of files. */
export interface FileHooks {
  /**
   * Wraps a write. `work` does it with the values it is given and answers the file's document id, or null where there is no such file.
   * What is thrown refuses the write.
   */
  readonly around: (wish: FileWish, work: (data: FileValues | null) => Promise<string | null>) => Promise<void>;
  /** Inside the transaction that writes; what is thrown undoes it. */
  readonly before: (write: FileWrite, tx: Transaction) => Promise<void>;
  /** Once it is committed. Throws nothing. */
  readonly after: (write: FileWrite) => Promise<void>;
}

/** Nobody takes part. */
export const NO_FILE_HOOKS: FileHooks = {
  around: async ({ data }, work) => {
    await work(data);
  },
  before: async () => undefined,
  after: async () => undefined,
};
