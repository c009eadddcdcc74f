import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import type { ContentSchema } from '../model/model.js';
import { compareValues, matchesComparison } from './compare-values.js';
import type { FilterNode, SortNode } from './query.js';
import { comparableField } from './schema-fields.js';

/** A record that is not stored in a database, in the form the API prints. Missing keys are null. */
export type InMemoryRecord = Readonly<Record<string, StoredScalar>>;

const kindOf = (schema: ContentSchema, name: string): ColumnKind => {
  const field = comparableField(schema, name);
  if (field === null) throw new TypeError(`${schema.uid} has no field ${name}`);
  return field.kind;
};

/** Null stands for unknown: it makes a group unknown unless another item decides it. */
const everyTrue = (items: readonly (boolean | null)[]): boolean | null => {
  if (items.includes(false)) return false;
  return items.includes(null) ? null : true;
};

const negate = (value: boolean | null): boolean | null => (value === null ? null : !value);

const evaluate = (schema: ContentSchema, node: FilterNode, record: InMemoryRecord): boolean | null => {
  switch (node.kind) {
    case 'compare':
      return matchesComparison(kindOf(schema, node.field), record[node.field] ?? null, node);
    case 'and':
      return everyTrue(node.items.map((item) => evaluate(schema, item, record)));
    case 'or':
      return negate(everyTrue(node.items.map((item) => negate(evaluate(schema, item, record)))));
    case 'not':
      return negate(evaluate(schema, node.item, record));
    default:
      throw new TypeError(`${schema.uid} has no relations or components: ${node.attribute}`);
  }
};

/**
 * True if a record matches a filter on its own fields. Only for records that are not stored in a database;
 * the meaning is that of the same filter in SQL.
 */
export function matchesFilter(schema: ContentSchema, node: FilterNode, record: InMemoryRecord): boolean {
  return evaluate(schema, node, record) === true;
}

const compareNullable = (kind: ColumnKind, left: StoredScalar, right: StoredScalar): number =>
  left === null || right === null
    ? Number(left !== null) - Number(right !== null)
    : compareValues(kind, left, right);

/** A function for `toSorted` that orders records by their own fields; null is lowest, as in SQL. */
export function createRecordOrder(
  schema: ContentSchema,
  sort: readonly SortNode[],
): (left: InMemoryRecord, right: InMemoryRecord) => number {
  const keys = sort.map(({ path: [name, ...rest], direction }) => {
    if (name === undefined || rest.length > 0)
      throw new TypeError(`${schema.uid} can be sorted by its own fields only`);
    return { name, kind: kindOf(schema, name), sign: direction === 'desc' ? -1 : 1 };
  });
  return (left, right) => {
    for (const { name, kind, sign } of keys) {
      const order = compareNullable(kind, left[name] ?? null, right[name] ?? null);
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}
