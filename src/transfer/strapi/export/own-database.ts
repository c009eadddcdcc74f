import type { ForeignDatabase } from '../../../dialects/foreign-database.js';
import type { ExportedFolders } from './folders.js';
import type { ContentModel } from '../../../model/model.js';

/** A project's own database, read as another's is: in one state, with values as they are stored. */
export interface OwnDatabase {
  readonly database: ForeignDatabase;
  readonly model: ContentModel;
  readonly folders: ExportedFolders;
  /** The largest ids of components that are kept, by their kinds. */
  readonly largestComponentIds: ReadonlyMap<string, number>;
}
