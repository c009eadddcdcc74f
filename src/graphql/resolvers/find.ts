import type { ContentType } from '../../model/model.js';
import type { Page } from '../../query/query.js';
import { planRead, wantsPageInfo } from '../selection/plan-read.js';
import { pageInfoOf } from './page-info.js';
import { guarded, parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

interface Found {
  readonly records: readonly unknown[];
  readonly page: Page | null;
  readonly total: number | null;
}

/** Reads one record more than may be answered at most, so that asking for too many costs no more than that. */
const findRecords = async ({ type, args, context, info }: RootCall, under: string | null): Promise<Found> => {
  const query = planRead({ context, info, type, args, list: { under, withCount: under !== null && wantsPageInfo(info) } });
  const { amountLimit } = context.parts.options;
  const page = query.page === null ? null : { ...query.page, limit: Math.min(query.page.limit, amountLimit + 1) };
  const { records, total } = await context.parts.documents.findMany({ ...query, page });
  context.spendItems(records.length);
  return { records: records.map(parseRecord), page: query.page, total };
};

/** `articles`: a list, with the permission find. */
export function resolveFind(type: ContentType): RootResolver {
  return guarded(type, 'find', async (call) => (await findRecords(call, null)).records);
}

/** `articles_connection`: the same under `nodes`, and counted where `pageInfo` is asked for. */
export function resolveConnection(type: ContentType): RootResolver {
  return guarded(type, 'find', async (call) => {
    const found = await findRecords(call, 'nodes');
    return { nodes: found.records, pageInfo: pageInfoOf(found.page, found.total ?? 0) };
  });
}
