import { assertNever } from '../lib/assert-never.js';
import type { ContentModel, ContentSchema } from '../model/model.js';
import type { ComparisonOperator, FilterNode, LinkNode } from '../query/query.js';
import { linkAttributeOf, typeOf } from '../model/lookup.js';
import { isLocalizations } from '../query/schema-fields.js';

/** Operators that usually match few rows. */
const SELECTIVE_OPERATORS: ReadonlySet<ComparisonOperator> = new Set([
  '$eq',
  '$eqi',
  '$in',
  '$between',
  '$contains',
  '$containsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
]);

/** Operators that list the values themselves. */
const EXACT_OPERATORS: ReadonlySet<ComparisonOperator> = new Set(['$eq', '$eqi', '$in']);

/** Whether all rows that a filter matches meet a comparison with one of the operators. */
const requiresOneOf = (operators: ReadonlySet<ComparisonOperator>, node: FilterNode): boolean => {
  switch (node.kind) {
    case 'compare':
      return operators.has(node.operator);
    case 'and':
      return node.items.some((item) => requiresOneOf(operators, item));
    case 'or':
      return node.items.length > 0 && node.items.every((item) => requiresOneOf(operators, item));
    case 'link':
    case 'component':
      return requiresOneOf(operators, node.filter);
    case 'not':
    case 'link-empty':
    case 'component-empty':
      return false;
    default:
      return assertNever(node, 'filter node');
  }
};

/** Whether a filter probably matches few rows of a table, judging by its form alone. */
export function isSelective(node: FilterNode): boolean {
  return requiresOneOf(SELECTIVE_OPERATORS, node);
}

/** Whether a filter names the values of some field of all rows that it matches, which may be in many rows. */
export function namesValues(node: FilterNode): boolean {
  return requiresOneOf(EXACT_OPERATORS, node);
}

/** Whether a filter leads to linked records. */
export function namesLink(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.items.some(namesLink);
    case 'not':
      return namesLink(node.item);
    case 'component':
      return namesLink(node.filter);
    case 'link':
    case 'link-empty':
      return true;
    case 'compare':
    case 'component-empty':
      return false;
    default:
      return assertNever(node, 'filter node');
  }
}

/** Fields in which each value probably occurs in many rows. */
export function isLowCardinality(schema: ContentSchema, field: string): boolean {
  const attribute = Object.hasOwn(schema.attributes, field) ? schema.attributes[field] : undefined;
  if (attribute?.family === 'scalar') return attribute.type === 'boolean' || attribute.type === 'enumeration';
  return field === 'locale';
}

const matchesFewDocuments = (model: ContentModel, schema: ContentSchema, node: FilterNode): boolean => {
  switch (node.kind) {
    case 'compare':
      return EXACT_OPERATORS.has(node.operator) && !isLowCardinality(schema, node.field);
    case 'and':
      return node.items.some((item) => matchesFewDocuments(model, schema, item));
    case 'or':
      return node.items.length > 0 && node.items.every((item) => matchesFewDocuments(model, schema, item));
    case 'link': {
      const target = isLocalizations(schema, node.attribute)
        ? schema.uid
        : linkAttributeOf(schema, node.attribute).target;
      return target !== null && matchesFewDocuments(model, typeOf(model, target), node.filter);
    }
    case 'component':
    case 'not':
    case 'link-empty':
    case 'component-empty':
      return false;
    default:
      return assertNever(node, 'filter node');
  }
};

/**
 * Returns the condition on a link through which the rows that match a filter are best found: the filter
 * requires that they link one of a few documents which it names. Search terms are not sufficient, because a
 * page of a filter that matches nearly everything is found faster by a scan. Null: there is none.
 */
export function findStartingLink(
  model: ContentModel,
  schema: ContentSchema,
  node: FilterNode | null,
): LinkNode | null {
  if (node?.kind === 'and')
    return node.items.reduce<LinkNode | null>(
      (found, item) => found ?? findStartingLink(model, schema, item),
      null,
    );
  return node?.kind === 'link' && matchesFewDocuments(model, schema, node) ? node : null;
}
