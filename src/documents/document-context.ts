import type { Database } from '../database/database.js';
import type { ContentModel, ContentType, MorphLink, TableLink } from '../model/model.js';
import type { InputValidator } from '../validation/input.js';
import type { LocaleBook } from './documents.js';
import type { DocumentHooks } from './hooks.js';
import type { LinkView } from './links/link-view.js';
import type { RecordReader } from './record-reader.js';
import type { AnchorStatements } from './rows/anchor-statements.js';
import type { TableStatements } from './rows/table-statements.js';
import type { VersionStatements } from './rows/version-statements.js';
import type { ContentField } from './version-fields.js';

/** What every operation works with. */
export interface DocumentContext {
  readonly model: ContentModel;
  readonly database: Database;
  readonly records: RecordReader;
  readonly locales: LocaleBook;
  readonly clock: () => Date;
  readonly hooks: DocumentHooks;
  readonly inputOf: (type: ContentType) => InputValidator;
  /** Everything of a version row that is copied when it is published. */
  readonly fieldsOf: (type: ContentType) => readonly ContentField[];
  /** The links of the type's own relation and media attributes. */
  readonly linksOf: (type: ContentType) => readonly LinkView[];
  readonly anchorOf: (type: ContentType) => AnchorStatements;
  readonly versionsOf: (type: ContentType) => VersionStatements;
  readonly linkTableOf: (link: TableLink | MorphLink) => TableStatements;
}
