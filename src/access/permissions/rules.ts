import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { byCodePoint } from '../../lib/compare.js';
import { isRecord } from '../../lib/is-record.js';
import { didYouMean } from '../../lib/nearest.js';
import { lastSegment, withoutLastSegment } from '../../lib/uid.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { compileCondition } from './compile-condition.js';
import { userAttributes } from '../accounts/user-attributes.js';

/** The limits of a permission. */
export interface PermissionRule {
  /** Names of the attributes it covers, sorted; null: all. */
  readonly fields: readonly string[] | null;
  /**
   * Filter for the documents it covers, in which `$user.id` and similar names stand for the caller's values;
   * null: all.
   */
  readonly where: Readonly<Record<string, unknown>> | null;
}

export const UNLIMITED: PermissionRule = Object.freeze({ fields: null, where: null });

/** True if a rule covers only some documents or attributes. */
export function isLimited({ fields, where }: PermissionRule): boolean {
  return fields !== null || where !== null;
}

/** Actions that involve no attributes. */
const FIELDLESS_ACTIONS: ReadonlySet<string> = new Set(['delete', 'destroy', 'count']);

/** Returns the rule stored in a permission's row. */
export function toPermissionRule(row: Readonly<Record<string, unknown>>): PermissionRule {
  const { fields, conditions } = row;
  const names = Array.isArray(fields)
    ? fields.filter((name): name is string => typeof name === 'string')
    : null;
  return names === null && !isRecord(conditions)
    ? UNLIMITED
    : { fields: names, where: isRecord(conditions) ? conditions : null };
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
export function printRule({ fields, where }: PermissionRule): string {
  return JSON.stringify({ fields, where: sortKeys(where) });
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

/**
 * Returns an arbitrary value for each attribute that conditions may refer to. Conditions are checked with
 * them.
 */
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

/**
 * Checks the rule of an action (`api::tag.tag.find`). Returns it in its normal form.
 *
 * @throws `access/invalid-permission-rule` if the action takes no rules, an attribute is unknown, or the
 *   condition cannot be understood
 */
export function normaliseRule(
  model: ContentModel,
  action: string,
  { fields, where }: PermissionRule,
): PermissionRule {
  if (fields === null && where === null) return UNLIMITED;
  const type = model.typesByUid[withoutLastSegment(action)];
  if (type === undefined)
    throw invalidRule(action, 'only actions on documents of a content-type can be limited.');
  const name = lastSegment(action);
  if (fields !== null && FIELDLESS_ACTIONS.has(name))
    throw invalidRule(action, `${name} has no fields.`, 'Remove the list of fields.');
  if (where !== null) assertCondition(model, type, action, where);
  return {
    fields: fields === null ? null : normaliseFields(type, action, fields),
    where: where === null ? null : (sortKeys(where) as Readonly<Record<string, unknown>>),
  };
}
