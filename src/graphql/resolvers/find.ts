import type { ContentType } from '../../model/model.js';
import type { Page } from '../../query/query.js';
import { planRead, isPageInfoRequested } from '../selection/plan-read.js';
import { pageInfoOf } from './page-info.js';
import { createAuthorisedResolver, parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

interface FoundRecords {
  readonly records: readonly unknown[];
  readonly page: Page | null;
  readonly total: number | null;
}

/** Reads at most one record more than `amountLimit`, which is enough to notice a list that is too long. */
const findRecords = async (
  { type, args, context, info }: RootCall,
  recordsField: string | null,
): Promise<FoundRecords> => {
  const query = planRead({
    context,
    info,
    type,
    args,
    list: { recordsField, withCount: recordsField !== null && isPageInfoRequested(info) },
  });
  const { amountLimit } = context.dependencies.options;
  const page =
    query.page === null ? null : { ...query.page, limit: Math.min(query.page.limit, amountLimit + 1) };
  const { records, total } = await context.dependencies.documents.findMany({ ...query, page });
  context.chargeItems(records.length);
  return { records: records.map(parseRecord), page: query.page, total };
};

/** Resolves `articles` to a list. Requires the permission `find`. */
export function resolveFind(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'find', async (call) => (await findRecords(call, null)).records);
}

/**
 * Resolves `articles_connection`. The records are counted only if `pageInfo` is requested; otherwise it is
 * null.
 */
export function resolveConnection(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'find', async (call) => {
    const { records, page, total } = await findRecords(call, 'nodes');
    return { nodes: records, pageInfo: total === null ? null : pageInfoOf(page, total) };
  });
}
