import { NUMBER_TYPES } from '../model/fields/number-value.js';
import type { ContentType, MediaAttribute, RelationAttribute } from '../model/model.js';
import type { ReadQuery, Slice, SortNode } from './query.js';
import type { RawReadParams } from './read-context.js';
import { readableAttribute } from './schema-fields.js';
import type { ComparableField } from './schema-fields.js';

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
  /** Selects the records. Its selection, order and page have no effect. */
  readonly query: ReadQuery;
  readonly withCount: boolean;
  readonly values: readonly AggregateValue[];
  readonly keys: readonly GroupKey[];
  readonly order: readonly AggregateOrder[];
  /** Range of the returned groups. Null: there are no groups. */
  readonly slice: Slice | null;
}

/** The parameters of an aggregate as a transport receives them, in addition to those that select records. */
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

/** The parameters of aggregates. All others have no effect. */
export const AGGREGATE_PARAMETERS = [
  '_q',
  'filters',
  'status',
  'locale',
  'hasPublishedVersion',
  'publicationFilter',
  'release',
  'count',
  ...VALUE_FUNCTIONS,
  'groupBy',
  'sort',
  'pagination',
] as const satisfies readonly (keyof RawAggregateParams | keyof RawReadParams)[];

/** True if the values of an attribute have sums and averages. */
export function isNumeric(type: ContentType, name: string): boolean {
  const attribute = readableAttribute(type, name);
  return attribute?.family === 'scalar' && NUMBER_TYPES.has(attribute.type);
}

/** True if the values of a field have a minimum and a maximum. */
export function isOrdered({ sortable, kind }: ComparableField): boolean {
  return sortable && kind !== 'boolean';
}

/** True if the values of a field may be grouped by year, month, day or hour. */
export function isTime(type: ContentType, { name, kind }: ComparableField): boolean {
  const attribute = readableAttribute(type, name);
  return kind === 'datetime' || (attribute?.family === 'scalar' && attribute.type === 'date');
}

/** Returns the attribute if it links at most one document, which records can be grouped by. */
export function singleLink(type: ContentType, name: string): RelationAttribute | MediaAttribute | null {
  const attribute = readableAttribute(type, name);
  const isLink = attribute?.family === 'relation' || attribute?.family === 'media';
  return isLink && !attribute.many ? attribute : null;
}
