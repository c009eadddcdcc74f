import { deepFreeze, isRecord } from '../../lib/records.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import { accessScope, resolveTargetSchema, typeInScope } from '../access-scope.js';
import { TIME_UNITS, VALUE_FUNCTIONS, isNumeric, isOrdered, isTime, singleLink } from '../aggregate.js';
import type {
  AggregateOrder,
  AggregateQuery,
  AggregateValue,
  GroupKey,
  RawAggregateParams,
  TimeUnit,
  ValueFunction,
} from '../aggregate.js';
import { parsePage } from './parse-pagination.js';
import { parseReadQuery } from './parse-read-query.js';
import type { ReadOptions } from './parse-read-query.js';
import {
  asList,
  keysOf,
  parseBoolean,
  shorten,
  splitList,
  createReadContext,
  enter,
  invalidParameter,
  locate,
  unknownAttribute,
} from '../read-context.js';
import type { QueryLocation, ReadContext, RawReadParams } from '../read-context.js';
import { comparableField, comparableNames, isContentType, readableAttribute } from '../schema-fields.js';

const DEFAULT_GROUPS = 100;
const MAX_GROUPS = 1000;
const MAX_KEYS = 5;

/** The parser's position: the part of the type that the caller may see. */
interface AggregateContext {
  readonly read: ReadContext;
  readonly type: ContentType;
}

/** A name that the client lists, with the value behind it where the list is an object. */
type Named = readonly [name: string, value: unknown];

const isOn = (value: unknown): boolean => value === null || value === '' || parseBoolean(value) === true;

/** Parses `price,stock`, `[price, stock]`, and `{price: …}`. */
const parseNames = (raw: unknown, path: string): readonly Named[] => {
  if (raw === undefined || raw === null || raw === '') return [];
  if (typeof raw === 'string') return splitList(raw).map((name) => [name, null]);
  const list = asList(raw);
  if (list !== null) return list.flatMap((item) => parseNames(item, path));
  if (!isRecord(raw)) throw invalidParameter(path, 'it must name attributes, like price,stock.');
  return keysOf(raw).flatMap((name): readonly Named[] =>
    parseBoolean(raw[name]) === false ? [] : [[name, raw[name]]],
  );
};

/** Checks that a field has values over which the function is defined. */
const parseValue = (
  { read, type }: AggregateContext,
  functionName: ValueFunction,
  [name, value]: Named,
): AggregateValue => {
  read.countEntry();
  const location = { schema: type, path: functionName, depth: 0 };
  const field = comparableField(type, name);
  if (field === null) throw unknownAttribute(location, name, comparableNames(type));
  const { path } = enter(location, name);
  if (!isOn(value)) throw invalidParameter(path, 'it takes no value.');
  if ((functionName === 'sum' || functionName === 'avg') && !isNumeric(type, name))
    throw invalidParameter(path, 'only numbers have sums and averages.');
  if (!isOrdered(field)) throw invalidParameter(path, 'values of this type have no least and greatest.');
  return { function: functionName, field: name };
};

const parseUnit = (hasUnits: boolean, path: string, value: unknown): TimeUnit | null => {
  if (isOn(value)) return null;
  const units = Object.keys(TIME_UNITS) as readonly TimeUnit[];
  const unit = hasUnits ? units.find((candidate) => candidate === value) : undefined;
  if (unit === undefined)
    throw invalidParameter(
      path,
      hasUnits ? `it must be one of ${units.join(', ')}.` : 'only times are grouped by a unit.',
    );
  return unit;
};

/** Groups would reveal which hidden documents are linked. */
const assertAllVisible = ({ read, type }: AggregateContext, location: QueryLocation, name: string): void => {
  const attribute = singleLink(type, name);
  const { path } = locate(location, name);
  if (attribute === null)
    throw invalidParameter(path, 'only scalars and links to one document can be grouped by.');
  const target = resolveTargetSchema(read, location, attribute);
  if (isContentType(target) && (accessScope(read, target.uid)?.filter ?? null) !== null)
    throw invalidParameter(path, `you may see only some ${target.pluralName}, so you cannot group by them.`);
};

const parseKey = (context: AggregateContext, [name, value]: Named): GroupKey => {
  const { read, type } = context;
  read.countEntry();
  const location = { schema: type, path: 'groupBy', depth: 0 };
  const { path } = enter(location, name);
  const field = comparableField(type, name);
  if (field === null) {
    if (readableAttribute(type, name) === null) throw unknownAttribute(location, name, comparableNames(type));
    assertAllVisible(context, location, name);
    return { name, kind: 'link', unit: parseUnit(false, path, value) };
  }
  if (!field.sortable) throw invalidParameter(path, 'values of this type cannot be grouped by.');
  return { name, kind: 'scalar', unit: parseUnit(isTime(type, field), path, value) };
};

const parseOrder = (
  raw: unknown,
  values: readonly AggregateValue[],
  keys: readonly GroupKey[],
): readonly AggregateOrder[] => {
  const targets = new Map<string, Omit<AggregateOrder, 'direction'>>([
    ['count', { by: 'count', index: 0 }],
    ...values.map((value, index) => [`${value.function}.${value.field}`, { by: 'value', index }] as const),
    ...keys.map(({ name }, index) => [name, { by: 'key', index }] as const),
  ]);
  const requested = parseNames(raw, 'sort').map(([text]): AggregateOrder => {
    const [name = '', direction = 'asc'] = text.split(':');
    const target = targets.get(name);
    if (target === undefined)
      throw invalidParameter(`sort.${shorten(name)}`, `it must be one of ${[...targets.keys()].join(', ')}.`);
    if (direction !== 'asc' && direction !== 'desc')
      throw invalidParameter('sort', 'the direction must be asc or desc.');
    return { ...target, direction };
  });
  return [...requested, ...keys.map((_key, index) => ({ by: 'key', index, direction: 'asc' }) as const)];
};

const parseValues = (context: AggregateContext, raw: RawAggregateParams): readonly AggregateValue[] => {
  const values = VALUE_FUNCTIONS.flatMap((name) =>
    parseNames(raw[name], name).map((named) => parseValue(context, name, named)),
  );
  return [...new Map(values.map((value) => [`${value.function} ${value.field}`, value])).values()];
};

const parseKeys = (context: AggregateContext, raw: unknown): readonly GroupKey[] => {
  const keys = parseNames(raw, 'groupBy').map((named) => parseKey(context, named));
  if (keys.length > MAX_KEYS)
    throw invalidParameter('groupBy', `it may name at most ${MAX_KEYS} attributes.`);
  return [...new Map(keys.map((key) => [key.name, key])).values()];
};

/** Returns true if records are counted, which is the default if no values are requested. */
const parseCount = (raw: unknown, values: readonly AggregateValue[]): boolean => {
  if (raw === undefined) return values.length === 0;
  const count = isOn(raw) ? true : parseBoolean(raw);
  if (count === null) throw invalidParameter('count', 'it must be true or false.');
  return count || values.length === 0;
};

/**
 * Parses the parameters of an aggregate, checked against the model and the permissions of the caller. A
 * field that the caller may not read may not be aggregated or grouped by.
 *
 * @example
 *   parseAggregate(model, 'api::product.product', { sum: 'price', groupBy: 'category' }, options);
 *
 * @throws `request/invalid-parameter`, and what `parseReadQuery` throws
 */
export function parseAggregate(
  model: ContentModel,
  typeUid: Uid,
  raw: RawAggregateParams & RawReadParams,
  options: Omit<ReadOptions, 'action' | 'paginated'>,
): AggregateQuery {
  const { _q, filters, status, locale, hasPublishedVersion, publicationFilter, release } = raw;
  const version = { status, locale, hasPublishedVersion, publicationFilter, release };
  const params = { _q, filters, ...version, fields: [] };
  const query = parseReadQuery(model, typeUid, params, { action: 'find', paginated: true, ...options });
  const read = createReadContext(model, options);
  const context = { read, type: typeInScope(read, typeUid) };
  const values = parseValues(context, raw);
  const keys = parseKeys(context, raw.groupBy);
  const limits = { ...options.limits, defaultLimit: DEFAULT_GROUPS, maxLimit: MAX_GROUPS };
  const { offset, limit } = parsePage(raw.pagination, limits);
  const aggregate: AggregateQuery = {
    query,
    withCount: parseCount(raw.count, values),
    values,
    keys,
    order: parseOrder(raw.sort, values, keys),
    slice: keys.length === 0 ? null : { offset, limit },
  };
  deepFreeze<object>(aggregate);
  return aggregate;
}
