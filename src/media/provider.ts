import type { StagedObject } from './media.js';

/** Where files are stored for good. Adding one is a file in providers/ and its line in create-provider.ts. */
export interface StorageProvider {
  /** As rows tell it: `local`. */
  readonly name: string;
  /** A folder for files that are not whole yet. */
  readonly stagingFolder: string;
  /** Stores a staged file, whole or not at all; may take the staged one away. */
  readonly put: (object: StagedObject) => Promise<void>;
  /** Removes a stored file; one that is not there is removed already. */
  readonly remove: (key: string) => Promise<void>;
  /** Where clients read the file: a path on this server, or an absolute URL. */
  readonly urlOf: (key: string) => string;
}
