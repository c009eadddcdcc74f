import { createApiError } from './errors.js';
import type { BulkItem, BulkOutcome, Collection, IterateQuery, SingleType } from './content-types.js';
import type { RequestOptions, Transport } from './transport.js';

interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly pagination: { readonly next: string | null } };
}

/** Values whose types the public interfaces state. */
type Params = object | undefined;

/** Reads a list by cursor. */
async function* iterate(
  find: (query: object, options?: RequestOptions) => Promise<unknown>,
  query: IterateQuery<object> = {},
  options?: RequestOptions,
): AsyncGenerator<unknown, void> {
  for (let after: string | null = ''; after !== null;) {
    const pagination = { limit: 100, ...query.pagination, after };
    const { data, meta } = (await find({ ...query, pagination }, options)) as Page;
    yield* data;
    after = meta.pagination.next;
  }
}

/** The operations of one content-type below `path`. Those of single types lack the documentId. */
export function createContent(
  { send, options: { prefix } }: Transport,
  name: string,
): Collection<object, object> & SingleType<object, object> {
  const path = `${prefix}/${encodeURIComponent(name)}`;
  const below = (documentId: string): string => `${path}/${encodeURIComponent(documentId)}`;
  const find = (query?: object, options?: RequestOptions): Promise<unknown> =>
    send('GET', path, { query, ...options });
  const bulk = (data: unknown, query?: object, options?: RequestOptions): Promise<unknown> =>
    send('POST', `${path}/bulk`, { body: { data }, query, ...options });
  const one =
    (action: BulkItem<object>['action']) =>
    async (documentId: string, query?: object, options?: RequestOptions): Promise<unknown> => {
      const item = [{ action, documentId }];
      const answer = await bulk(item, { ...query, atomic: false }, options);
      const [outcome] = (answer as { readonly data: readonly [BulkOutcome<object>] }).data;
      if (outcome.error !== undefined) throw createApiError(outcome.status, outcome.error);
      return { data: outcome.data, meta: {} };
    };
  const content = {
    find,
    findOne: (documentId: string, query?: object, options?: RequestOptions) =>
      send('GET', below(documentId), { query, ...options }),
    iterate: (query?: object, options?: RequestOptions) => iterate(find, query, options),
    aggregate: (query?: object, options?: RequestOptions) =>
      send('GET', `${path}/aggregate`, { query, ...options }),
    create: (data: object, query?: object, options?: RequestOptions) =>
      send('POST', path, { body: { data }, query, ...options }),
    update: (...given: readonly [string, object, Params?, Params?] | readonly [object, Params?, Params?]) => {
      const [place, data, query, options] =
        typeof given[0] === 'string' ? [below(given[0]), ...given.slice(1)] : [path, ...given];
      return send('PUT', place, { body: { data }, query: query as Params, ...(options as RequestOptions) });
    },
    delete: (...given: readonly [string, Params?, Params?] | readonly [Params?, Params?]) => {
      const [place, query, options] =
        typeof given[0] === 'string' ? [below(given[0]), ...given.slice(1)] : [path, ...given];
      return send('DELETE', place, { query: query as Params, ...(options as RequestOptions) });
    },
    publish: one('publish'),
    unpublish: one('unpublish'),
    discardDraft: one('discardDraft'),
    bulk,
  };
  return content as never;
}
