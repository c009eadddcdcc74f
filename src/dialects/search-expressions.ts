import type { RawBuilder } from 'kysely';
import type { ColumnKind } from '../lib/stored-value.js';
import type { OrderedRowsOptions } from './row-path.js';

/** What the names of full-text indexes begin with, and those of all that belongs to them. */
export const SEARCH_PREFIX = 'galley_search_';

/** A value that is searched, as text. */
interface SearchedColumn {
  readonly column: string;
  readonly kind: ColumnKind;
  /** Whether it has at most 255 characters. */
  readonly isShort: boolean;
}

/** A table with a full-text index. Each of the texts has the values of one or several columns. */
export interface SearchedTable {
  /** The name of the index. */
  readonly name: string;
  readonly table: string;
  /** Whether there are rows of both statuses. Otherwise all are published. */
  readonly hasDrafts: boolean;
  readonly texts: readonly (readonly SearchedColumn[])[];
}

/** One text contains a term. */
interface TextTerm {
  readonly kind: 'contains';
  /** The number of the text. */
  readonly text: number;
  readonly term: string;
  /** Whether upper and lower case are one. */
  readonly isFolded: boolean;
}

/** What the texts of a row contain. */
export type TextMatch = TextTerm | { readonly kind: 'and' | 'or'; readonly items: readonly TextMatch[] };

/** The rows of a table that an index finds. A row that it does not find must not meet the conditions. */
export interface FoundRows {
  readonly index: SearchedTable;
  readonly match: TextMatch;
  /** Whether rows of both statuses are read. */
  readonly isOfAllStatuses: boolean;
  /** The parameter for one of the `values` of the match. */
  readonly bind: (offset: number) => RawBuilder<unknown>;
}

export interface FoundRowsOptions extends Pick<OrderedRowsOptions, 'table' | 'alias' | 'order'>, FoundRows {
  readonly where: readonly RawBuilder<unknown>[];
  /** Null: all rows. */
  readonly slice: { readonly limit: RawBuilder<unknown>; readonly offset: RawBuilder<unknown> } | null;
  /** The direction where rows are sorted by `id` alone. Null: by something else. */
  readonly idOrder: 'asc' | 'desc' | null;
  /** Whether an index of the table has the order. */
  readonly hasIndexedOrder: boolean;
  /** What all rows of the order meet, whatever is sought. Null: the page begins within the order. */
  readonly versions: readonly RawBuilder<unknown>[] | null;
}

/** How full-text indexes find rows. They find all rows that meet a match, and may find others. */
export interface SearchExpressions {
  /** Selects the names of the full-text indexes that follow all writes. */
  readonly indexesSql: string;
  /** Whether an error says that a statement names an index which has been dropped. */
  readonly isIndexMissing: (error: unknown) => boolean;
  /** As `indexesSql` selects an index with just these texts. */
  readonly nameOf: (index: SearchedTable) => string;
  /** Whether an index finds a term in less time than it takes to read all rows. */
  readonly canFind: (term: string, options: { readonly isFolded: boolean }) => boolean;
  /** What a match contributes to the shape of a statement. */
  readonly shapeOf: (match: TextMatch) => string;
  /** The parameters of a match. */
  readonly valuesOf: (match: TextMatch, index: SearchedTable) => readonly string[];
  /** Like `orderedRows`, of the rows that an index finds and that meet the conditions. */
  readonly orderedRows: (options: FoundRowsOptions) => RawBuilder<unknown>;
  /** A statement that counts the rows that an index finds and that meet the conditions. */
  readonly count: (
    options: FoundRows & Pick<FoundRowsOptions, 'table' | 'alias' | 'where'>,
  ) => RawBuilder<unknown>;
}
