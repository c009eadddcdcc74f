import { PaginationError } from '../../../errors/project-errors.js';

interface Page {
  readonly page?: number | null;
  readonly pageSize?: number | null;
  readonly start?: number | null;
  readonly limit?: number | null;
}

interface PaginationOptions {
  readonly defaults?: {
    readonly offset?: { readonly start?: number; readonly limit?: number };
    readonly page?: { readonly page?: number; readonly pageSize?: number };
  };
  /** -1: none. */
  readonly maxLimit?: number;
}

const DEFAULT_SIZE = 10;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The part of a list that parameters mean. */
const rangeOf = (
  { page, pageSize, start, limit }: Page,
  { defaults = {}, maxLimit = -1 }: PaginationOptions,
): { readonly start: number; readonly limit: number } => {
  const isPaged = isGiven(page) || isGiven(pageSize);
  if (isPaged && (isGiven(start) || isGiven(limit)))
    throw new PaginationError('Cannot use both page & offset pagination in the same query');
  if (isPaged) {
    const size = Math.max(1, pageSize ?? 0);
    return { start: ((page ?? defaults.page?.page ?? 1) - 1) * size, limit: size };
  }
  const size = limit ?? defaults.offset?.limit ?? DEFAULT_SIZE;
  return { start: start ?? defaults.offset?.start ?? 0, limit: size === -1 ? maxLimit : size };
};

const sizeOf = ({ pageSize, limit, page }: Page, total: number): number =>
  (isGiven(page) ? pageSize : limit) ?? total;

/** `pagination` of `@strapi/utils`. */
export const pagination = {
  /** Replaces pages by `start` and `limit`, within their bounds. */
  withDefaultPagination: (
    given: Page & Readonly<Record<string, unknown>>,
    options: PaginationOptions = {},
  ) => {
    const { page: _page, pageSize: _pageSize, start: _start, limit: _limit, ...rest } = given;
    const { start, limit } = rangeOf(given, options);
    const { maxLimit = -1 } = options;
    const least = limit === -1 ? limit : Math.max(limit, 1);
    return {
      ...rest,
      start: Math.max(start, 0),
      limit: maxLimit === -1 || least < maxLimit ? least : maxLimit,
    };
  },
  transformPagedPaginationInfo: (given: Page, total: number) => {
    if (!isGiven(given.page) && !isGiven(given.start))
      return { ...given, page: 1, pageSize: DEFAULT_SIZE, pageCount: 1, total };
    const pageSize = sizeOf(given, total);
    return {
      page: given.page ?? Math.floor((given.start ?? 0) / pageSize) + 1,
      pageSize,
      pageCount: pageSize > 0 ? Math.ceil(total / pageSize) : 0,
      total,
    };
  },
  transformOffsetPaginationInfo: (given: Page, total: number) => {
    if (!isGiven(given.page) && !isGiven(given.start))
      return { ...given, start: 0, limit: DEFAULT_SIZE, total };
    const limit = sizeOf(given, total);
    return {
      start: isGiven(given.page) ? ((given.page ?? 1) - 1) * limit : (given.start ?? 0),
      limit,
      total,
    };
  },
};
