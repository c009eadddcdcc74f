import type { Trial } from '../../database/dialect/trial.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { FilterNode, ReadQuery } from '../../query/query.js';
import { isSearchOperator, planSearch } from '../../query/compile/plan-search.js';
import type { Project } from '../open-project.js';
import { hasManyRows } from './find-scan.js';
import { modelWith } from './model-with.js';
import type { Remedy } from './remedies.js';

const comparedFields = (node: FilterNode | null): readonly string[] => {
  if (node?.kind === 'compare') return isSearchOperator(node.operator) ? [node.field] : [];
  return node?.kind === 'and' || node?.kind === 'or' ? node.items.flatMap(comparedFields) : [];
};

const canBeSearched = ({ attributes }: ContentType, name: string): boolean => {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.family === 'scalar' && attribute.field.searchable === true && !attribute.isSearched;
};

/** Returns the attributes in which a filter looks for parts of texts, and which no full-text index has. */
export function searchedAttributes(
  model: ContentModel,
  { type: uid, filter }: Pick<ReadQuery, 'type' | 'filter'>,
): readonly string[] {
  const type = typeOf(model, uid);
  if (type.origin !== 'project' || type.kind !== 'collectionType') return [];
  return [...new Set(comparedFields(filter))].filter((name) => canBeSearched(type, name));
}

/**
 * Returns the attributes whose full-text index would find the rows of a read. Empty where no such index does,
 * and where the type has few rows.
 */
export async function findSearchRemedies(
  project: Project,
  trial: Trial,
  query: ReadQuery,
): Promise<readonly Remedy[]> {
  const names = searchedAttributes(project.model, query);
  if (names.length === 0 || !(await hasManyRows(trial, project.model, query))) return [];
  const model = modelWith(project, query.type, { names, option: 'search' });
  const index = model === null ? null : typeOf(model, query.type).search;
  if (model === null || index === null) return [];
  const { search } = trial.expressions;
  if (planSearch(model, query, search, new Set([search.nameOf(index)])) === null) return [];
  return names.map((attribute) => ({ type: query.type, attribute, option: 'search' }));
}
