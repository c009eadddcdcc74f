import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { FileHooks } from './media.js';
import type { FileTable } from './file-table.js';
import type { ImageQueue } from './images/image-library.js';
import type { AcceptedKindsLookup } from './accepted-kinds-lookup.js';
import type { ScanUsages } from './usages.js';
import type { Providers } from './providers.js';

/** Dependencies of the operations of the media library. */
export interface MediaContext {
  readonly database: Database;
  readonly files: FileTable;
  readonly findAcceptedKinds: AcceptedKindsLookup;
  readonly scanUsages: ScanUsages;
  readonly hooks: FileHooks;
  readonly config: Config['upload'];
  readonly providers: Providers;
  readonly imageQueue: ImageQueue;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}
