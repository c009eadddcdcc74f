import type { RawBuilder } from 'kysely';
import type { ColumnKind } from '../../lib/stored-value.js';

/** The prefix of the names of full-text indexes, and of everything that belongs to them. */
export const SEARCH_PREFIX = 'galley_search_';

/** A value that is searched, as text. */
interface SearchedColumn {
  readonly column: string;
  readonly kind: ColumnKind;
}

/** A table with a full-text index. Each text consists of the values of one or several columns. */
export interface SearchedTable {
  /** The name of the index. */
  readonly name: string;
  readonly table: string;
  readonly texts: readonly (readonly SearchedColumn[])[];
}

/** One text contains a term. */
interface TextTerm {
  readonly kind: 'contains';
  /** The number of the text. */
  readonly text: number;
  readonly term: string;
  /** True if the term ignores case. */
  readonly isFolded: boolean;
}

/** Condition on the words that the texts of a row contain. */
export type TextMatch = TextTerm | { readonly kind: 'and' | 'or'; readonly items: readonly TextMatch[] };

/** A match, and the alias of the table whose rows it finds. */
export interface FoundRows {
  readonly index: SearchedTable;
  readonly match: TextMatch;
  readonly alias: string;
  /** Returns the parameter for one of the `values` of the match. */
  readonly bind: (offset: number) => RawBuilder<unknown>;
}

/** SQL that finds rows with full-text indexes. It finds all rows that meet a match, possibly others. */
export interface SearchExpressions {
  /** Selects the names of the full-text indexes that follow all writes. */
  readonly indexesSql: string;
  /** True if an error reports a statement that names a dropped index. */
  readonly isIndexMissing: (error: unknown) => boolean;
  /** Returns the name of an index as `indexesSql` selects it. */
  readonly nameOf: (index: SearchedTable) => string;
  /** True if an index can look the term up. */
  readonly canFind: (term: string, options: { readonly isFolded: boolean }) => boolean;
  /** Returns the parameters of a match. */
  readonly valuesOf: (match: TextMatch) => readonly string[];
  /** True for the rows that a match finds. */
  readonly condition: (found: FoundRows) => RawBuilder<unknown>;
}

/** Auxiliary objects of a database that reads use. */
export interface ReadObjects {
  /** The names of its full-text indexes. */
  readonly searchIndexes: ReadonlySet<string>;
}
