import type { LocaleRecord } from '../../access/access.js';
import { parseFilters } from '../../query/parse-filters.js';
import { parsePage } from '../../query/parse-pagination.js';
import { parseSort } from '../../query/parse-sort.js';
import type { Page } from '../../query/query.js';
import { createReadContext } from '../../query/read-context.js';
import { compareRecords, matchesFilter } from '../selection/in-memory.js';
import { toFilters } from '../selection/to-filters.js';
import { LOCALE_TYPE } from '../schema/locale-type.js';
import { pageInfoOf } from './page-info.js';
import { guarded } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

interface FoundLocales {
  readonly records: readonly unknown[];
  readonly page: Page;
  readonly total: number;
}

const recordOf = ({ documentId, name, code, createdAt, updatedAt }: LocaleRecord): Readonly<Record<string, unknown>> =>
  ({ documentId, name, code, createdAt, updatedAt, publishedAt: createdAt });

const findLocales = ({ args, context }: RootCall): FoundLocales => {
  const { model, access } = context.parts;
  const read = createReadContext(model, { access: context.rights, limits: context.limits });
  const place = { holder: LOCALE_TYPE, path: 'filters', depth: 0 };
  const filter = parseFilters(read, place, toFilters(model, LOCALE_TYPE, args['filters']));
  const sort = parseSort(read, { ...place, path: 'sort' }, args['sort']);
  const page = parsePage(args['pagination'], context.limits);
  const matching = access.locales.all().map(recordOf).filter((record) => filter === null || matchesFilter(filter, record));
  const records = matching.toSorted(compareRecords(sort)).slice(page.offset, page.offset + page.limit);
  return { records, page, total: matching.length };
};

/** `i18NLocales`: they are in memory, so that no statement is needed. */
export const resolveLocales: RootResolver = guarded(LOCALE_TYPE, 'find', async (call) => findLocales(call).records);

export const resolveLocale: RootResolver = guarded(LOCALE_TYPE, 'findOne', async ({ args, context }) => {
  const found = context.parts.access.locales.all().find(({ documentId }) => documentId === args['documentId']);
  return found === undefined ? null : recordOf(found);
});

export const resolveLocalesConnection: RootResolver = guarded(LOCALE_TYPE, 'find', async (call) => {
  const { records, page, total } = findLocales(call);
  return { nodes: records, pageInfo: pageInfoOf(page, total) };
});
