import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { Turns } from '../lib/turns.js';
import type { FileHooks } from './file-hooks.js';
import type { FileTable } from './file-table.js';
import type { KindsTaken } from './kinds-taken.js';
import type { Providers } from './providers/create-provider.js';

/** What every operation of the media library works with. */
export interface MediaContext {
  readonly database: Database;
  readonly files: FileTable;
  readonly kindsTaken: KindsTaken;
  readonly hooks: FileHooks;
  readonly config: Config['upload'];
  readonly providers: Providers;
  /** Images are opened one at a time, so that many at once take no more memory than one. */
  readonly images: Turns;
  /** Told of faults nobody waits for. */
  readonly onError: (error: unknown) => void;
}
