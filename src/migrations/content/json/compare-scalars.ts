import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../../lib/stored-value.js';
import type { Attribute, ScalarAttribute } from '../../../model/model.js';
import { toJson } from '../../../validation/parse-scalar.js';
import type { ContentPlanRequest } from '../content-plan.js';
import { convertScalar } from '../convert-scalar.js';
import { SAME } from './value-change.js';
import type { ValueChange } from './value-change.js';

type Request = Pick<ContentPlanRequest, 'decisions' | 'dialect'>;

const isUnchanged = (before: ScalarAttribute, after: ScalarAttribute): boolean =>
  before.type === after.type &&
  before.required === after.required &&
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
      const rewrite = (value: string): string => dialect.migrations.json.ofText(json(value));
      return { kind: 'scalar', before, after, rewrite, reason };
    }
  }
}

/** The value that items without one get. Undefined: none. */
export function fillOf(key: string, after: Attribute, { decisions }: Request): JsonValue | undefined {
  const set: unknown = Object.hasOwn(decisions.set, key) ? decisions.set[key] : undefined;
  if (after.family !== 'scalar') return set as JsonValue | undefined;
  // A migration cannot hash.
  if (after.field.hash !== undefined) return undefined;
  if (set !== undefined && set !== null) {
    const parsed = after.field.parse(set, after.constraints, 'full');
    return parsed.ok ? toJson(parsed.value) : (set as JsonValue);
  }
  return decisions.useDefaults.includes(key) && after.default !== undefined
    ? toJson(after.default)
    : undefined;
}
