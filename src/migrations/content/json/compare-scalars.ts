import { isDeepStrictEqual } from 'node:util';
import { createError } from '../../../errors/catalogue.js';
import type { JsonValue } from '../../../lib/stored-value.js';
import type { Attribute, ScalarAttribute } from '../../../model/model.js';
import { toJson } from '../../../documents/validation/parse-scalar.js';
import type { ContentPlanRequest } from '../content-plan.js';
import { convertScalar } from '../convert-scalar.js';
import { fillOf } from '../scalars/fill-value.js';
import { SAME } from './value-change.js';
import type { ValueChange } from './value-change.js';

type Request = Pick<ContentPlanRequest, 'decisions' | 'dialect'>;

const isUnchanged = (before: ScalarAttribute, after: ScalarAttribute): boolean =>
  before.type === after.type &&
  before.required === after.required &&
  isDeepStrictEqual(before.condition, after.condition) &&
  isDeepStrictEqual(before.constraints, after.constraints);

/** Compares a scalar in components. `key` names it after the migration, as decisions do. */
export function compareScalars(
  key: string,
  before: ScalarAttribute,
  after: ScalarAttribute,
  { dialect, decisions }: Request,
): ValueChange {
  const conversion = convertScalar(before, after, dialect, decisions, key);
  switch (conversion.kind) {
    case 'impossible':
      return { kind: 'dropped', before, reason: conversion.reason };
    case 'same':
      return isUnchanged(before, after)
        ? SAME
        : { kind: 'scalar', before, after, rewrite: null, reason: 'the value is no longer there' };
    case 'converted': {
      const { json, reason } = conversion;
      const convert = (value: string): string => dialect.migrations.json.ofText(json(value));
      // A value that does not convert may stay where both types have the same storage. It is then invalid.
      const keepsRest = before.column.kind === after.column.kind && decisions.convert[key] === undefined;
      const rewrite = keepsRest
        ? (value: string): string => dialect.migrations.json.orElse(convert(value), value)
        : convert;
      return { kind: 'scalar', before, after, rewrite, reason };
    }
  }
}

/**
 * The value that items without one get. Undefined: none.
 *
 * @throws `migration/invalid-value`
 */
export function fillOfMember(
  key: string,
  after: Attribute,
  { decisions, dialect }: Request,
): JsonValue | undefined {
  if (after.family === 'scalar') {
    const fill = fillOf(key, after, decisions, dialect);
    return fill === null ? undefined : toJson(fill.value);
  }
  if (!Object.hasOwn(decisions.set, key)) return undefined;
  throw createError('migration/invalid-value', {
    attribute: key,
    value: JSON.stringify(decisions.set[key]),
    reason: 'only attributes without components, relations and media can be filled',
  });
}
