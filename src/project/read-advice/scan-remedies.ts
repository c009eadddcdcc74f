import type { IndexRemedy } from '../../api/administration/operation.js';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import type { IndexExperiment } from '../../database/dialect/database-driver.js';
import { buildModel } from '../../model/build-model.js';
import { linkAttributeOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { compileCount, compileRead } from '../../query/compile/compile-read.js';
import { isIndexed } from '../../query/compile/fields.js';
import { bindSlots, parameteriseCount, parameteriseRead } from '../../query/compile/parameterise.js';
import { isSearchOperator, planSearch } from '../../query/compile/compile-context.js';
import type { ComparisonOperator, FilterNode, ReadQuery } from '../../query/query.js';
import { IDS_ONLY } from '../../query/query.js';
import { readShapeOf } from '../../query/describe-read.js';
import type { ReadShape } from '../../query/describe-read.js';
import type { Project } from '../open/open-project.js';

/** Returns the model with indexes, or full-text indexes, added to some attributes of a type. */
export function modelWith(
  { definitions }: Project,
  uid: string,
  { names, option }: { readonly names: readonly string[]; readonly option: 'index' | 'search' },
): ContentModel | null {
  const types = definitions.types.map((type) => {
    if (type.uid !== uid) return type;
    const attributes = type.attributes.map((attribute) =>
      names.includes(attribute.name)
        ? { ...attribute, options: { ...attribute.options, [option]: true } }
        : attribute,
    );
    return { ...type, attributes };
  });
  return buildModel({ ...definitions, types }).model;
}

const LOOKUPS: ReadonlySet<ComparisonOperator> = new Set(['$eq', '$in', '$startsWith']);
const RANGES: ReadonlySet<ComparisonOperator> = new Set(['$lt', '$lte', '$gt', '$gte', '$between']);

/** True for fields whose values likely occur in many rows each. */
const isLowCardinality = ({ attributes }: ContentType, field: string): boolean => {
  const attribute = Object.hasOwn(attributes, field) ? attributes[field] : undefined;
  if (attribute?.family === 'scalar') return attribute.type === 'boolean' || attribute.type === 'enumeration';
  return field === 'locale';
};

/**
 * True if the project can declare an index for an attribute. Built-in types have no schema files in the
 * project.
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

/** Returns the comparisons that each row must meet, including those of linked documents. */
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

const remedyOf = ({ type, field, operator }: Comparison): readonly IndexRemedy[] =>
  (LOOKUPS.has(operator) || RANGES.has(operator)) && canIndex(type, field) && !isIndexed(type, field)
    ? [{ type: type.uid, attribute: field }]
    : [];

/**
 * Returns the possible indexes for reads of a shape, the most promising first. Empty if an index serves them
 * already.
 */
export function remediesOf(
  model: ContentModel,
  { type: uid, filter, sort, isPaged }: ReadShape,
): readonly IndexRemedy[] {
  const type = typeOf(model, uid);
  const comparisons = requiredComparisons(model, type, filter);
  const isServed = comparisons.some(
    ({ type: owner, field, operator }) =>
      LOOKUPS.has(operator) && (isKey(field) || (isIndexed(owner, field) && !isLowCardinality(owner, field))),
  );
  if (isServed) return [];
  const [[first, ...nested] = []] = sort.map(({ path }) => path);
  const isOrdered = first === undefined || nested.length > 0 || isKey(first) || !isPaged;
  const order: readonly IndexRemedy[] =
    isOrdered || !canIndex(type, first) || isIndexed(type, first) ? [] : [{ type: uid, attribute: first }];
  return [...comparisons.flatMap(remedyOf), ...order].filter(
    (remedy, index, all) =>
      all.findIndex((other) => other.type === remedy.type && other.attribute === remedy.attribute) === index,
  );
}

const remedyCommand = ({ type, attribute, option }: IndexRemedy): string =>
  `cms field ${option ?? 'index'} ${type} ${attribute}`;

/** Returns the commands for remedies that only help in combination. */
export function remedyCommands(remedies: readonly IndexRemedy[]): string {
  return remedies.map(remedyCommand).join(' and ');
}

/** Scans of up to this many rows are fast enough. */
export const FEW_ROWS = 1000;

/** The statement of a read, without populated relations. */
interface PlainStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
}

/** Compiles a read for a model, without populated relations. */
export function compilePlain(
  { expressions }: IndexExperiment,
  model: ContentModel,
  query: ReadQuery,
  isCount: boolean,
): PlainStatement {
  const plain: ReadQuery = { ...query, selection: IDS_ONLY };
  const { sql, slots } = (isCount ? compileCount : compileRead)(model, plain, expressions);
  const { values } = (isCount ? parameteriseCount : parameteriseRead)(plain);
  return { sql, parameters: bindSlots(expressions, slots, values) };
}

/** True if a type has more than {@link FEW_ROWS} published rows. */
const hasManyRows = async (
  experiment: IndexExperiment,
  model: ContentModel,
  { type }: Pick<IndexRemedy, 'type'>,
): Promise<boolean> => {
  const table = quoteName(typeOf(model, type).storage.version.table);
  const [count] = await experiment.values(
    `select count(*) from
       (select 1 from ${table} where "status" = 'published' limit ${FEW_ROWS + 1}) as "rows"`,
    [],
  );
  return Number(count) > FEW_ROWS;
};

/**
 * Returns the indexes with which a read would scan at most a thousand rows. Empty if it does so already, or
 * if no index helps.
 */
export async function findScan(
  experiment: IndexExperiment,
  model: ContentModel,
  query: ReadQuery,
  isCount: boolean,
): Promise<readonly IndexRemedy[]> {
  const remedies: IndexRemedy[] = [];
  for (const remedy of remediesOf(model, readShapeOf(query, isCount)))
    if (await hasManyRows(experiment, model, remedy)) remedies.push(remedy);
  if (remedies.length === 0) return [];
  const { sql, parameters } = compilePlain(experiment, model, query, isCount);
  const { scans, sorts, filters } = await experiment.explain(sql, parameters);
  return scans || sorts || (filters && query.filter !== null) ? remedies : [];
}

const comparedFields = (node: FilterNode | null): readonly string[] => {
  if (node?.kind === 'compare') return isSearchOperator(node.operator) ? [node.field] : [];
  return node?.kind === 'and' || node?.kind === 'or' ? node.items.flatMap(comparedFields) : [];
};

const canBeSearched = ({ attributes }: ContentType, name: string): boolean => {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.family === 'scalar' && attribute.field.searchable === true && !attribute.isSearched;
};

/** Returns the attributes in which a filter searches for parts of texts, and that have no full-text index. */
export function searchedAttributes(
  model: ContentModel,
  { type: uid, filter }: Pick<ReadQuery, 'type' | 'filter'>,
): readonly string[] {
  const type = typeOf(model, uid);
  if (type.origin !== 'project' || type.kind !== 'collectionType') return [];
  return [...new Set(comparedFields(filter))].filter((name) => canBeSearched(type, name));
}

/**
 * Returns the full-text indexes that would find the rows of a read. Empty if there are none, or if the type
 * has few rows.
 */
export async function findSearchRemedies(
  project: Project,
  experiment: IndexExperiment,
  query: ReadQuery,
): Promise<readonly IndexRemedy[]> {
  const names = searchedAttributes(project.model, query);
  if (names.length === 0 || !(await hasManyRows(experiment, project.model, query))) return [];
  const model = modelWith(project, query.type, { names, option: 'search' });
  const index = model === null ? null : typeOf(model, query.type).search;
  if (model === null || index === null) return [];
  const { search } = experiment.expressions;
  if (planSearch(model, query, search, new Set([search.nameOf(index)])) === null) return [];
  return names.map((attribute) => ({ type: query.type, attribute, option: 'search' }));
}
