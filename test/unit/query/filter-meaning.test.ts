import { fc } from '../../support/properties.js';
import { describe, expect, it } from 'vitest';
import type { CompareNode, FilterNode } from '../../../src/query/query.js';
import { CATEGORY, filterOf } from './reading.js';

/** A category, with its parent as an outer join would lay it beside it. */
interface Row {
  readonly name: string | null;
  readonly position: number | null;
  readonly parent: Row | null;
}

type Truth = boolean | null;
type RawFilter = Readonly<Record<string, unknown>>;

const NULLS: Row = { name: null, position: null, parent: null };

const invert = (truth: Truth): Truth => (truth === null ? null : !truth);
const both = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true);
const either = (truths: readonly Truth[]): Truth => invert(both(truths.map(invert)));

const applies = (operator: string, value: string | number | null, operand: unknown): Truth => {
  if (operator === '$null') return (value === null) === operand;
  if (operator === '$notNull') return (value !== null) === operand;
  if (value === null) return null;
  switch (operator) {
    case '$eq': return value === operand;
    case '$ne': return value !== operand;
    case '$in': return Array.isArray(operand) && operand.includes(value);
    case '$gt': return value > (operand as string | number);
    default: throw new Error(operator);
  }
};

/** What SQL says of the client's filter, written as one WHERE over an outer join: true, false or unknown. */
const meant = (filter: RawFilter, row: Row): Truth =>
  both(Object.entries(filter).map(([key, value]) => {
    if (key === '$not') return invert(meant(value as RawFilter, row));
    if (key === '$and') return both((value as RawFilter[]).map((item) => meant(item, row)));
    if (key === '$or') return either((value as RawFilter[]).map((item) => meant(item, row)));
    if (key !== 'parent') return meantOfField(value as RawFilter, row[key as 'name' | 'position']);
    const existence = (value as RawFilter)['$null'];
    return existence === undefined ? meant(value as RawFilter, row.parent ?? NULLS) : (row.parent === null) === existence;
  }));

const meantOfField = (conditions: RawFilter, value: string | number | null): Truth =>
  both(Object.entries(conditions).map(([operator, operand]) =>
    operator === '$not' ? invert(meantOfField(operand as RawFilter, value)) : applies(operator, value, operand)));

/** What the parsed filter says, node by node as its contract has it: fulfilled or not. */
const fulfils = (node: FilterNode, row: Row): boolean => {
  switch (node.kind) {
    case 'and': return node.items.every((item) => fulfils(item, row));
    case 'or': return node.items.some((item) => fulfils(item, row));
    case 'compare': return compared(node, row) === true;
    case 'not': return compared(node.item as CompareNode, row) === false;
    case 'link': return row.parent !== null && fulfils(node.filter, row.parent);
    case 'link-empty': return (row.parent === null) === node.empty;
    default: throw new Error(node.kind);
  }
};

const compared = (node: CompareNode, row: Row): Truth => applies(node.operator, row[node.field as 'name' | 'position'], node.operand);

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
    fc.record({ position: fc.oneof(fc.record({ $gt: fc.nat(2) }), fc.record({ $null: fc.boolean() })), name: condition }),
    fc.record({ parent: fc.record({ $null: fc.boolean() }) }),
    fc.record({ parent: tie('filter') }),
    fc.record({ $not: tie('filter') }),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }), position: fc.record({ $notNull: fc.boolean() }) }),
  ),
}));

const { row } = fc.letrec<{ row: Row }>((tie) => ({
  row: fc.record({ name: fc.constantFrom('a', 'b', null), position: fc.constantFrom(0, 1, 2, null), parent: fc.option(tie('row'), { maxDepth: 3 }) }),
}));

describe('a parsed filter', () => {
  it('finds what one WHERE over outer joins would, negations and missing records included', () => {
    let found = 0;
    fc.assert(
      fc.property(filter, fc.array(row, { minLength: 1, maxLength: 8 }), (raw, rows) => {
        const parsed = filterOf(CATEGORY, raw);
        if (parsed === null) throw new Error('no condition');
        for (const each of rows) {
          const wanted = meant(raw, each) === true;
          found += wanted ? 1 : 0;
          expect(fulfils(parsed, each)).toBe(wanted);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(found).toBeGreaterThan(1_000);
  });
});
