import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { SEARCH_PREFIX } from '../search-expressions.js';
import type {
  FoundRows,
  FoundRowsOptions,
  SearchedTable,
  SearchExpressions,
  TextMatch,
} from '../search-expressions.js';
import { foldWith } from './fold.js';
import type { Folding } from './fold.js';
import { postgresOrderedRows } from './paths.js';

type Fold = (text: Expression<unknown>) => RawBuilder<string>;

/** An index of trigrams finds nothing shorter. */
const MIN_LENGTH = 3;

/** Marks statements that are planned for the values of each run, since these decide what an index finds. */
export const PLANNED_PER_RUN = '/* planned per run */';

/**
 * The text that an index holds, with upper and lower case as one. Also serves where case matters, since what
 * a text contains it contains in lower case, too.
 */
export function searchedText(
  fold: Fold,
  values: SearchedTable['texts'][number],
  columnOf: (name: string) => RawBuilder<unknown>,
): RawBuilder<string> {
  const texts = values.map(({ column, kind }) =>
    kind === 'text' ? sql`${columnOf(column)}` : sql`${columnOf(column)}::text`,
  );
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return fold(only);
  const parts = texts.map((text) => sql`coalesce(${text}, '')`);
  return fold(sql`${sql.join(parts, sql` || ' ' || `)}`);
}

const escaped = (text: RawBuilder<string>): RawBuilder<string> => {
  const backslashes = sql`replace(${text}, '\\', '\\\\')`;
  return sql<string>`replace(replace(${backslashes}, '%', '\\%'), '_', '\\_')`;
};

const termsOf = (match: TextMatch): readonly string[] =>
  match.kind === 'contains' ? [match.term] : match.items.flatMap(termsOf);

/**
 * The part of a term that is looked up, without the ends that repeat one letter more than twice. Trigrams
 * such as those of leading zeros are in many rows, of which the index reads a part for each row that it
 * finds.
 */
const lookedUp = (term: string): string => {
  const letters = [...term];
  const isRun = (at: number): boolean =>
    letters[at] !== undefined && letters[at] === letters[at + 1] && letters[at] === letters[at + 2];
  let [start, end] = [0, letters.length];
  while (isRun(start)) start += 1;
  while (end > start && isRun(end - 3)) end -= 1;
  return end - start < MIN_LENGTH ? term : letters.slice(start, end).join('');
};

const shapeOf = (match: TextMatch): string =>
  match.kind === 'contains' ? `~${match.text}` : `${match.kind}(${match.items.map(shapeOf).join()})`;

const STATUSES = ['draft', 'published'] as const;

/** Which rows an index of a table holds. */
export type SearchedStatus = (typeof STATUSES)[number];

/**
 * The statuses that a table has an index of each for: almost all searches are for one status, and would look
 * up twice as many rows of one index.
 */
export function searchedStatuses({ hasDrafts }: SearchedTable): readonly SearchedStatus[] {
  return hasDrafts ? STATUSES : ['published'];
}

export const hasStatus = (column: RawBuilder<unknown>, status: SearchedStatus): RawBuilder<boolean> =>
  sql<boolean>`${column} = ${sql.lit(status)}`;

const matchCondition = (
  fold: Fold,
  { index, match, isOfAllStatuses, bind }: FoundRows,
  alias: string,
): RawBuilder<boolean> => {
  let position = 0;
  const print = (node: TextMatch): RawBuilder<unknown> => {
    if (node.kind !== 'contains')
      return sql`(${sql.join(node.items.map(print), node.kind === 'and' ? sql` and ` : sql` or `)})`;
    const text = searchedText(fold, index.texts[node.text] ?? [], (name) => sql.id(alias, name));
    const pattern = sql`'%' || ${escaped(fold(bind(position)))} || '%'`;
    position += 1;
    return sql`${text} like ${pattern}`;
  };
  const found = sql`${sql.raw(PLANNED_PER_RUN)} ${print(match)}`;
  if (!isOfAllStatuses) return sql<boolean>`${found}`;
  // Names the indexes of both, which are used for one after the other.
  const ofEach = searchedStatuses(index).map((status) => hasStatus(sql.id(alias, 'status'), status));
  return sql<boolean>`(${sql.join(ofEach, sql` or `)}) and ${found}`;
};

const whereAll = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`where ${sql.join(conditions, sql` and `)}`;

/** Servers that fold case in different ways have different indexes. */
export const postgresSearchName = (
  { name }: SearchedTable,
  folding: Folding,
  status: SearchedStatus,
): string => `${name}_${folding}_${status.slice(0, 1)}`;

const INDEXES_SQL = `
  SELECT c.relname::text FROM pg_class AS c JOIN pg_index AS i ON i.indexrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND i.indisvalid
    AND starts_with(c.relname::text, '${SEARCH_PREFIX}')`;

/** Trigrams of `pg_trgm`. The planner decides by its statistics whether it uses the index. */
export function createPostgresSearch(folding: Folding): SearchExpressions {
  const fold = foldWith(folding);
  const where = (found: FoundRows & Pick<FoundRowsOptions, 'alias' | 'where'>): RawBuilder<unknown> =>
    whereAll([...found.where, matchCondition(fold, found, found.alias)]);
  return Object.freeze({
    indexesSql: INDEXES_SQL,
    // Statements name no indexes.
    isIndexMissing: () => false,
    // Built after the one of drafts.
    nameOf: (index) => postgresSearchName(index, folding, 'published'),
    canFind: (term) => [...term].length >= MIN_LENGTH,
    shapeOf,
    valuesOf: (match) => termsOf(match).map(lookedUp),
    orderedRows: ({ slice, ...options }) =>
      postgresOrderedRows({
        ...options,
        isById: options.idOrder !== null,
        where: where(options),
        slice: slice === null ? null : sql`limit ${slice.limit} offset ${slice.offset}`,
      }),
    count: (options) => sql`select count(*) from ${options.table} ${where(options)}`,
  } satisfies SearchExpressions);
}
