import type { FindManyResult } from '../../../documents/documents.js';
import type { ContentType } from '../../../model/model.js';
import type { Page, ReadQuery } from '../../../query/query.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { planRead, pageInfoRequest } from '../selection/plan-read.js';
import type { RootReadOptions } from '../selection/plan-read.js';
import { pageInfoValues } from './page-info.js';
import { createAuthorisedResolver, parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

interface FoundRecords {
  readonly records: readonly unknown[];
  readonly page: Page | null;
  readonly result: FindManyResult;
}

type ListRequest = NonNullable<RootReadOptions['list']>;

/** Reads at most one record more than `amountLimit`, which is enough to notice a list that is too long. */
function withinAmountLimit(query: ReadQuery, { amountLimit }: GraphqlOptions): ReadQuery {
  const { page } = query;
  return page === null || page.limit <= amountLimit + 1
    ? query
    : { ...query, page: { ...page, limit: amountLimit + 1 } };
}

const findRecords = async (
  { type, args, context, info }: RootCall,
  list: ListRequest,
): Promise<FoundRecords> => {
  const query = planRead({ context, info, type, args, list });
  const { documents, options } = context.dependencies;
  context.reads.push(query);
  const result = await documents.findMany(withinAmountLimit(query, options), context.signal());
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
    return { nodes: records, pageInfo: isRequested ? pageInfoValues(page, result) : null };
  });
}
