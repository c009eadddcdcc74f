import { fail } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isGalleyError } from '../errors/galley-error.js';
import { byCodePoint } from '../lib/compare.js';
import { isRecord } from '../lib/is-record.js';
import { nearest } from '../lib/nearest.js';
import type { ContentModel, ContentType } from '../model/model.js';
import { compileWhere } from './conditions.js';
import { userAttributes } from './user-attributes.js';

/** How far a permission goes. */
export interface PermissionRule {
  /** Names of the attributes it covers, sorted; null: all. */
  readonly fields: readonly string[] | null;
  /** Which documents it covers, in the filter language, with `$user.id` and the like for the caller's own values; null: all. */
  readonly where: Readonly<Record<string, unknown>> | null;
}

export const UNLIMITED: PermissionRule = Object.freeze({ fields: null, where: null });

/** Actions that have no attributes to speak of. */
const WITHOUT_FIELDS: ReadonlySet<string> = new Set(['delete', 'destroy', 'count']);

/** A rule as it is stored in a permission's row. */
export function ruleOf(row: Readonly<Record<string, unknown>>): PermissionRule {
  const { fields, conditions } = row;
  const names = Array.isArray(fields) ? fields.filter((name): name is string => typeof name === 'string') : null;
  return names === null && !isRecord(conditions) ? UNLIMITED : { fields: names, where: isRecord(conditions) ? conditions : null };
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  return isRecord(value) ? Object.fromEntries(Object.keys(value).toSorted(byCodePoint).map((key) => [key, sorted(value[key])])) : value;
};

/** One text for all spellings of a rule. */
export function printRule({ fields, where }: PermissionRule): string {
  return JSON.stringify({ fields, where: sorted(where) });
}

const invalid = (action: string, reason: string, remedy = ''): GalleyError => fail('access/invalid-rule', { action, reason, remedy });

const checkFields = (type: ContentType, action: string, fields: readonly string[]): readonly string[] => {
  for (const name of fields) {
    if (Object.hasOwn(type.attributes, name)) continue;
    const close = nearest(name, Object.keys(type.attributes));
    throw invalid(action, `${type.uid} has no attribute ${name}.`, close === undefined ? '' : `Did you mean ${close}?`);
  }
  return [...new Set(fields)].toSorted(byCodePoint);
};

/** Some value of every attribute that conditions may refer to, to try them out with. */
const sampleUser = (model: ContentModel): Readonly<Record<string, unknown>> => {
  const sample = { integer: 1, bigint: '1', double: 1, boolean: true, datetime: '2026-01-01T00:00:00.000Z', text: 'x', json: null };
  return Object.fromEntries(userAttributes(model).map(({ name, column, field }) => [name, field.name === 'date' ? '2026-01-01' : field.name === 'time' ? '10:00:00' : sample[column.kind]]));
};

const checkWhere = (model: ContentModel, type: ContentType, action: string, where: Readonly<Record<string, unknown>>): void => {
  try {
    compileWhere(model, type.uid, where, { id: 1, documentId: 'x', ...sampleUser(model) });
  } catch (error) {
    throw isGalleyError(error) ? invalid(action, error.message, error.hint) : error;
  }
};

/**
 * A rule for an action (`api::tag.tag.find`), checked and in its one spelling.
 *
 * @throws `access/invalid-rule` where the action takes no rules, an attribute is unknown, or the condition cannot be understood
 */
export function checkRule(model: ContentModel, action: string, { fields, where }: PermissionRule): PermissionRule {
  if (fields === null && where === null) return UNLIMITED;
  const dot = action.lastIndexOf('.');
  const type = model.typesByUid[action.slice(0, dot)];
  if (type === undefined) throw invalid(action, 'only what is done with documents of a content-type can be limited.');
  const name = action.slice(dot + 1);
  if (fields !== null && WITHOUT_FIELDS.has(name)) throw invalid(action, `${name} has no fields.`, 'Leave out the list of fields.');
  if (where !== null) checkWhere(model, type, action, where);
  return { fields: fields === null ? null : checkFields(type, action, fields), where: where === null ? null : (sorted(where) as Readonly<Record<string, unknown>>) };
}
