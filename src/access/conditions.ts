import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import { nearest } from '../lib/nearest.js';
import type { ContentModel, Uid } from '../model/model.js';
import { parseFilters } from '../query/parse-filters.js';
import { createReadContext, typeOf } from '../query/read-context.js';
import type { FilterNode, QueryLimits } from '../query/query.js';

const USER_VALUE = /^\$user\.(.+)$/;

/** No document fulfils it. */
export const NOTHING: FilterNode = Object.freeze({ kind: 'compare', field: 'id', operator: '$in', operand: Object.freeze([]) });

const LIMITS: QueryLimits = { defaultLimit: 1, maxLimit: 1, populateDepth: 1, maxNodes: 1000 };

/** The values that `$user.name` stands for: the caller's `id`, `documentId` and attributes. Null: the caller is no user. */
export type UserValues = Readonly<Record<string, unknown>> | null;

/** What a condition comes to that refers to something the caller has not. */
class Unresolved extends Error {}

const userValue = (name: string, user: UserValues): unknown => {
  if (user === null) throw new Unresolved();
  if (!Object.hasOwn(user, name)) {
    const close = nearest(name, Object.keys(user));
    throw fail('request/invalid-parameter', { parameter: `$user.${name}`, reason: `users have no such attribute that may be shown.${close === undefined ? '' : ` Did you mean $user.${close}?`}` });
  }
  const value = user[name];
  // Else a user without a team would see what belongs to no team.
  if (value === null || value === undefined) throw new Unresolved();
  return value;
};

const resolve = (value: unknown, user: UserValues): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, user));
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, user)]));
  const name = typeof value === 'string' ? USER_VALUE.exec(value)?.[1] : undefined;
  return name === undefined ? value : userValue(name, user);
};

/**
 * A condition as a filter on documents of a type, with the caller's values in it. One that refers to a value the caller has not is
 * fulfilled by nothing; null where the condition says nothing.
 *
 * @throws `request/invalid-parameter` where it cannot be understood
 */
export function compileWhere(model: ContentModel, type: Uid, where: Readonly<Record<string, unknown>>, user: UserValues): FilterNode | null {
  const context = createReadContext(model, { limits: LIMITS, access: { canFind: () => true } });
  try {
    return parseFilters(context, { holder: typeOf(model, type), path: 'where', depth: 0 }, resolve(where, user));
  } catch (error) {
    if (error instanceof Unresolved) return NOTHING;
    throw error;
  }
}
