import { isRecord } from '../../../lib/is-record.js';

type Row = Readonly<Record<string, unknown>>;
type Compare = (value: unknown, operand: unknown) => boolean;

const lower = (value: unknown): string => String(value).toLowerCase();
const isIn: Compare = (value, operand) =>
  (Array.isArray(operand) ? operand : [operand]).some((each) => isSame(value, each));
/** Ids of requests are texts. */
const isSame: Compare = (value, operand) =>
  value === operand ||
  (typeof value === 'number' && typeof operand === 'string' && String(value) === operand);
const order = (value: unknown, operand: unknown): number => {
  const [left, right] = [value, operand instanceof Date ? operand.toISOString() : operand];
  if (typeof left === 'number') return left - Number(right);
  return String(left) < String(right) ? -1 : Number(String(left) > String(right));
};

const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: isSame,
  $eqi: (value, operand) => lower(value) === lower(operand),
  $ne: (value, operand) => !isSame(value, operand),
  $nei: (value, operand) => lower(value) !== lower(operand),
  $in: isIn,
  $notIn: (value, operand) => !isIn(value, operand),
  $lt: (value, operand) => order(value, operand) < 0,
  $lte: (value, operand) => order(value, operand) <= 0,
  $gt: (value, operand) => order(value, operand) > 0,
  $gte: (value, operand) => order(value, operand) >= 0,
  $contains: (value, operand) => String(value).includes(String(operand)),
  $notContains: (value, operand) => !String(value).includes(String(operand)),
  $containsi: (value, operand) => lower(value).includes(lower(operand)),
  $notContainsi: (value, operand) => !lower(value).includes(lower(operand)),
  $startsWith: (value, operand) => String(value).startsWith(String(operand)),
  $startsWithi: (value, operand) => lower(value).startsWith(lower(operand)),
  $endsWith: (value, operand) => String(value).endsWith(String(operand)),
  $endsWithi: (value, operand) => lower(value).endsWith(lower(operand)),
  $null: (value, operand) => (value === null) === (operand !== false && operand !== 'false'),
  $notNull: (value, operand) => (value !== null) === (operand !== false && operand !== 'false'),
};

/** Something in a condition that rows cannot be compared with. */
export class UnknownCondition extends Error {}

const assertDefined = (name: string, value: unknown): void => {
  if (value === undefined) throw new UnknownCondition(`${name} is undefined, which would match any row`);
};

const listOf = (conditions: unknown): readonly unknown[] =>
  Array.isArray(conditions) ? conditions : [conditions];

const matchesValue = (value: unknown, condition: unknown): boolean => {
  if (Array.isArray(condition)) return isIn(value, condition);
  if (!isRecord(condition)) return isSame(value, condition);
  return Object.entries(condition).every(([operator, operand]) => {
    assertDefined(operator, operand);
    if (operator === '$not') return !matchesValue(value, operand);
    const compare = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (compare === undefined) throw new UnknownCondition(`there is no ${operator} for such rows`);
    return compare(value, operand);
  });
};

/** True if a row in memory fulfils a condition of the query engine. */
export function matchesRow(row: Row, condition: unknown): boolean {
  if (condition === undefined || condition === null) return true;
  if (Array.isArray(condition)) return condition.every((each) => matchesRow(row, each));
  if (!isRecord(condition)) throw new UnknownCondition('a condition is an object');
  return Object.entries(condition).every(([name, value]) => {
    assertDefined(name, value);
    if (name === '$and') return listOf(value).every((each) => matchesRow(row, each));
    if (name === '$or') return listOf(value).some((each) => matchesRow(row, each));
    if (name === '$not') return !matchesRow(row, value);
    if (!Object.hasOwn(row, name)) throw new UnknownCondition(`such rows have no ${name}`);
    return matchesValue(row[name], value);
  });
}
