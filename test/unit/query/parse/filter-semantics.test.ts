import { fc } from '../../../support/properties.js';
import { describe, expect, it } from 'vitest';
import type { CompareNode, FilterNode } from '../../../../src/query/query.js';
import { CATEGORY, filterOf } from './read-helpers.js';

/** A category joined with its parent, as by an outer join. */
interface Row {
  readonly name: string | null;
  readonly position: number | null;
  readonly parent: Row | null;
}

type Truth = boolean | null;
type RawFilter = Readonly<Record<string, unknown>>;

const NULLS: Row = { name: null, position: null, parent: null };

const invert = (truth: Truth): Truth => (truth === null ? null : !truth);
const allOf = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true;
const anyOf = (truths: readonly Truth[]): Truth => invert(allOf(truths.map(invert)));

const evaluateOperator = (operator: string, value: string | number | null, operand: unknown): Truth => {
  if (operator === '$null') return (value === null) === operand;
  if (operator === '$notNull') return (value !== null) === operand;
  if (value === null) return null;
  switch (operator) {
    case '$eq':
      return value === operand;
    case '$ne':
      return value !== operand;
    case '$in':
      return Array.isArray(operand) && operand.includes(value);
    case '$gt':
      return value > (operand as string | number);
    default:
      throw new Error(operator);
  }
};

/** Evaluates the client's filter as one SQL WHERE over an outer join: true, false or unknown. */
const evaluateRaw = (filter: RawFilter, row: Row): Truth =>
  allOf(
    Object.entries(filter).map(([key, value]) => {
      if (key === '$not') return invert(evaluateRaw(value as RawFilter, row));
      if (key === '$and') return allOf((value as RawFilter[]).map((item) => evaluateRaw(item, row)));
      if (key === '$or') return anyOf((value as RawFilter[]).map((item) => evaluateRaw(item, row)));
      if (key !== 'parent') return evaluateField(value as RawFilter, row[key as 'name' | 'position']);
      const existence = (value as RawFilter)['$null'];
      return existence === undefined
        ? evaluateRaw(value as RawFilter, row.parent ?? NULLS)
        : (row.parent === null) === existence;
    }),
  );

const evaluateField = (conditions: RawFilter, value: string | number | null): Truth =>
  allOf(
    Object.entries(conditions).map(([operator, operand]) =>
      operator === '$not'
        ? invert(evaluateField(operand as RawFilter, value))
        : evaluateOperator(operator, value, operand),
    ),
  );

/** Evaluates the parsed filter, each node by its contract. */
const matches = (node: FilterNode, row: Row): boolean => {
  switch (node.kind) {
    case 'and':
      return node.items.every((item) => matches(item, row));
    case 'or':
      return node.items.some((item) => matches(item, row));
    case 'compare':
      return evaluateComparison(node, row) === true;
    case 'not':
      return evaluateComparison(node.item as CompareNode, row) === false;
    case 'link':
      return row.parent !== null && matches(node.filter, row.parent);
    case 'link-empty':
      return (row.parent === null) === node.empty;
    default:
      throw new Error(node.kind);
  }
};

const evaluateComparison = (node: CompareNode, row: Row): Truth =>
  evaluateOperator(node.operator, row[node.field as 'name' | 'position'], node.operand);

const condition = fc.oneof(
  fc.record({ $eq: fc.constantFrom('a', 'b') }),
  fc.record({ $ne: fc.constantFrom('a', 'b') }),
  fc.record({ $in: fc.subarray(['a', 'b']) }),
  fc.record({ $null: fc.boolean() }),
  fc.record({ $notNull: fc.boolean(), $ne: fc.constant('a') }),
);

const { filter } = fc.letrec<{ filter: RawFilter; name: RawFilter }>((tie) => ({
  name: fc.oneof({ maxDepth: 3 }, condition, fc.record({ $not: tie('name') })),
  filter: fc.oneof(
    { maxDepth: 5 },
    fc.record({ name: tie('name') }),
    fc.record({
      position: fc.oneof(fc.record({ $gt: fc.nat(2) }), fc.record({ $null: fc.boolean() })),
      name: condition,
    }),
    fc.record({ parent: fc.record({ $null: fc.boolean() }) }),
    fc.record({ parent: tie('filter') }),
    fc.record({ $not: tie('filter') }),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
      position: fc.record({ $notNull: fc.boolean() }),
    }),
  ),
}));

const { row } = fc.letrec<{ row: Row }>((tie) => ({
  row: fc.record({
    name: fc.constantFrom('a', 'b', null),
    position: fc.constantFrom(0, 1, 2, null),
    parent: fc.option(tie('row'), { maxDepth: 3 }),
  }),
}));

describe('a parsed filter', () => {
  it('matches the rows of one WHERE over outer joins, also with negations and missing records', () => {
    let found = 0;
    fc.assert(
      fc.property(filter, fc.array(row, { minLength: 1, maxLength: 8 }), (raw, rows) => {
        const parsed = filterOf(CATEGORY, raw);
        if (parsed === null) throw new Error('no condition');
        for (const each of rows) {
          const isExpected = evaluateRaw(raw, each) === true;
          found += isExpected ? 1 : 0;
          expect(matches(parsed, each)).toBe(isExpected);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(found).toBeGreaterThan(1_000);
  });
});
