import { assertNever } from '../../lib/assert-never.js';
import { isRecord } from '../../lib/is-record.js';
import type { CompareNode, FilterNode, SortNode } from '../../query/query.js';

/** As answers show it, so that values of a record and operands of a filter compare alike. */
const plain = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? String(value) : value;
};

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
};

const DIGITS = /^-?\d+$/;

/** Text by code point, numbers (and whole numbers kept as text) by size. */
const order = (left: unknown, right: unknown): number => {
  if (typeof left === 'string' && typeof right === 'string') {
    if (DIGITS.test(left) && DIGITS.test(right)) return Number(BigInt(left) - BigInt(right));
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return Number(left) - Number(right);
};

const fold = (value: unknown): string => textOf(value).toLowerCase();

const holds = (value: unknown, { operator, operand: raw }: CompareNode): boolean => {
  const operand = Array.isArray(raw) ? raw.map(plain) : plain(raw);
  const isAmong = (): boolean => Array.isArray(operand) && operand.some((each) => order(value, each) === 0);
  switch (operator) {
    case '$eq': return order(value, operand) === 0;
    case '$ne': return order(value, operand) !== 0;
    case '$eqi': return fold(value) === fold(operand);
    case '$nei': return fold(value) !== fold(operand);
    case '$lt': return order(value, operand) < 0;
    case '$lte': return order(value, operand) <= 0;
    case '$gt': return order(value, operand) > 0;
    case '$gte': return order(value, operand) >= 0;
    case '$in': return isAmong();
    case '$notIn': return !isAmong();
    case '$contains': return textOf(value).includes(textOf(operand));
    case '$notContains': return !textOf(value).includes(textOf(operand));
    case '$containsi': return fold(value).includes(fold(operand));
    case '$notContainsi': return !fold(value).includes(fold(operand));
    case '$startsWith': return textOf(value).startsWith(textOf(operand));
    case '$startsWithi': return fold(value).startsWith(fold(operand));
    case '$endsWith': return textOf(value).endsWith(textOf(operand));
    case '$endsWithi': return fold(value).endsWith(fold(operand));
    case '$between': return Array.isArray(operand) && order(value, operand[0]) >= 0 && order(value, operand[1]) <= 0;
    case '$null': case '$notNull': return (operator === '$null') !== operand;
    default: return assertNever(operator, 'operator');
  }
};

const comparison = (node: CompareNode, record: unknown): boolean | null => {
  const value = isRecord(record) ? record[node.field] ?? null : null;
  if (node.operator === '$null') return (value === null) === node.operand;
  if (node.operator === '$notNull') return (value !== null) === node.operand;
  return value === null ? null : holds(value, node);
};

/** True, false, or null for what null makes unknown, as in a database. */
const evaluate = (node: FilterNode, record: unknown): boolean | null => {
  switch (node.kind) {
    case 'compare': return comparison(node, record);
    case 'and': return node.items.every((item) => evaluate(item, record) === true);
    case 'or': return node.items.some((item) => evaluate(item, record) === true);
    case 'not': {
      const inner = evaluate(node.item, record);
      return inner === null ? null : !inner;
    }
    default: return false;
  }
};

/** Whether a record that is read already fulfils conditions on its own fields. The meaning is that of the same filter in a database. */
export function matchesFilter(node: FilterNode, record: unknown): boolean {
  return evaluate(node, record) === true;
}

/** Orders records that are read already by their own fields; null is the least. */
export function compareRecords(sort: readonly SortNode[]): (left: unknown, right: unknown) => number {
  const valueOf = (record: unknown, path: readonly string[]): unknown => (isRecord(record) ? record[path[0] ?? ''] ?? null : null);
  return (left, right) => {
    for (const { path, direction } of sort) {
      const [a, b] = [valueOf(left, path), valueOf(right, path)];
      const difference = a === null || b === null ? Number(a !== null) - Number(b !== null) : order(a, b);
      if (difference !== 0) return direction === 'desc' ? -difference : difference;
    }
    return 0;
  };
}
