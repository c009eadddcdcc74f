import type { ForeignDatabase } from '../../../dialects/foreign-database.js';
import type { ContentModel } from '../../../model/model.js';

/** A project's own database, read as another's is: in one state, with values as they are stored. */
export interface OwnDatabase {
  readonly database: ForeignDatabase;
  readonly model: ContentModel;
}
