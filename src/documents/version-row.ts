import type { VersionStatus } from '../model/model.js';
import type { FieldValues } from './rows/table-statements.js';

/** One stored version of a document. */
export interface VersionRow {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly status: VersionStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | null;
  /** Every column of the row by its field name in the generated client. */
  readonly values: FieldValues;
}
