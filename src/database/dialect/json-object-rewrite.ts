import type { ObjectRewrite } from './json-rewriting.js';
import { quoteText, quoteTexts, switchOn } from './sql-text.js';

/** Keeps added members apart from old ones of the same key. No attribute has such a name. */
const ADDED_PREFIX = '+';

const addedLabel = (key: string): string => ADDED_PREFIX + key;

/** Returns the `WHERE` clause for old members that stay, on the column of their keys. Empty if all stay. */
export function keptMembers(key: string, { omitted, only }: ObjectRewrite): string {
  const conditions = [
    ...(omitted.length === 0 ? [] : [`${key} NOT IN (${quoteTexts(omitted)})`]),
    ...(only === undefined ? [] : [`${key} IN (${quoteTexts(only)})`]),
  ];
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Selects the added members, each with its label, its value and what `columns` adds. */
export function addedMembers(
  { added }: ObjectRewrite,
  columns: string,
  isAbsent: (key: string) => string,
): readonly string[] {
  return added.map(({ key, value, unless }) => {
    const condition = unless === null ? '' : ` WHERE ${isAbsent(unless)}`;
    return `SELECT ${quoteText(addedLabel(key))}, ${value}${columns}${condition}`;
  });
}

/** The new key of a member, whose old key or label is the given column. */
export function newKey(column: string, { keys, added }: ObjectRewrite): string {
  return switchOn(
    column,
    [
      ...[...keys].map(([from, to]) => [from, quoteText(to)] as const),
      ...added.map(({ key }) => [addedLabel(key), quoteText(key)] as const),
    ],
    column,
  );
}

/** The new value of a member, whose old key and value are the given columns. */
export function newValue(key: string, value: string, { values }: ObjectRewrite): string {
  return switchOn(
    key,
    [...values].map(([name, rewrite]) => [name, rewrite(value)] as const),
    value,
  );
}
