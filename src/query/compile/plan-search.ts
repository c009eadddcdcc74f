import { isDeepStrictEqual } from 'node:util';
import type { SearchExpressions, TextMatch } from '../../database/dialect/search-expressions.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, SearchIndex } from '../../model/model.js';
import type { CompareNode, ComparisonOperator, FilterNode, ReadQuery } from '../query.js';
import type { SearchParameters } from './parameterise.js';

/** Plan for finding rows by a full-text index. It is also the node that the values are bound to. */
export interface SearchPlan {
  readonly index: SearchIndex;
  readonly match: TextMatch;
}

/** Operators whose operand the value contains. `$eq` and `$startsWith` use an attribute's index instead. */
const CASED: ReadonlySet<ComparisonOperator> = new Set(['$contains', '$endsWith']);
const CASELESS: ReadonlySet<ComparisonOperator> = new Set([
  '$containsi',
  '$startsWithi',
  '$endsWithi',
  '$eqi',
]);

/** True if a full-text index can find the rows of a comparison with the operator. */
export const isSearchOperator = (operator: ComparisonOperator): boolean =>
  CASED.has(operator) || CASELESS.has(operator);

interface MatchContext {
  readonly index: SearchIndex;
  readonly search: SearchExpressions;
}

const comparisonMatch = (
  { index, search }: MatchContext,
  { field, operator, operand }: CompareNode,
): TextMatch | null => {
  if (!isSearchOperator(operator) || typeof operand !== 'string') return null;
  const isFolded = CASELESS.has(operator);
  const text = index.texts.findIndex((values) => values.some((value) => value.field === field));
  if (text === -1 || !search.canFind(operand, { isFolded })) return null;
  return { kind: 'contains', text, term: operand, isFolded };
};

/** Returns the terms that all rows selected by a filter contain. Null: no term that an index finds. */
const matchOf = (context: MatchContext, node: FilterNode): TextMatch | null => {
  if (node.kind === 'compare') return comparisonMatch(context, node);
  if (node.kind !== 'and' && node.kind !== 'or') return null;
  const matches = node.items.map((item) => matchOf(context, item));
  const items = matches.filter((match) => match !== null);
  if (items.length === 0 || (node.kind === 'or' && items.length < matches.length)) return null;
  return { kind: node.kind, items: withoutRepeats(items) };
};

/** Several short values form one text, so comparisons with each may be equal for the index. */
const withoutRepeats = (matches: readonly TextMatch[]): readonly TextMatch[] =>
  matches.filter(
    (match, position) => matches.findIndex((other) => isDeepStrictEqual(match, other)) === position,
  );

/**
 * Returns the plan by which a full-text index finds the candidate rows of a read, or null if it cannot.
 *
 * @param available the names of the full-text indexes that the database has
 */
export function planSearch(
  model: ContentModel,
  { type, filter }: ReadQuery,
  search: SearchExpressions,
  available: ReadonlySet<string>,
): SearchPlan | null {
  const { search: index } = typeOf(model, type);
  if (index === null || filter === null || !available.has(search.nameOf(index))) return null;
  const match = matchOf({ index, search }, filter);
  return match === null ? null : Object.freeze({ index, match });
}

/** Returns the part of a statement's shape that depends on a match. */
const shapeOf = (match: TextMatch): string =>
  match.kind === 'contains' ? `~${match.text}` : `${match.kind}(${match.items.map(shapeOf).join()})`;

/** Returns the parameters that a read binds for its full-text index. */
export function searchParameters(
  plan: SearchPlan | null,
  { search }: { readonly search: SearchExpressions },
): SearchParameters | null {
  return plan === null
    ? null
    : { node: plan, shape: shapeOf(plan.match), values: search.valuesOf(plan.match) };
}
