import { sql } from 'kysely';
import { SEARCH_PREFIX } from '../../dialect/search-expressions.js';
import type { SearchExpressions, TextMatch } from '../../dialect/search-expressions.js';
import { searchableParts } from './terms.js';

/** Returns a match in the query language of FTS5. */
const printMatch = (match: TextMatch): string => {
  const [operator, items] =
    match.kind === 'contains'
      ? [
          'and',
          searchableParts(match.term, match.isFolded).map(
            (part) => `c${match.text} : "${part.replaceAll('"', '""')}"`,
          ),
        ]
      : [match.kind, match.items.map(printMatch)];
  return `(${items.join(` ${operator.toUpperCase()} `)})`;
};

/** Triggers are gone where another tool has replaced the table. */
const INDEXES_SQL = `
  SELECT i.name FROM sqlite_master AS i
  WHERE i.type = 'table' AND substr(i.name, 1, ${SEARCH_PREFIX.length}) = '${SEARCH_PREFIX}'
    AND i.sql LIKE 'CREATE VIRTUAL%' AND 3 = (
      SELECT count(*) FROM sqlite_master AS t WHERE t.type = 'trigger'
        AND t.name IN (i.name || '_insert', i.name || '_update', i.name || '_delete'))`;

/** Full-text indexes of trigrams, in tables of FTS5. */
export const SQLITE_SEARCH: SearchExpressions = Object.freeze({
  indexesSql: INDEXES_SQL,
  isIndexMissing: (error) =>
    error instanceof Error && error.message.includes(`no such table: ${SEARCH_PREFIX}`),
  nameOf: ({ name }) => name,
  canFind: (term, { isFolded }) => searchableParts(term, isFolded).length > 0,
  valuesOf: (match) => [printMatch(match)],
  condition: ({ index, alias, bind }) => {
    const name = sql.id(index.name);
    return sql`${sql.id(alias, 'id')} in (select rowid from ${name} where ${name} match ${bind(0)})`;
  },
} satisfies SearchExpressions);
