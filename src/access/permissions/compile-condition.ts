import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { didYouMean } from '../../lib/nearest.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { parseFilters } from '../../query/parse/parse-filters.js';
import { createReadContext } from '../../query/read-context.js';
import type { FilterNode } from '../../query/query.js';
import type { QueryLimits } from '../../query/read-params.js';

const USER_VALUE_PATTERN = /^\$user\.(.+)$/;

/** Matches no document. */
export const MATCH_NOTHING: FilterNode = Object.freeze({
  kind: 'compare',
  field: 'id',
  operator: '$in',
  operand: Object.freeze([]),
});

const LIMITS: QueryLimits = { defaultLimit: 1, maxLimit: 1, populateDepth: 1, maxNodes: 1000 };

/** The values of `$user`: the caller's `id`, `documentId` and attributes; null if it is not a user. */
export type UserValues = Readonly<Record<string, unknown>> | null;

/** Thrown for a condition that refers to a value the caller does not have. */
class UnresolvedUserValue extends Error {}

const userValue = (name: string, user: UserValues): unknown => {
  if (user === null) throw new UnresolvedUserValue();
  if (!Object.hasOwn(user, name)) {
    const suggestion = didYouMean(name, Object.keys(user), '', '$user.');
    throw createError('request/invalid-parameter', {
      parameter: `$user.${name}`,
      reason: `users have no such attribute that may be shown. ${suggestion}`.trimEnd(),
    });
  }
  const value = user[name];
  // Otherwise a user without a team would see everything that belongs to no team.
  if (value === null || value === undefined) throw new UnresolvedUserValue();
  return value;
};

const resolveUserValues = (value: unknown, user: UserValues): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolveUserValues(item, user));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolveUserValues(item, user)]),
    );
  const name = typeof value === 'string' ? USER_VALUE_PATTERN.exec(value)?.[1] : undefined;
  return name === undefined ? value : userValue(name, user);
};

/**
 * Returns a condition as a filter on documents of a type, with the caller's values inserted. A condition that
 * refers to a value the caller does not have matches nothing. Returns null for an empty condition.
 *
 * @throws `request/invalid-parameter` if the condition cannot be understood
 */
export function compileCondition(
  model: ContentModel,
  type: Uid,
  where: Readonly<Record<string, unknown>>,
  user: UserValues,
): FilterNode | null {
  const context = createReadContext(model, { limits: LIMITS, access: { canFind: () => true } });
  try {
    return parseFilters(
      context,
      { schema: typeOf(model, type), path: 'where', depth: 0 },
      resolveUserValues(where, user),
    );
  } catch (error) {
    if (error instanceof UnresolvedUserValue) return MATCH_NOTHING;
    throw error;
  }
}
