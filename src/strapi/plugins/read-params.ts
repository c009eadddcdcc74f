import type { QueryParams } from './plugin-host.js';

/** Turns parameters of the API (`filters`, `sort`, `fields`) into those of `db.query`. */
export function toQueryParams(params: QueryParams | null | undefined): Record<string, unknown> {
  const { filters, sort, fields, pagination, ...rest } = params ?? {};
  const page = (pagination ?? {}) as Readonly<Record<string, unknown>>;
  const names: Readonly<Record<string, unknown>> = {
    where: filters,
    orderBy: sort,
    select: fields,
    limit: page['limit'],
    offset: page['start'],
    page: page['page'],
    pageSize: page['pageSize'],
  };
  return { ...rest, ...Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)) };
}
