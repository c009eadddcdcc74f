import type { StoredScalar } from '../lib/stored-value.js';
import type { Uid, VersionStatus } from '../model/model.js';
import type { PublicationFilter } from './publication-filter.js';

/**
 * A read, transport-neutral: parsed from REST parameters or a GraphQL selection, already checked against the model and the caller's rights.
 * Frozen. Everything downstream (sql, documents) trusts it.
 */
export interface ReadQuery {
  readonly type: Uid;
  readonly filter: FilterNode | null;
  readonly sort: readonly SortNode[];
  readonly selection: Selection;
  /** Null: all rows (findOne, single types). */
  readonly page: Page | null;
  /** A locale code, or `*` for the versions of every locale. Ignored for types that are not localised. */
  readonly locale: string;
  readonly status: VersionStatus;
  /** `true` / `false`: only documents that have (lack) a published version; null: no restriction. */
  readonly hasPublishedVersion: boolean | null;
  /** Which documents, by how their two versions relate; stands above `hasPublishedVersion`. Holds for what is populated, too. */
  readonly publicationFilter?: PublicationFilter;
}

export interface Page {
  readonly style: 'page' | 'offset';
  readonly offset: number;
  readonly limit: number;
  readonly withCount: boolean;
}

/** What of one record is answered. `id` and `documentId` (for components `id`, for zone entries also `__component`) always are. */
export interface Selection {
  /** Names of scalar attributes and of the system fields createdAt, updatedAt, publishedAt, locale, in model order. Never private or password ones. */
  readonly fields: readonly string[];
  readonly populate: readonly PopulateNode[];
}

interface PopulateBase {
  readonly attribute: string;
  /** The key in the answer; the attribute's name but for GraphQL aliases. */
  readonly key: string;
}

/** A relation or media attribute. */
export interface LinkPopulate extends PopulateBase {
  readonly kind: 'link';
  readonly selection: Selection;
  readonly filter: FilterNode | null;
  readonly sort: readonly SortNode[];
  readonly slice: { readonly offset: number; readonly limit: number } | null;
  /** Answer `{count: n}` instead of the records. */
  readonly count: boolean;
}

/** morphToOne, morphToMany: a selection per target type; records carry `__type`. Types left out are not answered. */
export interface MorphPopulate extends PopulateBase {
  readonly kind: 'morph';
  readonly on: Readonly<Record<Uid, Selection>>;
  /** What records of a type must fulfil to be answered; types without condition are not in it. */
  readonly filters?: Readonly<Record<Uid, FilterNode>>;
}

export interface ComponentPopulate extends PopulateBase {
  readonly kind: 'component';
  readonly selection: Selection;
}

/** A dynamic zone: entries of components that are not in `on` are left out. */
export interface ZonePopulate extends PopulateBase {
  readonly kind: 'zone';
  readonly on: Readonly<Record<Uid, Selection>>;
}

/** The other locales' versions of the same document with the same status. */
export interface LocalizationsPopulate extends PopulateBase {
  readonly kind: 'localizations';
  readonly selection: Selection;
  /** What a version must fulfil to be answered; absent: nothing. */
  readonly filter?: FilterNode;
}

/**
 * What shows a file: documents of several types that link it by media attributes of their own; records carry `__type`. Files in components
 * are not found this way: components keep ids, not links.
 */
export interface ReferrersPopulate extends PopulateBase {
  readonly kind: 'referrers';
  readonly on: Readonly<Record<Uid, Selection>>;
  /** By which attributes, per type. */
  readonly through: Readonly<Record<Uid, readonly string[]>>;
  /** What records of a type must fulfil to be answered; types without condition are not in it. */
  readonly filters: Readonly<Record<Uid, FilterNode>>;
}

export type PopulateNode = LinkPopulate | MorphPopulate | ReferrersPopulate | ComponentPopulate | ZonePopulate | LocalizationsPopulate;

/** `path` leads over to-one relations, single media and single components to a scalar or system field: `['author', 'name']`. */
export interface SortNode {
  readonly path: readonly string[];
  readonly direction: 'asc' | 'desc';
}

export const COMPARISON_OPERATORS = [
  '$eq', '$eqi', '$ne', '$nei', '$lt', '$lte', '$gt', '$gte', '$in', '$notIn', '$contains', '$notContains', '$containsi', '$notContainsi',
  '$null', '$notNull', '$between', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi',
] as const;
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly items: readonly FilterNode[] }
  /** The parser puts it directly above comparisons only: what is negated of a linked record is still said of a linked record. */
  | { readonly kind: 'not'; readonly item: FilterNode }
  | CompareNode
  /** Some linked record (with the matching status and locale) fulfils `filter`. */
  | { readonly kind: 'link'; readonly attribute: string; readonly filter: FilterNode }
  /** Nothing (`empty: true`) or something is linked. */
  | { readonly kind: 'link-empty'; readonly attribute: string; readonly empty: boolean }
  /** The component, or one of a repeatable one's items, fulfils `filter`; an absent component compares as all-null. */
  | { readonly kind: 'component'; readonly attribute: string; readonly filter: FilterNode }
  | { readonly kind: 'component-empty'; readonly attribute: string; readonly empty: boolean };

/** Compares one scalar or system field of the record at hand. `operand` fits the operator: two values for $between, a list for $in and $notIn (empty: nothing, or everything that is not null), a boolean for $null and $notNull. */
export interface CompareNode {
  readonly kind: 'compare';
  readonly field: string;
  readonly operator: ComparisonOperator;
  readonly operand: StoredScalar | readonly StoredScalar[];
}

/** How far a caller's right to one action of a type goes. */
export interface AccessLimits {
  /** Names of the attributes it covers; null: all. What every record has (`id`, `documentId`, times, locale) is always covered. */
  readonly fields: ReadonlySet<string> | null;
  /** Which documents it covers; null: all. */
  readonly filter: FilterNode | null;
}

/** What a caller may do with documents; asked by the query parser for every type it comes to, and by the document service for every write. */
export interface ReadAccess {
  /** Whether the caller has the `find` right on that type. */
  readonly canFind: (type: Uid) => boolean;
  /** How far the caller's right to an action (`find`, `update`) goes; null, or no such function: without limits. Whether there is that right at all is decided before. */
  readonly limitsOf?: (type: Uid, action: string) => AccessLimits | null;
}

/** Limits of one request; from the project's configuration. */
export interface QueryLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** Deepest nesting of populate. */
  readonly populateDepth: number;
  /** Most populate nodes and filter conditions in one request. */
  readonly maxNodes: number;
}

/** Parameters as a transport hands them over: plain nested values, strings where they came from a query string. */
export interface RawReadParams {
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly pagination?: unknown;
  readonly status?: unknown;
  readonly locale?: unknown;
  readonly hasPublishedVersion?: unknown;
  readonly publicationFilter?: unknown;
}
