import { TRASH_ACTIONS } from './actions.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { byCodePoint } from '../../lib/text.js';
import type { GrantRule } from '../access.js';
import { isRecord } from '../../lib/records.js';
import { didYouMean } from '../../lib/nearest.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, ScalarAttribute, Uid } from '../../model/model.js';
import { parseFilters } from '../../query/parse/parse-filters.js';
import type { FilterNode } from '../../query/query.js';
import { FIND_DRAFTS, FULL_ACCESS, SET_OWNER } from '../../query/read-access.js';
import { createReadContext } from '../../query/read-context.js';
import type { QueryLimits } from '../../query/read-context.js';

/** `$caller` is the `id` of the user who calls; `$caller.team` and `$user.team` are its other values. */
const USER_VALUE_PATTERN = /^\$(?:(?:user|caller)\.(.+)|caller)$/;

/** A filter that matches no document. */
export const MATCH_NOTHING: FilterNode = Object.freeze({
  kind: 'compare',
  field: 'id',
  operator: '$in',
  operand: Object.freeze([]),
});

const LIMITS: QueryLimits = { defaultLimit: 1, maxLimit: 1, populateDepth: 1, maxNodes: 1000 };

/** The values of `$user`: the caller's `id`, `documentId` and attributes; null if it is not a user. */
export type UserValues = Readonly<Record<string, unknown>> | null;

/** Thrown for a condition that refers to a value that the caller lacks. */
class UnresolvedUserValue extends Error {}

const userValue = (name: string, user: UserValues): unknown => {
  if (user === null) throw new UnresolvedUserValue();
  if (!Object.hasOwn(user, name)) {
    const suggestion = didYouMean(name, Object.keys(user), '', '$user.');
    throw createError('request/invalid-parameter', {
      parameter: `$user.${name}`,
      reason: `users have no visible attribute of that name. ${suggestion}`.trimEnd(),
    });
  }
  const value = user[name];
  // Otherwise a user without a team would see all documents without a team.
  if (value === null || value === undefined) throw new UnresolvedUserValue();
  return value;
};

const resolveUserValues = (value: unknown, user: UserValues): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolveUserValues(item, user));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolveUserValues(item, user)]),
    );
  const reference = typeof value === 'string' ? USER_VALUE_PATTERN.exec(value) : null;
  return reference === null ? value : userValue(reference[1] ?? 'id', user);
};

/**
 * Returns a condition as a filter on documents of a type, with the caller's values inserted. A condition that
 * refers to a value that the caller lacks matches nothing. Returns null for an empty condition.
 *
 * @throws `request/invalid-parameter` if the condition is not valid
 */
export function compileCondition(
  model: ContentModel,
  type: Uid,
  where: Readonly<Record<string, unknown>>,
  user: UserValues,
): FilterNode | null {
  const context = createReadContext(model, { limits: LIMITS, access: FULL_ACCESS });
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

/** The limits of a permission. */
export interface PermissionRule {
  /** Names of the attributes that it covers, sorted; null for all. */
  readonly fields: readonly string[] | null;
  /**
   * Filter for the documents that it covers; null for all. `$user.id` and similar names stand for the
   * caller's values.
   */
  readonly where: Readonly<Record<string, unknown>> | null;
  /** Codes of the locales that it covers, sorted. Absent: all. */
  readonly locales?: readonly string[];
  /** `draft` if it does not cover published versions. */
  readonly status?: 'draft';
}

export const UNLIMITED: PermissionRule = Object.freeze({ fields: null, where: null });

/** True if a rule covers only some documents, versions or attributes. */
export function isLimited({ fields, where, locales, status }: PermissionRule): boolean {
  return fields !== null || where !== null || locales !== undefined || status !== undefined;
}

/** Actions that involve no attributes. */
const FIELDLESS_ACTIONS: ReadonlySet<string> = new Set(['delete', 'destroy', 'count']);

/** Actions that cannot be limited, and what each covers. Conditions do not apply to deleted documents. */
const UNLIMITED_ACTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TRASH_ACTIONS.map((action) => [action, 'all deleted documents of the type'])),
  [SET_OWNER]: 'all documents that the caller may write',
};

/** Actions that write versions, which can be limited to drafts. */
const DRAFT_LIMITED = ['create', 'update', 'delete'] as const;

/** Actions on versions of one locale, which can be limited to locales. */
const LOCALE_LIMITED: readonly string[] = [
  'find',
  'findOne',
  FIND_DRAFTS,
  ...DRAFT_LIMITED,
  'findVersions',
  'restoreVersion',
];

/** True if an action (`api::tag.tag.update`) writes versions, so that it can be limited to drafts. */
export function isDraftLimited(action: string): boolean {
  return DRAFT_LIMITED.some((name) => name === lastSegment(action));
}

const textsIn = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : null;

/** Returns the rule stored in a permission's row. */
export function toPermissionRule(row: Readonly<Record<string, unknown>>): PermissionRule {
  const { fields, conditions, limits } = row;
  const names = textsIn(fields);
  const { locales, status } = isRecord(limits) ? limits : {};
  const codes = textsIn(locales);
  const rule: PermissionRule = {
    fields: names,
    where: isRecord(conditions) ? conditions : null,
    ...(codes === null ? {} : { locales: codes }),
    ...(status === 'draft' ? { status } : {}),
  };
  return isLimited(rule) ? rule : UNLIMITED;
}

/** Returns a rule in the form in which requests are authorised by it. */
export function toGrantRule(rule: PermissionRule): GrantRule {
  return { ...rule, fields: rule.fields === null ? null : new Set(rule.fields) };
}

/** Returns the values of a permission's row that store a rule. */
export function toStoredRule({
  fields,
  where,
  locales,
  status,
}: PermissionRule): Readonly<Record<string, unknown>> {
  const hasLimits = locales !== undefined || status !== undefined;
  return {
    ...(fields === null ? {} : { fields }),
    ...(where === null ? {} : { conditions: where }),
    ...(hasLimits ? { limits: { locales, status } } : {}),
  };
}

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  return isRecord(value)
    ? Object.fromEntries(
        Object.keys(value)
          .toSorted(byCodePoint)
          .map((key) => [key, sortKeys(value[key])]),
      )
    : value;
};

/** Prints a rule as JSON with sorted keys, so that equal rules have equal text. */
export function printRule({ where, ...limits }: PermissionRule): string {
  const { fields, locales, status } = limits;
  return JSON.stringify({ fields, where: sortKeys(where), locales, status });
}

const invalidRule = (action: string, reason: string, remedy = ''): GalleyError =>
  createError('access/invalid-permission-rule', { action, reason, remedy });

const normaliseFields = (type: ContentType, action: string, fields: readonly string[]): readonly string[] => {
  for (const name of fields) {
    if (Object.hasOwn(type.attributes, name)) continue;
    throw invalidRule(
      action,
      `${type.uid} has no attribute ${name}.`,
      didYouMean(name, Object.keys(type.attributes)),
    );
  }
  return [...new Set(fields)].toSorted(byCodePoint);
};

/** Returns an arbitrary value for each attribute that conditions may refer to, for checking conditions. */
const sampleUser = (model: ContentModel): Readonly<Record<string, unknown>> => {
  const sample = {
    integer: 1,
    bigint: '1',
    double: 1,
    boolean: true,
    datetime: '2026-01-01T00:00:00.000Z',
    text: 'x',
    json: null,
  };
  return Object.fromEntries(
    userAttributes(model).map(({ name, column, field }) => [
      name,
      field.name === 'date' ? '2026-01-01' : field.name === 'time' ? '10:00:00' : sample[column.kind],
    ]),
  );
};

const assertCondition = (
  model: ContentModel,
  type: ContentType,
  action: string,
  where: Readonly<Record<string, unknown>>,
): void => {
  try {
    compileCondition(model, type.uid, where, { id: 1, documentId: 'x', ...sampleUser(model) });
  } catch (error) {
    throw isGalleyError(error) ? invalidRule(action, error.message, error.hint) : error;
  }
};

/** Returns the limits to locales and to drafts. Whether the locales are configured is checked on writing. */
const normaliseLimits = (
  type: ContentType,
  action: string,
  { locales, status }: PermissionRule,
): Pick<PermissionRule, 'locales' | 'status'> => {
  const name = lastSegment(action);
  if (status !== undefined && !isDraftLimited(action))
    throw invalidRule(action, `${name} writes no versions.`, 'Remove the limit to drafts.');
  if (status !== undefined && !type.draftAndPublish)
    throw invalidRule(action, `${type.uid} has no drafts.`, 'Remove the limit to drafts.');
  if (locales !== undefined && !LOCALE_LIMITED.includes(name))
    throw invalidRule(action, `${name} concerns no single locale.`, 'Remove the limit to locales.');
  if (locales !== undefined && !type.localized)
    throw invalidRule(action, `${type.uid} has no locales.`, 'Remove the limit to locales.');
  return {
    ...(locales === undefined ? {} : { locales: [...new Set(locales)].toSorted(byCodePoint) }),
    ...(status === undefined ? {} : { status }),
  };
};

/**
 * Returns the limits of each of several actions that are granted together. A limit to drafts applies to those
 * that write.
 *
 * @throws `access/invalid-permission-rule` if none of them writes
 */
export function distributeRule(
  actions: readonly string[],
  rule: PermissionRule,
): ReadonlyMap<string, PermissionRule> {
  const { status, ...reading } = rule;
  const [first] = actions;
  if (status !== undefined && first !== undefined && !actions.some(isDraftLimited))
    throw invalidRule(
      first,
      'it writes no versions.',
      `Limit ${DRAFT_LIMITED.join(', ')} to drafts. To read no drafts, do not grant ${FIND_DRAFTS}.`,
    );
  return new Map(actions.map((action) => [action, isDraftLimited(action) ? rule : reading]));
}

/**
 * Checks the rule of an action (`api::tag.tag.find`). Returns it in its normal form.
 *
 * @throws `access/invalid-permission-rule` if the action accepts no rules, an attribute is unknown, or the
 *   condition is not valid
 */
export function normaliseRule(model: ContentModel, action: string, rule: PermissionRule): PermissionRule {
  if (!isLimited(rule)) return UNLIMITED;
  const { fields, where } = rule;
  const type = model.typesByUid[withoutLastSegment(action)];
  if (type === undefined)
    throw invalidRule(action, 'only actions on documents of a content-type can be limited.');
  const name = lastSegment(action);
  if (Object.hasOwn(UNLIMITED_ACTIONS, name))
    throw invalidRule(action, `${name} covers ${UNLIMITED_ACTIONS[name]}.`, 'Remove the limits.');
  if (fields !== null && FIELDLESS_ACTIONS.has(name))
    throw invalidRule(action, `${name} has no fields.`, 'Remove the list of fields.');
  if (where !== null) assertCondition(model, type, action, where);
  return {
    fields: fields === null ? null : normaliseFields(type, action, fields),
    where: where === null ? null : (sortKeys(where) as Readonly<Record<string, unknown>>),
    ...normaliseLimits(type, action, rule),
  };
}

/** Returns the content-type of users. */
export function userType(model: ContentModel): ContentType {
  return typeOf(model, USER_UID);
}

/** Returns the attributes of users that conditions of permissions may refer to as `$user.name`. */
export function userAttributes(model: ContentModel): readonly ScalarAttribute[] {
  return Object.values(userType(model).attributes).filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.family === 'scalar' &&
      !attribute.private &&
      attribute.field.filterable &&
      attribute.column.kind !== 'json',
  );
}
