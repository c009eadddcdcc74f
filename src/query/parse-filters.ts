import { isRecord } from '../lib/is-record.js';
import type { Attribute, ComponentAttribute, RelationAttribute } from '../model/model.js';
import { group, inside, negate } from './filter-nodes.js';
import { OPERATORS } from './filter-operators.js';
import type { ComparableField } from './holder-fields.js';
import { comparableField, comparableNames, readableAttribute } from './holder-fields.js';
import { openAttribute } from './nested-holder.js';
import { parseComparison } from './parse-comparison.js';
import type { FilterNode } from './query.js';
import { asList, keysOf, parseBoolean } from './raw-values.js';
import type { Place, ReadContext } from './read-context.js';
import { enter, refuse, refuseName } from './read-context.js';

type NestedAttribute = RelationAttribute | ComponentAttribute;

const isPresent = (node: FilterNode | null): node is FilterNode => node !== null;

const all = (nodes: readonly (FilterNode | null)[]): FilterNode | null => group('and', nodes.filter(isPresent));

/**
 * Reads a `filters` value: conditions by field name, `$and`, `$or` and `$not` beside them, everything and-ed. Null where it holds no condition.
 * Every name and value is checked against the holder at `place`; throws `request/invalid-parameter` and the limits' errors.
 */
export function parseFilters(context: ReadContext, place: Place, raw: unknown): FilterNode | null {
  if (raw === undefined || raw === null) return null;
  const list = asList(raw);
  if (list !== null) return all(list.map((item, index) => parseFilterObject(context, enter(place, String(index)), item)));
  return parseFilterObject(context, place, raw);
}

const parseFilterObject = (context: ReadContext, place: Place, raw: unknown): FilterNode | null => {
  if (!isRecord(raw)) throw refuse(place.path, 'it must be an object of conditions, like filters[name][$eq]=value.');
  return all(keysOf(raw).map((key) => parseEntry(context, place, key, raw[key])));
};

const parseEntry = (context: ReadContext, place: Place, key: string, value: unknown): FilterNode | null => {
  if (value === undefined) return null;
  if (key === '$and' || key === '$or') return parseGroup(context, enter(place, key), key === '$and' ? 'and' : 'or', value);
  if (key === '$not') return parseNot(parseFilters(context, enter(place, key), value));
  if (key.startsWith('$')) throw refuse(enter(place, key).path, 'only $and, $or and $not stand beside field names; put other operators under a field.');
  return parseField(context, place, key, value);
};

const parseNot = (node: FilterNode | null): FilterNode | null => (node === null ? null : negate(node));

const parseGroup = (context: ReadContext, place: Place, kind: 'and' | 'or', value: unknown): FilterNode | null => {
  const list = isEmptyRecord(value) ? [] : asList(value);
  if (list === null) throw refuse(place.path, 'it takes a list of conditions, like filters[$or][0][name]=value.');
  return group(kind, list.map((item, index) => parseFilterObject(context, enter(place, String(index)), item)).filter(isPresent));
};

const isEmptyRecord = (value: unknown): boolean => isRecord(value) && keysOf(value).length === 0;

const parseField = (context: ReadContext, place: Place, name: string, value: unknown): FilterNode | null => {
  const field = comparableField(place.holder, name);
  if (field !== null) return parseConditions(context, enter(place, name), field, value);
  const attribute = readableAttribute(place.holder, name);
  if (attribute === null) throw refuseName(place, name, comparableNames(place.holder));
  const path = enter(place, name).path;
  if (!isNested(attribute)) throw refuse(path, 'media and dynamic zones cannot be filtered by.');
  const holder = openAttribute(context, attribute, path);
  return parseNested(context, enter(place, name, holder), attribute, value);
};

const isNested = (attribute: Attribute): attribute is NestedAttribute => attribute.family === 'relation' || attribute.family === 'component';

/** What stands under a scalar field: a value, a list of them, or operators. */
const parseConditions = (context: ReadContext, place: Place, field: ComparableField, value: unknown): FilterNode | null => {
  if (!isRecord(value) || asList(value) !== null) {
    context.spend();
    return parseComparison({ field, operator: asList(value) === null ? '$eq' : '$in', value, path: place.path });
  }
  return all(keysOf(value).map((operator) => {
    const inner = enter(place, operator);
    if (operator === '$not') return parseNot(parseConditions(context, inner, field, value[operator]));
    context.spend();
    return parseComparison({ field, operator, value: value[operator], path: inner.path });
  }));
};

const isOperatorOfNested = (key: string): boolean => key === '$not' || OPERATORS.has(key);

/** What stands under a relation or component: its target's fields, operators on its target's id, or whether there is any target. */
const parseNested = (context: ReadContext, place: Place, attribute: NestedAttribute, value: unknown): FilterNode | null => {
  context.spend();
  if (value === null) return existence(attribute, true);
  if (!isRecord(value) || asList(value) !== null) return within(attribute, parseConditions(context, place, idField(place), value));
  const keys = keysOf(value);
  const operators = keys.filter(isOperatorOfNested).map((key) => parseNestedOperator(context, enter(place, key), { attribute, key, value: value[key] }));
  const fields = Object.fromEntries(keys.filter((key) => !isOperatorOfNested(key)).map((key) => [key, value[key]]));
  return all([...operators, within(attribute, parseFilterObject(context, place, fields))]);
};

/** What is said of what the attribute links or holds. */
const within = (attribute: NestedAttribute, node: FilterNode | null): FilterNode | null =>
  node === null ? null : inside(attribute.family === 'relation' ? 'link' : 'component', attribute.name, node);

interface NestedOperator {
  readonly attribute: NestedAttribute;
  readonly key: string;
  readonly value: unknown;
}

const parseNestedOperator = (context: ReadContext, place: Place, { attribute, key, value }: NestedOperator): FilterNode | null => {
  if (value === undefined) return null;
  if (key === '$not') return parseNot(parseNested(context, place, attribute, value));
  if (key !== '$null' && key !== '$notNull') return within(attribute, parseComparison({ field: idField(place), operator: key, value, path: place.path }));
  const flag = parseBoolean(value);
  if (flag === null) throw refuse(place.path, `${key} takes true or false.`);
  return existence(attribute, flag === (key === '$null'));
};

const existence = (attribute: NestedAttribute, empty: boolean): FilterNode =>
  ({ kind: attribute.family === 'relation' ? 'link-empty' : 'component-empty', attribute: attribute.name, empty });

const idField = (place: Place): ComparableField => {
  const field = comparableField(place.holder, 'id');
  if (field === null) throw refuse(place.path, 'it has no id.');
  return field;
};
