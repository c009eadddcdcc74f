import type { FindManyResult } from '../../documents/documents.js';
import type { ContentType } from '../../model/model.js';
import type { Page } from '../../query/query.js';
import { planRead, pageInfoRequest } from '../selection/plan-read.js';
import type { RootReadOptions } from '../selection/plan-read.js';
import { cursorInfoOf, pageInfoOf } from './page-info.js';
import { createAuthorisedResolver, parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

interface FoundRecords {
  readonly records: readonly unknown[];
  readonly page: Page | null;
  readonly result: FindManyResult;
}

type ListRequest = NonNullable<RootReadOptions['list']>;

/** Reads at most one record more than `amountLimit`, which is enough to notice a list that is too long. */
const findRecords = async (
  { type, args, context, info }: RootCall,
  list: ListRequest,
): Promise<FoundRecords> => {
  const query = planRead({ context, info, type, args, list });
  const { amountLimit } = context.dependencies.options;
  const page =
    query.page === null ? null : { ...query.page, limit: Math.min(query.page.limit, amountLimit + 1) };
  const result = await context.dependencies.documents.findMany({ ...query, page });
  context.chargeItems(result.records.length);
  return { records: result.records.map(parseRecord), page: query.page, result };
};

/** Resolves `articles` to a list. Requires the permission `find`. */
export function resolveFind(type: ContentType): RootResolver {
  const list: ListRequest = { recordsField: null, withCount: false };
  return createAuthorisedResolver(type, 'find', async (call) => (await findRecords(call, list)).records);
}

/** Resolves `articles_connection`. Unless it is requested, `pageInfo` is null. */
export function resolveConnection(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'find', async (call) => {
    const { isRequested, ...request } = pageInfoRequest(call.info);
    const { records, page, result } = await findRecords(call, { recordsField: 'nodes', ...request });
    const { total, ends } = result;
    return {
      nodes: records,
      pageInfo: isRequested
        ? {
            ...(total === null ? {} : pageInfoOf(page, total)),
            ...(ends === undefined ? {} : cursorInfoOf(ends)),
          }
        : null,
    };
  });
}
