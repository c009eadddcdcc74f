import { linkAttributeOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import type { ComparisonOperator, FilterNode } from '../../query/query.js';
import type { ReadShape } from '../../query/read-shape.js';
import { isIndexed } from '../../query/compile/fields.js';

/** An index that could be declared, so that reads of a shape look at fewer rows. */
export interface Remedy {
  readonly type: Uid;
  readonly attribute: string;
  /** An index of the texts in the values. Absent: of the values. */
  readonly option?: 'search';
}

const LOOKUPS: ReadonlySet<ComparisonOperator> = new Set(['$eq', '$in', '$startsWith']);
const RANGES: ReadonlySet<ComparisonOperator> = new Set(['$lt', '$lte', '$gt', '$gte', '$between']);

/** True for fields in which each value probably occurs in many rows. */
const isLowCardinality = ({ attributes }: ContentType, field: string): boolean => {
  const attribute = Object.hasOwn(attributes, field) ? attributes[field] : undefined;
  if (attribute?.family === 'scalar') return attribute.type === 'boolean' || attribute.type === 'enumeration';
  return field === 'locale';
};

/**
 * True if an index can be declared for an attribute: the schema files of built-in types are not the
 * project's.
 */
const canIndex = (type: ContentType, field: string): boolean => {
  const attribute = Object.hasOwn(type.attributes, field) ? type.attributes[field] : undefined;
  return (
    type.origin === 'project' &&
    type.kind === 'collectionType' &&
    attribute?.family === 'scalar' &&
    attribute.field.indexable &&
    !isLowCardinality(type, field)
  );
};

const isKey = (field: string): boolean => field === 'id' || field === 'documentId';

interface Comparison {
  readonly type: ContentType;
  readonly field: string;
  readonly operator: ComparisonOperator;
}

/** The comparisons that each row has to meet, also those of linked documents. */
const requiredComparisons = (
  model: ContentModel,
  type: ContentType,
  node: FilterNode | null,
): readonly Comparison[] => {
  switch (node?.kind) {
    case 'compare':
      return [{ type, field: node.field, operator: node.operator }];
    case 'and':
      return node.items.flatMap((item) => requiredComparisons(model, type, item));
    case 'link': {
      const { target } = linkAttributeOf(type, node.attribute);
      return target === null ? [] : requiredComparisons(model, typeOf(model, target), node.filter);
    }
    default:
      return [];
  }
};

const remedyOf = ({ type, field, operator }: Comparison): readonly Remedy[] =>
  (LOOKUPS.has(operator) || RANGES.has(operator)) && canIndex(type, field) && !isIndexed(type, field)
    ? [{ type: type.uid, attribute: field }]
    : [];

/** Returns what could serve reads of a shape, the most promising first. Empty where they are served. */
export function remediesOf(
  model: ContentModel,
  { type: uid, filter, sort, isPaged }: ReadShape,
): readonly Remedy[] {
  const type = typeOf(model, uid);
  const comparisons = requiredComparisons(model, type, filter);
  const isServed = comparisons.some(
    ({ type: owner, field, operator }) =>
      LOOKUPS.has(operator) && (isKey(field) || (isIndexed(owner, field) && !isLowCardinality(owner, field))),
  );
  if (isServed) return [];
  const [[first, ...nested] = []] = sort.map(({ path }) => path);
  const isOrdered = first === undefined || nested.length > 0 || isKey(first) || !isPaged;
  const order: readonly Remedy[] =
    isOrdered || !canIndex(type, first) || isIndexed(type, first) ? [] : [{ type: uid, attribute: first }];
  return [...comparisons.flatMap(remedyOf), ...order].filter(
    (remedy, index, all) =>
      all.findIndex((other) => other.type === remedy.type && other.attribute === remedy.attribute) === index,
  );
}

const remedyCommand = ({ type, attribute, option }: Remedy): string =>
  `cms field ${option ?? 'index'} ${type} ${attribute}`;

/** Returns the commands that declare remedies which only help together. */
export function remedyCommands(remedies: readonly Remedy[]): string {
  return remedies.map(remedyCommand).join(' and ');
}
