import { isRecord } from '../../lib/records.js';
import type { Attribute, ComponentAttribute, LinkAttribute } from '../../model/model.js';
import { OPERATORS, createNestedNode, joinNodes, negate } from '../filter-nodes.js';
import type { ComparableField } from '../schema-fields.js';
import { comparableField, comparableNames, readableAttribute } from '../schema-fields.js';
import { resolveLocalizations, resolveTargetSchema } from '../access-scope.js';
import { isIdText, parseComparison } from './parse-comparison.js';
import type { FilterNode } from '../query.js';
import {
  asList,
  castBoolean,
  keysOf,
  bracketPath,
  enter,
  invalidKey,
  invalidParameter,
  locate,
  undefinedCondition,
  unknownAttribute,
} from '../read-context.js';
import type { QueryLocation, ReadContext } from '../read-context.js';

/** Attribute that filters descend into, or `localizations`. */
interface NestedAttribute {
  readonly family: 'relation' | 'media' | 'component';
  readonly name: string;
  /** True if it leads to several documents. */
  readonly many: boolean;
}

const isPresent = (node: FilterNode | null): node is FilterNode => node !== null;

const joinAll = (nodes: readonly (FilterNode | null)[]): FilterNode | null =>
  joinNodes('and', nodes.filter(isPresent));

/**
 * Parses `filters`: conditions by field name, and `$and`, `$or` and `$not`. All must match. Returns null if
 * there is no condition.
 *
 * @throws `request/invalid-parameter`, `request/query-too-deep`, `request/query-too-large`, and
 *   `project/undefined-condition`, since a condition of code that lacks its value would match everything
 */
export function parseFilters(context: ReadContext, location: QueryLocation, raw: unknown): FilterNode | null {
  return raw === undefined || raw === null ? null : parseFilterValue(context, location, raw);
}

/** All conditions of a list must match, also of a list inside `$or`. */
const parseFilterValue = (context: ReadContext, location: QueryLocation, raw: unknown): FilterNode | null => {
  const list = asList(raw);
  if (list === null) return parseFilterObject(context, location, raw);
  return joinAll(list.map((item, index) => parseFilterValue(context, enter(location, String(index)), item)));
};

const parseFilterObject = (
  context: ReadContext,
  location: QueryLocation,
  raw: unknown,
): FilterNode | null => {
  if (raw === undefined) throw undefinedCondition(location.path);
  if (!isRecord(raw))
    throw invalidParameter(
      location.path,
      'it must be an object of conditions, like filters[name][$eq]=value.',
    );
  return joinAll(keysOf(raw).map((key) => parseEntry(context, location, key, raw[key])));
};

const parseEntry = (
  context: ReadContext,
  location: QueryLocation,
  key: string,
  value: unknown,
): FilterNode | null => {
  if (value === undefined) throw undefinedCondition(enter(location, key).path);
  if (key === '$and' || key === '$or')
    return parseGroup(context, enter(location, key), key === '$and' ? 'and' : 'or', value);
  if (key === '$not') return parseNot(parseFilters(context, enter(location, key), value));
  if (key.startsWith('$'))
    throw invalidKey(
      location,
      key,
      'only $and, $or and $not may stand next to field names; put other operators below a field.',
    );
  return parseField(context, location, key, value);
};

const parseNot = (node: FilterNode | null): FilterNode | null => (node === null ? null : negate(node));

const parseGroup = (
  context: ReadContext,
  location: QueryLocation,
  kind: 'and' | 'or',
  value: unknown,
): FilterNode | null => {
  const list = isEmptyRecord(value) ? [] : asList(value);
  if (list === null)
    throw invalidParameter(location.path, 'it takes a list of conditions, like filters[$or][0][name]=value.');
  return joinNodes(
    kind,
    list
      .map((item, index) => parseFilterValue(context, enter(location, String(index)), item))
      .filter(isPresent),
  );
};

const isEmptyRecord = (value: unknown): boolean => isRecord(value) && keysOf(value).length === 0;

const parseField = (
  context: ReadContext,
  location: QueryLocation,
  name: string,
  value: unknown,
): FilterNode | null => {
  const field = comparableField(location.schema, name);
  if (field !== null) return parseConditions(context, enter(location, name, location.schema), field, value);
  const localizedType = resolveLocalizations(context, location, name);
  if (localizedType !== null)
    return parseNested(
      context,
      enter(location, name, localizedType),
      { family: 'relation', name, many: true },
      value,
    );
  const attribute = readableAttribute(location.schema, name);
  if (attribute === null) throw unknownAttribute(location, name, comparableNames(location.schema));
  if (!isNested(attribute)) throw invalidKey(location, name, 'dynamic zones cannot be used in filters.');
  const schema = resolveTargetSchema(context, location, attribute);
  const many = attribute.family === 'component' ? attribute.repeatable : attribute.many;
  return parseNested(context, enter(location, name, schema), { family: attribute.family, name, many }, value);
};

const isNested = (attribute: Attribute): attribute is LinkAttribute | ComponentAttribute =>
  attribute.family === 'relation' || attribute.family === 'media' || attribute.family === 'component';

/** Parses the value of a scalar field: a value, a list of values, or an object of operators. */
const parseConditions = (
  context: ReadContext,
  location: QueryLocation,
  field: ComparableField,
  value: unknown,
): FilterNode | null => {
  if (!isRecord(value) || asList(value) !== null) {
    context.countEntry();
    return parseComparison({
      field,
      operator: asList(value) === null ? '$eq' : '$in',
      value,
      path: location.path,
    });
  }
  return joinAll(
    keysOf(value).map((operator) => {
      const inner = enter(location, operator);
      if (value[operator] === undefined) throw undefinedCondition(inner.path);
      if (operator === '$not') return parseNot(parseConditions(context, inner, field, value[operator]));
      if (!OPERATORS.has(operator))
        throw invalidKey(
          location,
          operator,
          `there is no such operator; use one of ${[...OPERATORS.keys()].join(', ')} or $not.`,
        );
      context.countEntry();
      return parseComparison({ field, operator, value: value[operator], path: inner.path });
    }),
  );
};

const isOperatorOfNested = (key: string): boolean => key === '$not' || OPERATORS.has(key);

/**
 * Parses the value of a relation or component: conditions on the fields of its target, operators on the id of
 * its target, or a test for any target.
 */
const parseNested = (
  context: ReadContext,
  location: QueryLocation,
  attribute: NestedAttribute,
  value: unknown,
): FilterNode | null => {
  context.countEntry();
  if (value === null) return createEmptinessNode(attribute, true);
  if (findsNothing(attribute, value)) return nestIn(attribute, NOTHING);
  if (!isRecord(value) || asList(value) !== null)
    return nestIn(attribute, parseConditions(context, location, idField(location), value));
  const keys = keysOf(value);
  assertFileName(context, location, attribute, value);
  const operators = keys
    .filter(isOperatorOfNested)
    .map((key) => parseNestedOperator(context, enter(location, key), { attribute, key, value: value[key] }));
  const fields = Object.fromEntries(
    keys.filter((key) => !isOperatorOfNested(key)).map((key) => [key, value[key]]),
  );
  return joinAll([...operators, nestIn(attribute, parseFilterObject(context, location, fields))]);
};

const NOTHING: FilterNode = { kind: 'compare', field: 'id', operator: '$in', operand: [] };

/** As in Strapi: a to-one relation compares the numeric id, which a documentId never equals. */
const findsNothing = ({ family, many }: NestedAttribute, value: unknown): boolean =>
  family === 'relation' && !many && typeof value === 'string' && !isIdText(value);

/**
 * The specification rejects filters by media. Projects use them, so only a name without an operator is
 * rejected for clients.
 */
const assertFileName = (
  { access }: ReadContext,
  location: QueryLocation,
  { family }: NestedAttribute,
  { name }: Readonly<Record<string, unknown>>,
): void => {
  if (family === 'media' && access.isOfClient === true && (typeof name === 'string' || asList(name) !== null))
    throw invalidKey(
      location,
      'name',
      `the name of a file takes an operator; write ${bracketPath(locate(location, 'name').path)}[$eq].`,
    );
};

/** Applies a condition to the target of an attribute. */
const nestIn = (attribute: NestedAttribute, node: FilterNode | null): FilterNode | null =>
  node === null
    ? null
    : createNestedNode(attribute.family === 'component' ? 'component' : 'link', attribute.name, node);

interface NestedOperator {
  readonly attribute: NestedAttribute;
  readonly key: string;
  readonly value: unknown;
}

const parseNestedOperator = (
  context: ReadContext,
  location: QueryLocation,
  { attribute, key, value }: NestedOperator,
): FilterNode | null => {
  if (value === undefined) throw undefinedCondition(location.path);
  if (key === '$not') return parseNot(parseNested(context, location, attribute, value));
  if (key !== '$null' && key !== '$notNull')
    return nestIn(
      attribute,
      parseComparison({ field: idField(location), operator: key, value, path: location.path }),
    );
  return createEmptinessNode(attribute, castBoolean(value) === (key === '$null'));
};

const createEmptinessNode = (attribute: NestedAttribute, empty: boolean): FilterNode => ({
  kind: attribute.family === 'component' ? 'component-empty' : 'link-empty',
  attribute: attribute.name,
  empty,
});

const idField = (location: QueryLocation): ComparableField => {
  const field = comparableField(location.schema, 'id');
  if (field === null) throw invalidParameter(location.path, 'it has no id.');
  return field;
};
