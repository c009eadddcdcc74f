import type { StoredScalar } from '../lib/stored-value.js';
import type { Uid, VersionStatus } from '../model/model.js';

/**
 * A read, independent of the transport. Parsed from REST parameters or a GraphQL selection and checked
 * against the model and the permissions of the caller. Frozen; later stages rely on these checks.
 */
export interface ReadQuery {
  readonly type: Uid;
  readonly filter: FilterNode | null;
  readonly sort: readonly SortNode[];
  readonly selection: Selection;
  /** Null: all rows (for findOne and single types). */
  readonly page: Page | null;
  /** A locale code, or `*` for all locales. Ignored for types that are not localised. */
  readonly locale: string;
  readonly status: VersionStatus;
  /**
   * Reads published versions as they will be once the release is published, also in populated records and
   * filters. Absent: as they are.
   */
  readonly release?: ReleaseName;
  /**
   * Reads drafts and published versions alike, instead of those of `status`. Populated records have the
   * status of the version that links them.
   */
  readonly isOfAllStatuses?: true;
  /**
   * True or false: only documents with or without a published version, also in populated records. Null: all
   * documents.
   */
  readonly hasPublishedVersion: boolean | null;
  /**
   * Selects documents by the relation of their draft and published versions. Takes precedence over
   * `hasPublishedVersion`. Also applies to populated relations.
   */
  readonly publicationFilter?: PublicationFilter;
  /** The types that the query reads as if they had no drafts, at any depth. Absent: none. */
  readonly withoutDrafts?: readonly Uid[];
}

/** The release that a read previews. It is a node, to which its name is bound. */
export interface ReleaseName {
  readonly name: string;
}

/** Part of a list, counted from 0. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

export interface Page extends Slice {
  readonly style: 'page' | 'offset';
  readonly withCount: boolean;
  /** The page is counted from the end of the list, and its records are in reverse order. */
  readonly isReversed?: boolean;
  /** Each record is returned with its position in the order. Absent: without. */
  readonly cursor?: PageCursor;
}

/** Start of a page: the first record after a position in the order of the list. */
export interface PageCursor {
  /** The values of the order's keys, as `orderKeysOf` returns them. Null: the beginning of the list. */
  readonly position: readonly StoredScalar[] | null;
}

/**
 * The parts of a record to return. `id` and `documentId` are always returned; components have only `id`,
 * entries of dynamic zones also `__component`.
 */
export interface Selection {
  /**
   * Names of scalar attributes and of the system fields createdAt, updatedAt, publishedAt and locale, in
   * model order. Private and password attributes are never included.
   */
  readonly fields: readonly string[];
  readonly populate: readonly PopulateNode[];
  /**
   * Prints values that can be written again: the selected values of a record, without its ids, or only the
   * values that name it as the target of a link.
   */
  readonly asInput?: 'content' | 'link';
  /**
   * Maximum number of records that the read may build on all levels. Set only on the selection of a whole
   * query. Absent: no limit.
   */
  readonly maxRecords?: number;
}

/** Selects only the ids of records. */
export const IDS_ONLY: Selection = Object.freeze({ fields: [], populate: [] });

interface PopulateBase {
  readonly attribute: string;
  /** The key in the response: the name of the attribute, or a GraphQL alias. */
  readonly key: string;
}

/** A relation or media attribute. */
export interface LinkPopulate extends PopulateBase {
  readonly kind: 'link';
  readonly selection: Selection;
  readonly filter: FilterNode | null;
  readonly sort: readonly SortNode[];
  readonly slice: Slice | null;
  /** Return `{count: n}` instead of the records. */
  readonly count: boolean;
}

/**
 * morphToOne and morphToMany: a selection per target type. Records have a key `__type`. Types without
 * selection are omitted.
 */
export interface MorphPopulate extends PopulateBase {
  readonly kind: 'morph';
  readonly on: Readonly<Record<Uid, Selection>>;
  /** Filters per type. Types that are not listed are not filtered. */
  readonly filters?: Readonly<Record<Uid, FilterNode>>;
}

/** Filter, order and range of a populated list. Absent: the whole list in stored order. */
export interface ListRange {
  readonly filter?: FilterNode;
  readonly sort?: readonly SortNode[];
  readonly slice?: Slice;
}

/** A component, or the list of a repeatable one. The range of a single one has only the filter. */
export interface ComponentPopulate extends PopulateBase, ListRange {
  readonly kind: 'component';
  readonly selection: Selection;
}

/** A dynamic zone. Entries whose component is not in `on` are omitted. */
export interface ZonePopulate extends PopulateBase {
  readonly kind: 'zone';
  readonly on: Readonly<Record<Uid, Selection>>;
  /** Filters per component. Components that are not listed are not filtered. */
  readonly filters?: Readonly<Record<Uid, FilterNode>>;
  /** The order of a component's entries, within their positions in the zone. */
  readonly sorts?: Readonly<Record<Uid, readonly SortNode[]>>;
}

/** The versions of the same document in other locales, with the same status. */
export interface LocalizationsPopulate extends PopulateBase, ListRange {
  readonly kind: 'localizations';
  readonly selection: Selection;
}

/**
 * The documents that link a file by their media attributes. Records have a key `__type`. Files inside
 * components are not found, because components store ids and not links.
 */
export interface ReferrersPopulate extends PopulateBase {
  readonly kind: 'referrers';
  readonly on: Readonly<Record<Uid, Selection>>;
  /** The media attributes, per type. */
  readonly mediaAttributes: Readonly<Record<Uid, readonly string[]>>;
  /** Filters per type. Types that are not listed are not filtered. */
  readonly filters: Readonly<Record<Uid, FilterNode>>;
}

export type PopulateNode =
  | LinkPopulate
  | MorphPopulate
  | ReferrersPopulate
  | ComponentPopulate
  | ZonePopulate
  | LocalizationsPopulate;

/** `path` ends with a scalar or system field: `['author', 'name']`. */
export interface SortNode {
  readonly path: readonly string[];
  readonly direction: 'asc' | 'desc';
  /** Sorts by relevance to the search, instead of by a field. */
  readonly score?: SearchTerm;
}

/** Search term of a list. */
export interface SearchTerm {
  readonly text: string;
  /** The fields that are searched. */
  readonly fields: readonly string[];
}

export const COMPARISON_OPERATORS = [
  '$eq',
  '$eqi',
  '$ne',
  '$nei',
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$in',
  '$notIn',
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$null',
  '$notNull',
  '$between',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
] as const;
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly items: readonly FilterNode[] }
  /**
   * The parser puts it only directly above comparisons. The negation of a condition on a linked record is a
   * condition on a linked record.
   */
  | { readonly kind: 'not'; readonly item: FilterNode }
  | CompareNode
  /** At least one linked record of the matching status and locale matches `filter`. */
  | { readonly kind: 'link'; readonly attribute: string; readonly filter: FilterNode }
  /** No record (`empty: true`) or at least one record is linked. */
  | { readonly kind: 'link-empty'; readonly attribute: string; readonly empty: boolean }
  /**
   * The component, or at least one item of a repeatable component, matches `filter`. In a missing component
   * all fields are null.
   */
  | { readonly kind: 'component'; readonly attribute: string; readonly filter: FilterNode }
  | { readonly kind: 'component-empty'; readonly attribute: string; readonly empty: boolean };

export type LinkNode = Extract<FilterNode, { readonly kind: 'link' }>;

/**
 * Compares one scalar or system field. The operand fits the operator: two values for $between, a list for $in
 * and $notIn, a boolean for $null and $notNull. An empty list matches nothing for $in, and everything except
 * null for $notIn.
 */
export interface CompareNode {
  readonly kind: 'compare';
  readonly field: string;
  readonly operator: ComparisonOperator;
  readonly operand: StoredScalar | readonly StoredScalar[];
}

/**
 * Selects documents by the relation of their draft and published versions. `status` selects the returned
 * version. Has no effect on types without drafts. A pair is the draft and the published version of one
 * document in one locale.
 *
 * - `never-published`: drafts without a published version in their locale. Published versions: none.
 * - `has-published-version`: versions of pairs.
 * - `modified`, `unmodified`: versions of pairs whose draft was, or was not, saved after publishing: its
 *   `updatedAt` is, or is not, later than that of the published version. Saving a draft without changes
 *   counts as modified; discarding it does not.
 * - `never-published-document`: drafts of documents without a published version in any locale. Published
 *   versions: none.
 * - `has-published-version-document`: versions of documents that also have the other version, in any locale.
 * - `published-without-draft`, `published-with-draft`: published versions without, or with, a draft. Drafts:
 *   none.
 */
export const PUBLICATION_FILTERS = [
  'never-published',
  'has-published-version',
  'modified',
  'unmodified',
  'never-published-document',
  'has-published-version-document',
  'published-without-draft',
  'published-with-draft',
] as const;
export type PublicationFilter = (typeof PUBLICATION_FILTERS)[number];

/** Returns the effective filter of a query. Null: none. */
export function publicationFilterOf({
  publicationFilter,
  hasPublishedVersion,
}: {
  readonly publicationFilter?: PublicationFilter;
  readonly hasPublishedVersion: boolean | null;
}): PublicationFilter | null {
  if (publicationFilter !== undefined) return publicationFilter;
  if (hasPublishedVersion === null) return null;
  return hasPublishedVersion ? 'has-published-version-document' : 'never-published-document';
}
