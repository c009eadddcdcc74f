import { deepFreeze, isRecord } from '../../lib/records.js';
import type { ScalarTypeName } from '../../model/fields/field-type.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentType, Uid, VersionStatus } from '../../model/model.js';
import { filterInScope, typeInScope } from '../access-scope.js';
import { parseCursor } from '../cursor.js';
import type { CursorList } from '../cursor.js';
import { joinNodes } from '../filter-nodes.js';
import { publicationFilterOf } from '../query.js';
import type { FilterNode, Page, ReadQuery, SearchTerm, Selection } from '../query.js';
import { accessAtStatus, assertMayReadDrafts, draftLimits } from '../read-access.js';
import { createReadContext, invalidParameter } from '../read-context.js';
import type {
  QueryLocation,
  ReadContext,
  ReadContextOptions,
  QueryLimits,
  RawReadParams,
} from '../read-context.js';
import { comparableField } from '../schema-fields.js';
import { parseComparison } from './parse-comparison.js';
import { parseFilters } from './parse-filters.js';
import { parsePage, readCursorRequest } from './parse-pagination.js';
import { parseSelectionAt } from './parse-populate.js';
import { parseSort } from './parse-sort.js';
import {
  parseHasPublishedVersion,
  parseLocale,
  parseLocales,
  parsePublicationFilter,
  parseRelease,
  parseStatus,
} from './parse-version.js';
import { NO_OPTIONS } from './populate-request.js';

const PARAMETER = '_q';

const TEXT_TYPES: readonly ScalarTypeName[] = ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'];
const NUMBER_TYPES: readonly ScalarTypeName[] = ['integer', 'biginteger', 'float', 'decimal'];

const isSearched = (attribute: Attribute, types: readonly ScalarTypeName[]): boolean =>
  attribute.family === 'scalar' && attribute.searchable !== false && types.includes(attribute.type);

/** Numbers are searched only for terms that look like a number, as in Strapi. */
const searchedNames = (type: ContentType, text: string): readonly string[] => {
  const types = Number.isNaN(Number(text)) ? TEXT_TYPES : [...TEXT_TYPES, ...NUMBER_TYPES];
  const names = Object.values(type.attributes)
    .filter((attribute) => isSearched(attribute, types))
    .map((attribute) => attribute.name);
  return [...new Set(['id', 'documentId', 'locale', ...names])];
};

/**
 * Parses `_q`: a term that a text of a record, its ids or its locale must contain, in upper or lower case.
 * Searches only fields that the caller may see. Null: no restriction.
 *
 * @throws `request/invalid-parameter`
 */
function parseSearch(context: ReadContext, type: ContentType, raw: unknown): SearchTerm | null {
  if (raw === undefined || raw === null || raw === '') return null;
  if (typeof raw !== 'string' || !isStorableText(raw)) throw invalidParameter(PARAMETER, 'it must be text.');
  context.countEntry();
  return {
    text: raw,
    fields: searchedNames(type, raw).filter((name) => comparableField(type, name) !== null),
  };
}

/** Returns the condition of a search. */
function searchFilter(type: ContentType, { text, fields }: SearchTerm): FilterNode | null {
  const comparisons = fields.flatMap((name) => {
    const field = comparableField(type, name);
    if (field === null) return [];
    return parseComparison({ field, operator: '$containsi', value: text, path: PARAMETER }) ?? [];
  });
  return joinNodes('or', comparisons);
}

/** Limits how many records a query with that selection may read. */
export function withRecordLimit({ maxRecords }: QueryLimits, selection: Selection): Selection {
  return maxRecords === undefined ? selection : Object.assign({}, selection, { maxRecords });
}

export interface ReadOptions extends ReadContextOptions {
  readonly defaultLocale: string;
  /** The action whose scope applies to the type itself, e.g. `findOne`. Default: `find`. */
  readonly action?: string;
  /** False: one document is read, and `pagination` is ignored. Default: true for collection types. */
  readonly paginated?: boolean;
}

const parseRootSelection = (
  context: ReadContext,
  root: QueryLocation,
  { fields, populate }: Pick<RawReadParams, 'fields' | 'populate'>,
): Selection =>
  withRecordLimit(
    context.limits,
    parseSelectionAt(context, root, { ...NO_OPTIONS, rawOptions: { fields, populate } }),
  );

const joinPresent = (nodes: readonly (FilterNode | null)[]): FilterNode | null =>
  joinNodes(
    'and',
    nodes.filter((node) => node !== null),
  );

/** The locale of a query, and a condition in addition. */
interface LocaleChoice {
  readonly locale: string;
  readonly condition: FilterNode | null;
}

/** `filters[locale]` takes the place of the locale. Several locales are a condition on all of them. */
const parseLocaleOf = (
  type: ContentType,
  { locale: raw, filters }: RawReadParams,
  { defaultLocale, paginated }: ReadOptions,
): LocaleChoice => {
  const isList = paginated ?? type.kind === 'collectionType';
  const locales = isList ? parseLocales(raw, defaultLocale) : parseLocale(raw, defaultLocale);
  const isFiltered = isRecord(filters) && filters['locale'] !== undefined;
  if (type.localized && isFiltered) return { locale: '*', condition: null };
  if (typeof locales === 'string') return { locale: locales, condition: null };
  return {
    locale: '*',
    condition: type.localized
      ? { kind: 'compare', field: 'locale', operator: '$in', operand: locales }
      : null,
  };
};

/** Pages by cursor are counted only if the client requests it. */
const parseListPage = (
  { model, limits }: ReadContext,
  list: CursorList,
  raw: RawReadParams['pagination'],
): Page => {
  const request = readCursorRequest(raw);
  if (request === null || !isRecord(raw)) return parsePage(raw, limits);
  const { key, text } = request;
  const path = `pagination.${key}`;
  if (list.sort.some(({ score }) => score !== undefined))
    throw invalidParameter(path, 'pages by cursor have no order by _score. Use pagination[page].');
  return {
    ...parsePage({ ...raw, withCount: raw['withCount'] ?? false }, limits),
    ...(key === 'before' ? { isReversed: true } : {}),
    cursor: { position: text === '' ? null : parseCursor(model, list, { text, path }) },
  };
};

type RequestedVersion = Pick<ReadQuery, 'status' | 'hasPublishedVersion' | 'publicationFilter' | 'release'>;

const parseVersion = (raw: RawReadParams): RequestedVersion => {
  const publicationFilter = parsePublicationFilter(raw.publicationFilter);
  const release = parseRelease(raw.release);
  const version = {
    status: parseStatus(raw.status),
    hasPublishedVersion: parseHasPublishedVersion(raw.hasPublishedVersion),
    ...(publicationFilter === undefined ? {} : { publicationFilter }),
    ...(release === undefined ? {} : { release }),
  };
  if (release !== undefined && (version.status === 'draft' || publicationFilterOf(version) !== null))
    throw invalidParameter('release', 'it shows published versions, without conditions on drafts.');
  return version;
};

/** True if a read returns drafts, or compares them with published versions. */
const concernsDrafts = (version: RequestedVersion): boolean =>
  version.status === 'draft' || version.release !== undefined || publicationFilterOf(version) !== null;

/**
 * Parses the parameters of a read into a frozen query, checked against the model and the permissions of the
 * caller. Unknown parameters are ignored.
 *
 * @example
 *   parseReadQuery(model, 'api::tag.tag', { filters: { name: 'red' }, sort: 'name' }, options);
 *
 * @throws `request/invalid-parameter`, `request/mixed-pagination`, `request/query-too-deep`,
 *   `request/query-too-large`, `request/drafts-forbidden`
 */
export function parseReadQuery(
  model: ContentModel,
  typeUid: Uid,
  raw: RawReadParams,
  options: ReadOptions,
): ReadQuery {
  const type = typeOf(model, typeUid);
  const version = parseVersion(raw);
  const access = accessAtStatus(options.access, version.release === undefined ? version.status : 'draft');
  if (type.draftAndPublish && concernsDrafts(version)) assertMayReadDrafts(access, type);
  const context = createReadContext(model, { ...options, access });
  const action = options.action ?? 'find';
  const visibleType = typeInScope(context, typeUid, action);
  const root: QueryLocation = { schema: visibleType, path: '', depth: 0 };
  const { locale, condition } = parseLocaleOf(type, raw, options);
  const search = parseSearch(context, visibleType, raw._q);
  const sort = parseSort(context, { search, ...root, path: 'sort' }, raw.sort);
  const selection = parseRootSelection(context, root, raw);
  const page =
    (options.paginated ?? type.kind === 'collectionType')
      ? parseListPage(context, { type: typeUid, sort }, raw.pagination)
      : null;
  return freezeKeepingType<ReadQuery>({
    type: typeUid,
    filter: filterInScope(context, typeUid, {
      action,
      filter: joinPresent([
        condition,
        parseFilters(context, { ...root, path: 'filters' }, raw.filters),
        search === null ? null : searchFilter(visibleType, search),
      ]),
    }),
    sort,
    selection,
    page,
    locale,
    ...version,
    ...draftLimits(access),
  });
}

interface WrittenOptions extends ReadContextOptions {
  readonly action?: string;
  /** The status of the returned record. Default: `published`. */
  readonly status?: VersionStatus;
}

/**
 * Parses the selection that a write returns, from `fields` and `populate`. Callers who may find documents of
 * the type see the same fields as in a read. Other callers see those in the scope of `action`.
 *
 * @throws like {@link parseReadQuery}
 */
export function parseSelection(
  model: ContentModel,
  typeUid: Uid,
  raw: Pick<RawReadParams, 'fields' | 'populate'>,
  { status = 'published', ...options }: WrittenOptions,
): Selection {
  const access = accessAtStatus(options.access, status);
  const context = createReadContext(model, { ...options, access });
  const action = options.access.canFind(typeUid) ? 'find' : (options.action ?? 'find');
  const root: QueryLocation = { schema: typeInScope(context, typeUid, action), path: '', depth: 0 };
  return freezeKeepingType<Selection>(parseRootSelection(context, root, raw));
}

/**
 * Freezes a value deeply and keeps its declared type, because the type checker cannot handle a deeply
 * readonly JSON value.
 */
const freezeKeepingType = <T extends object>(value: T): T => {
  deepFreeze<object>(value);
  return value;
};
