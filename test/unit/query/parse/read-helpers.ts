import { isGalleyError } from '../../../../src/errors/galley-error.js';
import type { ErrorDetails } from '../../../../src/errors/galley-error.js';
import type { ContentModel } from '../../../../src/model/model.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import type { ReadOptions } from '../../../../src/query/parse/parse-read-query.js';
import type { FilterNode, PopulateNode, ReadQuery } from '../../../../src/query/query.js';
import type { QueryLimits, RawReadParams } from '../../../../src/query/read-context.js';
import { loadFixtureModel } from '../../../support/models.js';

export const magazine: ContentModel = await loadFixtureModel('magazine');

export const ARTICLE = 'api::article.article';
export const AUTHOR = 'api::author.author';
export const CATEGORY = 'api::category.category';
export const TAG = 'api::tag.tag';

export const LIMITS: QueryLimits = { defaultLimit: 25, maxLimit: 100, populateDepth: 6, maxNodes: 200 };

export interface ReadTestOptions extends Partial<ReadOptions> {
  readonly model?: ContentModel;
}

/** Parses a read of a caller who may find every type, unless `options.access` is given. */
export function read(
  type: string,
  raw: RawReadParams,
  { model = magazine, ...options }: ReadTestOptions = {},
): ReadQuery {
  return parseReadQuery(model, type, raw, {
    limits: LIMITS,
    access: { canFind: () => true },
    defaultLocale: 'en',
    ...options,
  });
}

/** The access of a caller who may find only these types. */
export const canFindOnly = (...types: readonly string[]): Pick<ReadTestOptions, 'access'> => ({
  access: { canFind: (type) => types.includes(type) },
});

/** Returns the error of the catalogue that `attempt` throws. Throws without one, or on another error. */
export function errorOf(attempt: () => unknown): {
  readonly code: string;
  readonly kind: string;
  readonly message: string;
  readonly details: ErrorDetails;
} {
  try {
    attempt();
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return { code: error.code, kind: error.kind, message: error.message, details: error.details };
  }
  throw new Error('no error was thrown');
}

export function filterOf(type: string, filters: unknown, options: ReadTestOptions = {}): FilterNode | null {
  return read(type, { filters }, options).filter;
}

export function populateOf(
  type: string,
  populate: unknown,
  options: ReadTestOptions = {},
): readonly PopulateNode[] {
  return read(type, { populate }, options).selection.populate;
}
