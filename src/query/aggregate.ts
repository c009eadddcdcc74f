import type { ReadQuery, Slice, SortNode } from './query.js';

export const VALUE_FUNCTIONS = ['sum', 'avg', 'min', 'max'] as const;
export type ValueFunction = (typeof VALUE_FUNCTIONS)[number];

/** The units by which times are grouped, with the length of their ISO text. */
export const TIME_UNITS = { year: 4, month: 7, day: 10, hour: 13 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

/** A function over one field of all records. */
export interface AggregateValue {
  readonly function: ValueFunction;
  readonly field: string;
}

/** Key shared by the records of one group: a scalar, the unit of a time, or the linked document. */
export interface GroupKey {
  readonly name: string;
  readonly kind: 'scalar' | 'link';
  readonly unit: TimeUnit | null;
}

/** Sort key of groups: their count, or an index of the values or keys. */
export interface AggregateOrder {
  readonly by: 'count' | 'value' | 'key';
  readonly index: number;
  readonly direction: SortNode['direction'];
}

/** A read of figures over the records of a query, or over each group of them. Checked and frozen. */
export interface AggregateQuery {
  /** Selects the records. Its selection, order and page mean nothing here. */
  readonly query: ReadQuery;
  readonly withCount: boolean;
  readonly values: readonly AggregateValue[];
  readonly keys: readonly GroupKey[];
  readonly order: readonly AggregateOrder[];
  /** Range of the returned groups. Null: there are no groups. */
  readonly slice: Slice | null;
}

/** The parameters of an aggregate as a transport receives them, besides those that select records. */
export interface RawAggregateParams {
  readonly count?: unknown;
  readonly sum?: unknown;
  readonly avg?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly groupBy?: unknown;
  readonly sort?: unknown;
  readonly pagination?: unknown;
}
