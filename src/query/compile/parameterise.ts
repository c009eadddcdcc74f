import type { BoundValue, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { assertNever } from '../../lib/assert.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { MAX_INT64, MIN_INT64 } from '../../lib/stored-value.js';
import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';
import type { Uid } from '../../model/model.js';
import type { AggregateQuery } from '../aggregate.js';
import { publicationFilterOf } from '../query.js';
import type {
  CompareNode,
  FilterNode,
  ListRange,
  Page,
  PopulateNode,
  ReadQuery,
  Selection,
  SortNode,
} from '../query.js';

/** A value in a query. */
type Operand = StoredScalar | readonly StoredScalar[];

/** A parameter of a compiled statement, to be filled with a value of the query. */
export interface ParameterSlot {
  /** The index of the value. */
  readonly index: number;
  /** The kind of column that it is compared with. */
  readonly kind: ColumnKind;
  /** True if the value is a list, bound as one parameter. */
  readonly isList: boolean;
}

/** True if a number can be bound as a 64-bit integer. */
const isInteger = (value: unknown): boolean =>
  typeof value === 'bigint' ? value >= MIN_INT64 && value <= MAX_INT64 : Number.isSafeInteger(value);

/** Returns the part of a query's shape that depends on a value: fractions cannot be bound as integers. */
function operandClass(operand: Operand): 'integer' | 'other' {
  const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  return values.every(isInteger) ? 'integer' : 'other';
}

/** Returns the kind as which an operand is bound, for comparison with a column of a kind. */
export function boundKind(kind: ColumnKind, operand: Operand): ColumnKind {
  if (kind !== 'integer' && kind !== 'bigint') return kind;
  return operandClass(operand) === 'integer' ? kind : 'double';
}

const isListOperand = (operand: Operand | undefined): operand is readonly StoredScalar[] =>
  Array.isArray(operand);

/** Returns the parameters of a statement, in its order. */
export function bindSlots(
  expressions: Pick<SqlExpressions, 'encode' | 'encodeList'>,
  slots: readonly ParameterSlot[],
  values: readonly Operand[],
): readonly BoundValue[] {
  return slots.map(({ index, kind, isList }) => {
    const value = values[index];
    if (!isList) return expressions.encode(kind, (value ?? null) as StoredScalar);
    return expressions.encodeList(kind, isListOperand(value) ? value : []);
  });
}

/** A query, separated into its shape and its values. */
export interface ParameterisedQuery {
  /** Identifies the shape. Queries with the same key share one statement. */
  readonly key: string;
  readonly values: readonly Operand[];
  /** The query node of each value, by which the compiler finds its parameter. */
  readonly nodes: readonly object[];
}

/** Separators, which no name contains. */
const OPEN = '\u0001';
const CLOSE = '\u0002';
const NEXT = '\u0003';

/** Computed once per list: callers with the same grants share it. */
const typesKeyOf = memoizeWeakly((types: readonly Uid[]): string => types.join());

class ShapeWriter {
  readonly values: Operand[] = [];
  readonly nodes: object[] = [];

  addValues(node: object, ...values: readonly Operand[]): void {
    for (const value of values) {
      this.values.push(value);
      this.nodes.push(node);
    }
  }

  comparison(node: CompareNode): string {
    const { field, operator, operand } = node;
    if (operator === '$null' || operator === '$notNull')
      return `${field}${operator}${operand === true ? 1 : 0}`;
    if (operator === '$between' && Array.isArray(operand))
      this.addValues(node, ...(operand as readonly Operand[]));
    else this.addValues(node, operand);
    return `${field}${operator}${operandClass(operand)}`;
  }

  filter(node: FilterNode): string {
    switch (node.kind) {
      case 'and':
      case 'or':
        return `${node.kind}${OPEN}${node.items.map((item) => this.filter(item)).join(NEXT)}${CLOSE}`;
      case 'not':
        return `!${OPEN}${this.filter(node.item)}${CLOSE}`;
      case 'compare':
        return this.comparison(node);
      case 'link':
      case 'component':
        return `${node.attribute}${OPEN}${this.filter(node.filter)}${CLOSE}`;
      case 'link-empty':
      case 'component-empty':
        return `${node.attribute}${node.empty ? '=0' : '>0'}`;
      default:
        return assertNever(node, 'filter node');
    }
  }

  sort(nodes: readonly SortNode[]): string {
    for (const { score } of nodes) if (score !== undefined) this.addValues(score, score.text);
    return nodes
      .map(({ path, direction, score }) => `${path.join('.')}:${direction}${score?.fields.join() ?? ''}`)
      .join(NEXT);
  }

  range({ filter, sort = [], slice }: ListRange): string {
    const where = filter === undefined ? '' : this.filter(filter);
    if (slice !== undefined) this.addValues(slice, slice.limit, slice.offset);
    return `?${where}^${this.sort(sort)}${slice === undefined ? '' : '[]'}`;
  }

  variants(on: Readonly<Record<string, Selection>>): string {
    return Object.entries(on)
      .map(([uid, selection]) => `${uid}${OPEN}${this.selection(selection)}${CLOSE}`)
      .join(NEXT);
  }

  filters(filters: Readonly<Record<string, FilterNode>> = {}): string {
    return Object.entries(filters)
      .map(([uid, filter]) => `${uid}${OPEN}${this.filter(filter)}${CLOSE}`)
      .join(NEXT);
  }

  populateNode(node: PopulateNode): string {
    switch (node.kind) {
      case 'link': {
        const filter = node.filter === null ? '' : this.filter(node.filter);
        if (node.slice !== null) this.addValues(node.slice, node.slice.limit, node.slice.offset);
        const options = `${node.slice === null ? '' : '[]'}${node.count ? '#' : ''}`;
        return `${this.selection(node.selection)}?${filter}^${this.sort(node.sort)}${options}`;
      }
      case 'component':
      case 'localizations':
        return `${this.selection(node.selection)}${this.range(node)}`;
      case 'zone':
        return `${this.variants(node.on)}?${this.filters(node.filters)}^${Object.entries(node.sorts ?? {})
          .map(([uid, sort]) => `${uid}${OPEN}${this.sort(sort)}${CLOSE}`)
          .join(NEXT)}`;
      case 'morph':
        return `${this.variants(node.on)}?${this.filters(node.filters)}`;
      case 'referrers':
        return [
          this.variants(node.on),
          JSON.stringify(node.mediaAttributes),
          this.filters(node.filters),
        ].join('?');
      default:
        return assertNever(node, 'populate node');
    }
  }

  selection({ fields, populate, asInput, maxRecords }: Selection): string {
    const nodes = populate.map(
      (node) => `${node.key}=${node.attribute}${OPEN}${this.populateNode(node)}${CLOSE}`,
    );
    const limit = maxRecords === undefined ? '' : `<${maxRecords}`;
    const form = asInput === undefined ? '' : `=${asInput}`;
    return `${fields.join(NEXT)}|${nodes.join(NEXT)}${form}${limit}`;
  }

  version(query: ReadQuery): string {
    const isAllLocales = query.locale === '*';
    if (!isAllLocales) this.addValues(query, query.locale);
    const status = query.isOfAllStatuses === true ? '' : query.status;
    const { withoutDrafts } = query;
    const limits = withoutDrafts === undefined ? '' : `-${typesKeyOf(withoutDrafts)}`;
    const { release } = query;
    if (release !== undefined) this.addValues(release, release.name);
    const changes = `${publicationFilterOf(query) ?? ''}${release === undefined ? '' : '+'}`;
    return `${query.type}@${status}${isAllLocales ? '*' : ''}${changes}${limits}`;
  }
}

/** Null is compared differently from a value. */
const pageShape = (writer: ShapeWriter, page: Page): string => {
  const { limit, offset, isReversed = false, cursor } = page;
  writer.addValues(page, limit, offset);
  const start = `[]${isReversed ? '<' : ''}`;
  if (cursor === undefined) return start;
  const { position } = cursor;
  if (position !== null) writer.addValues(cursor, ...position);
  return `${start}@${(position ?? []).map((value) => (value === null ? 0 : operandClass(value))).join(NEXT)}`;
};

const conditions = (writer: ShapeWriter, query: ReadQuery): string => {
  const version = writer.version(query);
  return `${version}?${query.filter === null ? '' : writer.filter(query.filter)}`;
};

const toParameterisedQuery = ({ values, nodes }: ShapeWriter, key: string): ParameterisedQuery => ({
  key,
  values,
  nodes,
});

/** Parameters that a read binds for a full-text index. */
export interface SearchParameters {
  readonly node: object;
  readonly shape: string;
  readonly values: readonly string[];
}

const searchShape = (writer: ShapeWriter, search: SearchParameters | null): string => {
  if (search === null) return '';
  writer.addValues(search.node, ...search.values);
  return `${OPEN}${search.shape}${CLOSE}`;
};

/** Separates a read into shape and values. Takes a few microseconds, and saves compiling a known shape. */
export function parameteriseRead(
  query: ReadQuery,
  search: SearchParameters | null = null,
): ParameterisedQuery {
  const writer = new ShapeWriter();
  const where = `${conditions(writer, query)}${searchShape(writer, search)}`;
  const order = `${writer.sort(query.sort)}${query.page === null ? '' : pageShape(writer, query.page)}`;
  return toParameterisedQuery(writer, `${where}^${order}|${writer.selection(query.selection)}`);
}

/** Separates an aggregate into shape and values. */
export function parameteriseAggregate(aggregate: AggregateQuery): ParameterisedQuery {
  const { query, withCount, values, keys, order, slice } = aggregate;
  const writer = new ShapeWriter();
  const where = conditions(writer, query);
  if (slice !== null) writer.addValues(slice, slice.limit, slice.offset);
  return toParameterisedQuery(writer, `+${where}|${JSON.stringify([withCount, values, keys, order])}`);
}

/** Separates a count into shape and values. Fields, order and page do not matter. */
export function parameteriseCount(
  query: ReadQuery,
  search: SearchParameters | null = null,
): ParameterisedQuery {
  const writer = new ShapeWriter();
  return toParameterisedQuery(writer, `#${conditions(writer, query)}${searchShape(writer, search)}`);
}
