import { isDeepStrictEqual } from 'node:util';
import type { SearchExpressions, TextMatch } from '../dialects/search-expressions.js';
import { typeOf } from '../model/lookup.js';
import type { ContentModel, ContentType, SearchIndex } from '../model/model.js';
import type { CompareNode, ComparisonOperator, FilterNode, ReadQuery } from '../query/query.js';
import type { SearchParameters } from './parameterise.js';
import { hasLookups } from './choose-index.js';
import { storedKind } from './fields.js';
import { findStartingLink, isLowCardinality } from './selectivity.js';

/** How a read finds rows through a full-text index. It is also the node that the values are bound to. */
export interface SearchPlan {
  readonly index: SearchIndex;
  readonly match: TextMatch;
}

/** Operators whose operand is contained in the value. */
const CASED: ReadonlySet<ComparisonOperator> = new Set(['$eq', '$contains', '$startsWith', '$endsWith']);
const CASELESS: ReadonlySet<ComparisonOperator> = new Set([
  '$eqi',
  '$containsi',
  '$startsWithi',
  '$endsWithi',
]);

interface MatchContext {
  readonly type: ContentType;
  readonly index: SearchIndex;
  readonly search: SearchExpressions;
}

/**
 * Numbers are compared as such by `$eq`, whatever their text. Where each value is in many rows, a page is
 * complete before an index has found how many.
 */
const isText = (type: ContentType, { field, operator }: CompareNode): boolean =>
  operator !== '$eq' || (storedKind(type, field) === 'text' && !isLowCardinality(type, field));

const comparisonMatch = ({ type, index, search }: MatchContext, node: CompareNode): TextMatch | null => {
  const { field, operator, operand } = node;
  const isFolded = CASELESS.has(operator);
  if (!isFolded && !CASED.has(operator)) return null;
  const text = index.texts.findIndex((values) => values.some((value) => value.field === field));
  if (text === -1 || typeof operand !== 'string' || !isText(type, node)) return null;
  return search.canFind(operand, { isFolded }) ? { kind: 'contains', text, term: operand, isFolded } : null;
};

/** Returns what the texts of all rows contain that a filter selects. Null: nothing that an index finds. */
const matchOf = (context: MatchContext, node: FilterNode): TextMatch | null => {
  if (node.kind === 'compare') return comparisonMatch(context, node);
  if (node.kind !== 'and' && node.kind !== 'or') return null;
  const matches = node.items.map((item) => matchOf(context, item));
  const items = matches.filter((match) => match !== null);
  if (items.length === 0 || (node.kind === 'or' && items.length < matches.length)) return null;
  return { kind: node.kind, items: withoutRepeats(items) };
};

/** Several short values are one text, so that comparisons with each may be the same to the index. */
const withoutRepeats = (matches: readonly TextMatch[]): readonly TextMatch[] =>
  matches.filter(
    (match, position) => matches.findIndex((other) => isDeepStrictEqual(match, other)) === position,
  );

/**
 * Returns how a full-text index serves a read: as a first choice of rows, of which the filter selects. Null
 * where it does not, or where the filter names rows that are found sooner.
 *
 * @param available the names of the full-text indexes that the database has
 */
export function planSearch(
  model: ContentModel,
  query: ReadQuery,
  search: SearchExpressions,
  available: ReadonlySet<string>,
): SearchPlan | null {
  const type = typeOf(model, query.type);
  const { search: index } = type;
  const { filter } = query;
  if (index === null || filter === null || !available.has(search.nameOf(index))) return null;
  if (hasLookups(type, filter) || findStartingLink(model, type, filter) !== null) return null;
  const match = matchOf({ type, index, search }, filter);
  return match === null ? null : Object.freeze({ index, match });
}

/** Returns what a read binds for its full-text index. */
export function searchParameters(
  plan: SearchPlan | null,
  { search }: { readonly search: SearchExpressions },
): SearchParameters | null {
  if (plan === null) return null;
  const { match, index } = plan;
  return { node: plan, shape: search.shapeOf(match), values: search.valuesOf(match, index) };
}
