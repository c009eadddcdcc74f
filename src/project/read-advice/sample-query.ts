import { quoteName } from '../../database/dialect/sql-text.js';
import type { Trial } from '../../database/dialect/trial.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import { textForm } from '../../lib/text-form.js';
import { linkAttributeOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { CompareNode, FilterNode, ReadQuery } from '../../query/query.js';
import type { ReadShape } from '../../query/read-shape.js';

/** A page as most requests ask for it. */
const PAGE = { offset: 0, limit: 25, style: 'page', withCount: false } as const;

const LISTS: ReadonlySet<string> = new Set(['$in', '$notIn', '$between']);
const PARTS: ReadonlySet<string> = new Set([
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
]);
const PART_LENGTH = 5;

const columnOf = (type: ContentType, field: string): string | null => {
  if (field === 'id') return 'id';
  if (field === 'documentId') return 'document_id';
  const attribute = Object.hasOwn(type.attributes, field) ? type.attributes[field] : undefined;
  return attribute?.family === 'scalar' ? attribute.column.name : null;
};

/** Returns a value from the middle of the table, as a typical one. */
const sampleValue = async (
  trial: Trial,
  { storage }: ContentType,
  column: string | null,
): Promise<StoredScalar> => {
  if (column === null) return '';
  const [table, name] = [storage.version.table, column].map(quoteName);
  const [value = null] = await trial.values(
    `select ${name} from ${table} where ${name} is not null
       limit 1 offset (select count(${name}) / 2 from ${table})`,
    [],
  );
  return value as StoredScalar;
};

const sampleOperand = async (
  trial: Trial,
  type: ContentType,
  { field, operator, operand }: CompareNode,
): Promise<CompareNode['operand']> => {
  if (operator === '$null' || operator === '$notNull') return operand;
  const value = (await sampleValue(trial, type, columnOf(type, field))) ?? '';
  if (operator === '$between') return [value, value];
  if (LISTS.has(operator)) return [value];
  return PARTS.has(operator) ? textForm(value).slice(0, PART_LENGTH) : value;
};

interface SampleContext {
  readonly trial: Trial;
  readonly model: ContentModel;
}

/** Fills in values that the database holds. Those inside of components are empty. */
const sampleFilter = async (
  context: SampleContext,
  type: ContentType,
  node: FilterNode,
): Promise<FilterNode> => {
  const { trial, model } = context;
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, items: await sampleAll(context, type, node.items) };
    case 'not':
      return { ...node, item: await sampleFilter(context, type, node.item) };
    case 'compare':
      return { ...node, operand: await sampleOperand(trial, type, node) };
    case 'link': {
      const { target } = linkAttributeOf(type, node.attribute);
      if (target === null) return node;
      return { ...node, filter: await sampleFilter(context, typeOf(model, target), node.filter) };
    }
    default:
      return node;
  }
};

const sampleAll = async (
  context: SampleContext,
  type: ContentType,
  nodes: readonly FilterNode[],
): Promise<readonly FilterNode[]> => {
  const sampled: FilterNode[] = [];
  for (const node of nodes) sampled.push(await sampleFilter(context, type, node));
  return sampled;
};

/** Returns a read of a shape with values that the database holds. */
export async function sampleQuery(context: SampleContext, shape: ReadShape): Promise<ReadQuery> {
  const type = typeOf(context.model, shape.type);
  const table = quoteName(type.storage.version.table);
  const [locale = ''] = await context.trial.values(`select "locale" from ${table} limit 1`, []);
  return {
    type: shape.type,
    filter: shape.filter === null ? null : await sampleFilter(context, type, shape.filter),
    sort: shape.sort,
    selection: { fields: [], populate: [] },
    page: shape.isPaged ? PAGE : null,
    locale: shape.isAllLocales ? '*' : String(locale),
    status: shape.status,
    hasPublishedVersion: null,
  };
}
