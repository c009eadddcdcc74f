import { deepFreeze } from '../lib/freeze.js';
import { typeOf } from '../model/lookup.js';
import type { ContentModel, Uid } from '../model/model.js';
import { filterInScope, typeInScope } from './access-scope.js';
import { parseFilters } from './parse-filters.js';
import { parsePage } from './parse-pagination.js';
import { parseSelectionAt } from './parse-populate.js';
import { parseSort } from './parse-sort.js';
import {
  parseHasPublishedVersion,
  parseLocale,
  parsePublicationFilter,
  parseStatus,
} from './parse-version.js';
import { NO_OPTIONS } from './populate-request.js';
import type { ReadQuery, Selection } from './query.js';
import type { RawReadParams } from './read-params.js';
import type { ReadContextOptions, QueryLocation } from './read-context.js';
import { createReadContext } from './read-context.js';

export interface ReadOptions extends ReadContextOptions {
  readonly defaultLocale: string;
  /** The action whose scope applies to the type itself, e.g. `findOne`. Default: `find`. */
  readonly action?: string;
  /** False: one document is read, and `pagination` is ignored. Default: true for collection types. */
  readonly paginated?: boolean;
}

/**
 * Parses the parameters of a read into a frozen query, checked against the model and the permissions of the
 * caller. Unknown parameters are ignored.
 *
 * @example
 *   parseReadQuery(model, 'api::tag.tag', { filters: { name: 'red' }, sort: 'name' }, options);
 *
 * @throws `request/invalid-parameter`, `request/mixed-pagination`, `request/query-too-deep`,
 *   `request/query-too-large`
 */
export function parseReadQuery(
  model: ContentModel,
  typeUid: Uid,
  raw: RawReadParams,
  options: ReadOptions,
): ReadQuery {
  const type = typeOf(model, typeUid);
  const context = createReadContext(model, options);
  const action = options.action ?? 'find';
  const root: QueryLocation = { schema: typeInScope(context, typeUid, action), path: '', depth: 0 };
  const hasPublishedVersion = parseHasPublishedVersion(raw.hasPublishedVersion);
  const publicationFilter = parsePublicationFilter(raw.publicationFilter);
  return freezeKeepingType<ReadQuery>({
    type: typeUid,
    filter: filterInScope(context, typeUid, {
      action,
      filter: parseFilters(context, { ...root, path: 'filters' }, raw.filters),
    }),
    sort: parseSort(context, { ...root, path: 'sort' }, raw.sort),
    selection: parseSelectionAt(context, root, {
      ...NO_OPTIONS,
      rawOptions: { fields: raw.fields, populate: raw.populate },
    }),
    page:
      (options.paginated ?? type.kind === 'collectionType')
        ? parsePage(raw.pagination, options.limits)
        : null,
    locale: parseLocale(raw.locale, options.defaultLocale),
    status: parseStatus(raw.status),
    hasPublishedVersion: type.draftAndPublish ? hasPublishedVersion : null,
    ...(publicationFilter === undefined ? {} : { publicationFilter }),
  });
}

/**
 * Parses the selection that a write returns, from `fields` and `populate`. Callers who may find documents of
 * the type see what a read would show; others see what the scope of `action` covers.
 *
 * @throws like {@link parseReadQuery}
 */
export function parseSelection(
  model: ContentModel,
  typeUid: Uid,
  raw: Pick<RawReadParams, 'fields' | 'populate'>,
  options: ReadContextOptions & { readonly action?: string },
): Selection {
  const context = createReadContext(model, options);
  const action = options.access.canFind(typeUid) ? 'find' : (options.action ?? 'find');
  const root: QueryLocation = { schema: typeInScope(context, typeUid, action), path: '', depth: 0 };
  const rawOptions = { fields: raw.fields, populate: raw.populate };
  return freezeKeepingType<Selection>(parseSelectionAt(context, root, { ...NO_OPTIONS, rawOptions }));
}

/**
 * Freezes a value deeply and keeps its declared type, because the type checker cannot handle a deeply
 * readonly JSON value.
 */
const freezeKeepingType = <T extends object>(value: T): T => {
  deepFreeze<object>(value);
  return value;
};
