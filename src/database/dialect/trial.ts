import type { ReadPlan } from './read-plan.js';
import type { BoundValue, SqlExpressions } from './sql-expressions.js';

/** An index to try out. */
export interface TrialIndex {
  readonly table: string;
  readonly columns: readonly {
    readonly name: string;
    readonly isText: boolean;
    readonly isDescending: boolean;
  }[];
}

/**
 * A connection on which indexes are tried out. Tables are copied into temporary ones of the same name, which
 * only this connection sees, so that neither the schema nor other sessions are touched.
 */
export interface Trial {
  readonly expressions: SqlExpressions;
  /** Copies a table with its indexes. Statements from now on mean the copy. */
  readonly copyTable: (table: string) => Promise<void>;
  /** Adds an index to a copied table: status, locale, the columns, and the id. There may be one at a time. */
  readonly createIndex: (index: TrialIndex) => Promise<void>;
  /** Removes that index, if there is one. */
  readonly dropIndex: () => Promise<void>;
  /** Returns the first column of the rows. */
  readonly values: (sql: string, parameters: readonly BoundValue[]) => Promise<readonly unknown[]>;
  readonly explain: (sql: string, parameters: readonly BoundValue[]) => Promise<ReadPlan>;
  readonly close: () => Promise<void>;
}
