import { ValidationError } from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/is-record.js';
import type { CoreStrapi, Params } from './strapi-services.js';

/** The part of a list that is read. */
export interface Slice {
  readonly start: number;
  readonly limit: number;
  readonly isPaged: boolean;
}

const numberOr = (value: unknown, fallback: number): number => {
  const number = Number(value ?? fallback);
  return Number.isInteger(number) ? number : fallback;
};

/** Reads `pagination` as Strapi does: a size beyond the limit is the limit, -1 as many as there may be. */
export function sliceOf({ config }: CoreStrapi, { pagination }: Params): Slice {
  const { defaultLimit, maxLimit } = config.api.rest;
  const given = isRecord(pagination) ? pagination : {};
  const isPaged = !('start' in given || 'limit' in given);
  const asked = numberOr(isPaged ? given['pageSize'] : given['limit'], defaultLimit);
  const most = maxLimit > 0 ? maxLimit : Number.MAX_SAFE_INTEGER;
  const limit = asked === -1 ? most : Math.min(Math.max(asked, isPaged ? 1 : 0), most);
  const start = isPaged ? (Math.max(numberOr(given['page'], 1), 1) - 1) * limit : numberOr(given['start'], 0);
  return { start: Math.max(start, 0), limit, isPaged };
}

const TRUE: ReadonlySet<unknown> = new Set([true, 'true', 't', '1', 1]);
const FALSE: ReadonlySet<unknown> = new Set([false, undefined, 'false', 'f', '0', 0]);

/** True if a list is counted. */
export function isCounted({ pagination }: Params): boolean {
  if (!isRecord(pagination) || !('withCount' in pagination)) return true;
  const { withCount } = pagination;
  if (TRUE.has(withCount)) return true;
  if (FALSE.has(withCount)) return false;
  throw new ValidationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"');
}

/** Returns the pagination of a response: the page or slice, and the totals if they were counted. */
export function printSlice({ start, limit, isPaged }: Slice, total: number | null): Params {
  if (!isPaged) return { start, limit, ...(total === null ? {} : { total }) };
  const page = { page: Math.floor(start / limit) + 1, pageSize: limit };
  return total === null ? page : { ...page, pageCount: Math.ceil(total / limit), total };
}
