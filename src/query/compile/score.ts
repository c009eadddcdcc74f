import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SearchTerm } from '../query.js';
import type { CompileContext } from './compile-context.js';
import { fieldValue } from './fields.js';
import type { Scope } from './scope.js';

/** The parameters of BM25, as they are commonly chosen. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** Counted in letters. The average of all texts, which BM25 has instead, changes with every write. */
const TYPICAL_LENGTH = 500;

const fieldScore = (
  context: CompileContext,
  scope: Scope,
  field: string,
  search: SearchTerm,
): RawBuilder<unknown> => {
  const { expressions } = context;
  const { value, kind } = fieldValue(context, scope, field);
  const text = expressions.fold(expressions.asText(kind, value));
  const term = expressions.fold(context.bind(search, 'text'));
  const [texts, counts] = [sql.id(context.nextAlias('s')), sql.id(context.nextAlias('s'))];
  // The limits keep planners from inlining subqueries, which would fold again at each use.
  const folded = sql`(select ${text} as body, ${term} as term limit 1) as ${texts}`;
  const hits = sql`cast(length(body) - length(replace(body, term, '')) as double precision) / length(term)`;
  const counted = sql`(select ${hits} as hits, length(body) as size from ${folded} limit 1) as ${counts}`;
  const ofLength = sql.lit((SATURATION * LENGTH_WEIGHT) / TYPICAL_LENGTH);
  const damping = sql`${sql.lit(SATURATION * (1 - LENGTH_WEIGHT))} + ${ofLength} * size`;
  return sql`coalesce((select hits / (hits + ${damping}) from ${counted}), 0)`;
};

/**
 * Returns how well a record fits a search: BM25 of the term in all that is searched. The more often it occurs
 * and the shorter the text, the better. The same on every database.
 */
export function scoreValue(context: CompileContext, scope: Scope, search: SearchTerm): RawBuilder<unknown> {
  return sql`(${sql.join(
    search.fields.map((field) => fieldScore(context, scope, field, search)),
    sql` + `,
  )})`;
}
