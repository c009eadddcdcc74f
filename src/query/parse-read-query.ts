import { deepFreeze } from '../lib/freeze.js';
import type { ContentModel, Uid } from '../model/model.js';
import { covered, coveredType } from './coverage.js';
import { parseFilters } from './parse-filters.js';
import { parsePage } from './parse-pagination.js';
import { parseSelectionAt } from './parse-populate.js';
import { parseSort } from './parse-sort.js';
import { parseHasPublishedVersion, parseLocale, parsePublicationFilter, parseStatus } from './parse-version.js';
import { PLAIN } from './populate-request.js';
import type { RawReadParams, ReadQuery, Selection } from './query.js';
import type { ContextOptions, Place } from './read-context.js';
import { createReadContext, typeOf } from './read-context.js';

export interface ReadOptions extends ContextOptions {
  readonly defaultLocale: string;
  /** The action whose limits hold for the type itself: `findOne`. Default: `find`. */
  readonly action?: string;
  /** False where one document is read, so that `pagination` means nothing. Default: true for collection types. */
  readonly paginated?: boolean;
}

/**
 * Reads the parameters of a read into a frozen query, checked against the model and the caller's rights.
 * Parameters it does not know it ignores. Throws catalogue errors only: `request/invalid-parameter`, `request/pagination-mixed`,
 * `request/query-too-deep`, `request/query-too-large`.
 *
 * @example parseReadQuery(model, 'api::tag.tag', { filters: { name: 'red' }, sort: 'name' }, { limits, access, defaultLocale: 'en' })
 */
export function parseReadQuery(model: ContentModel, typeUid: Uid, raw: RawReadParams, options: ReadOptions): ReadQuery {
  const type = typeOf(model, typeUid);
  const context = createReadContext(model, options);
  const action = options.action ?? 'find';
  const root: Place = { holder: coveredType(context, typeUid, action), path: '', depth: 0 };
  const hasPublishedVersion = parseHasPublishedVersion(raw.hasPublishedVersion);
  const publicationFilter = parsePublicationFilter(raw.publicationFilter);
  return frozen<ReadQuery>({
    type: typeUid,
    filter: covered(context, typeUid, { action, filter: parseFilters(context, { ...root, path: 'filters' }, raw.filters) }),
    sort: parseSort(context, { ...root, path: 'sort' }, raw.sort),
    selection: parseSelectionAt(context, root, { ...PLAIN, given: { fields: raw.fields, populate: raw.populate } }),
    page: options.paginated ?? type.kind === 'collectionType' ? parsePage(raw.pagination, options.limits) : null,
    locale: parseLocale(raw.locale, options.defaultLocale),
    status: parseStatus(raw.status),
    hasPublishedVersion: type.draftAndPublish ? hasPublishedVersion : null,
    ...(publicationFilter === undefined ? {} : { publicationFilter }),
  });
}

/**
 * Reads what a write answers: `fields` and `populate` as for a read. Whoever may find documents of the type sees of what was written what
 * finding it would show; others what the write's own `action` covers. Throws as {@link parseReadQuery}.
 */
export function parseSelection(model: ContentModel, typeUid: Uid, raw: Pick<RawReadParams, 'fields' | 'populate'>, options: ContextOptions & { readonly action?: string }): Selection {
  const context = createReadContext(model, options);
  const action = options.access.canFind(typeUid) ? 'find' : (options.action ?? 'find');
  const root: Place = { holder: coveredType(context, typeUid, action), path: '', depth: 0 };
  const given = { fields: raw.fields, populate: raw.populate };
  return frozen<Selection>(parseSelectionAt(context, root, { ...PLAIN, given }));
}

/** The type stays as it is: these are readonly throughout, and a deeply readonly JSON value is beyond the type checker. */
const frozen = <T extends object>(value: T): T => {
  deepFreeze<object>(value);
  return value;
};
