import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { ContentModel } from '../../../src/model/model.js';
import { parseReadQuery } from '../../../src/query/parse-read-query.js';
import type { ReadOptions } from '../../../src/query/parse-read-query.js';
import type { FilterNode, PopulateNode, QueryLimits, RawReadParams, ReadQuery } from '../../../src/query/query.js';
import { loadFixtureModel } from '../../support/models.js';

export const magazine: ContentModel = await loadFixtureModel('magazine');

export const ARTICLE = 'api::article.article';
export const AUTHOR = 'api::author.author';
export const CATEGORY = 'api::category.category';
export const TAG = 'api::tag.tag';

export const LIMITS: QueryLimits = { defaultLimit: 25, maxLimit: 100, populateDepth: 6, maxNodes: 200 };

export interface Reading extends Partial<ReadOptions> {
  readonly model?: ContentModel;
}

/** Reads as someone who may find everything, unless told otherwise. */
export function read(type: string, raw: RawReadParams, { model = magazine, ...options }: Reading = {}): ReadQuery {
  return parseReadQuery(model, type, raw, { limits: LIMITS, access: { canFind: () => true }, defaultLocale: 'en', ...options });
}

/** The rights of someone who may find these types only. */
export const finding = (...types: readonly string[]): Pick<Reading, 'access'> => ({ access: { canFind: (type) => types.includes(type) } });

/** The refusal's code and message; fails the test where there is none, or another error. */
export function refusal(attempt: () => unknown): { readonly code: string; readonly kind: string; readonly message: string } {
  try {
    attempt();
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return { code: error.code, kind: error.kind, message: error.message };
  }
  throw new Error('nothing was refused');
}

export function filterOf(type: string, filters: unknown, reading: Reading = {}): FilterNode | null {
  return read(type, { filters }, reading).filter;
}

export function populateOf(type: string, populate: unknown, reading: Reading = {}): readonly PopulateNode[] {
  return read(type, { populate }, reading).selection.populate;
}
