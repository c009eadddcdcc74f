import type { LocaleRecord } from '../../../access/access.js';
import { createRecordOrder, matchesFilter } from '../../../query/match-record.js';
import type { InMemoryRecord } from '../../../query/match-record.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import { parsePage } from '../../../query/parse/parse-pagination.js';
import { parseSort } from '../../../query/parse/parse-sort.js';
import type { Page } from '../../../query/query.js';
import { createReadContext } from '../../../query/read-context.js';
import { toFilters } from '../selection/to-filters.js';
import { LOCALE_TYPE } from '../schema/locale-type.js';
import { pageInfoOf } from './page-info.js';
import { createAuthorisedResolver } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

interface FoundLocales {
  readonly records: readonly InMemoryRecord[];
  readonly page: Page;
  readonly total: number;
}

const recordOf = (locale: LocaleRecord): InMemoryRecord => {
  const { documentId, name, code, createdAt, updatedAt, publishedAt } = locale;
  return { documentId, name, code, createdAt, updatedAt, publishedAt };
};

const findLocales = ({ args, context }: RootCall): FoundLocales => {
  const { model, access } = context.dependencies;
  const readContext = createReadContext(model, { access: context.rights, limits: context.limits });
  const location = { schema: LOCALE_TYPE, path: 'filters', depth: 0 };
  const filter = parseFilters(readContext, location, toFilters(model, LOCALE_TYPE, args['filters']));
  const sort = parseSort(readContext, { ...location, path: 'sort' }, args['sort']);
  const page = parsePage(args['pagination'], context.limits);
  const matching = access.locales
    .all()
    .map(recordOf)
    .filter((record) => filter === null || matchesFilter(LOCALE_TYPE, filter, record));
  const sorted = matching.toSorted(createRecordOrder(LOCALE_TYPE, sort));
  return { records: sorted.slice(page.offset, page.offset + page.limit), page, total: matching.length };
};

/** `i18NLocales`. The locales are kept in memory, so this runs no statement. */
export const resolveLocales: RootResolver = createAuthorisedResolver(
  LOCALE_TYPE,
  'find',
  async (call) => findLocales(call).records,
);

export const resolveLocale: RootResolver = createAuthorisedResolver(
  LOCALE_TYPE,
  'findOne',
  async ({ args, context }) => {
    const found = context.dependencies.access.locales
      .all()
      .find(({ documentId }) => documentId === args['documentId']);
    return found === undefined ? null : recordOf(found);
  },
);

export const resolveLocalesConnection: RootResolver = createAuthorisedResolver(
  LOCALE_TYPE,
  'find',
  async (call) => {
    const { records, page, total } = findLocales(call);
    const hasPreviousPage = page.offset > 0;
    const hasNextPage = page.offset + page.limit < total;
    return { nodes: records, pageInfo: { ...pageInfoOf(page, total), hasPreviousPage, hasNextPage } };
  },
);
