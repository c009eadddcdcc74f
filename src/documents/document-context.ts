import type { Database } from '../database/database.js';
import type { ContentModel, ContentType, MorphLink, TableLink } from '../model/model.js';
import type { InputValidator } from './validation/input.js';
import type { Locales } from './documents.js';
import type { RelationMapping } from './links/relation-mapping.js';
import type { NestedTransaction } from '../database/nested-transaction.js';
import type { OperationHooks } from './nested/operation-hooks.js';
import type { RecordReader } from './read/record-reader.js';
import type { DocumentStatements } from './rows/document-statements.js';
import type { TableStatements } from './rows/table-statements.js';
import type { VersionStatements } from './rows/version-statements.js';
import type { ScheduleStore } from './schedules/schedule-store.js';
import type { ContentField } from './version-fields.js';

/** The dependencies of all operations. Values per type or link are compiled when they are first used. */
export interface DocumentContext {
  readonly model: ContentModel;
  readonly database: Database;
  readonly records: RecordReader;
  readonly locales: Locales;
  readonly clock: () => Date;
  readonly hooks: OperationHooks;
  /** The transaction of the hook that makes the writes. Null: each write has a transaction of its own. */
  readonly nested: NestedTransaction | null;
  readonly schedules: ScheduleStore;
  readonly validatorOf: (type: ContentType) => InputValidator;
  /** The columns of a version row that are copied when it is published. */
  readonly contentFieldsOf: (type: ContentType) => readonly ContentField[];
  /** The links of the type's relation and media attributes. */
  readonly relationsOf: (type: ContentType) => readonly RelationMapping[];
  readonly documentTableOf: (type: ContentType) => DocumentStatements;
  readonly versionTableOf: (type: ContentType) => VersionStatements;
  readonly linkTableOf: (link: TableLink | MorphLink) => TableStatements;
}
