import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import { SEARCH_PREFIX } from '../dialect/search-expressions.js';
import type {
  FoundRows,
  SearchExpressions,
  SearchedTable,
  TextMatch,
} from '../dialect/search-expressions.js';

/**
 * Method by which a server lower-cases all of Unicode, best first: its built-in collation, ICU, or
 * `translate()` with a list of all letters in the statement.
 */
export type Folding = 'builtin' | 'icu' | 'translate';

const SURROGATES = { first: 0xd800, last: 0xdfff };
const LAST_LETTER = 0x1_ff_ff;

/** All letters (about 1,400) whose lower case is another single letter, and those lower cases. */
const letterPairs = (): { readonly upper: string; readonly lower: string } => {
  const codes = Array.from({ length: LAST_LETTER }, (_, index) => index + 1).filter(
    (code) => code < SURROGATES.first || code > SURROGATES.last,
  );
  const letters = codes.map((code) => String.fromCodePoint(code));
  const changing = letters.filter(
    (letter) => letter !== letter.toLowerCase() && [...letter.toLowerCase()].length === 1,
  );
  return { upper: changing.join(''), lower: changing.map((letter) => letter.toLowerCase()).join('') };
};

const translateLetters = (text: Expression<unknown>): RawBuilder<unknown> => {
  const { upper, lower } = letterPairs();
  return sql`translate(${text}, ${sql.lit(upper)}, ${sql.lit(lower)})`;
};

const LOWER: Readonly<Record<Folding, (text: Expression<unknown>) => RawBuilder<unknown>>> = {
  builtin: (text) => sql`lower((${text}) collate "pg_c_utf8")`,
  icu: (text) => sql`lower((${text}) collate "und-x-icu")`,
  translate: translateLetters,
};

/**
 * Returns a function that lower-cases text in SQL, with the same result as on other databases. The dotted
 * capital İ is replaced first, since its lower case is two code points, which `translate` cannot produce.
 * Both forms of the small sigma become one, since which of them is used depends on the position in the word.
 */
export function foldWith(folding: Folding): (text: Expression<unknown>) => RawBuilder<string> {
  const lower = LOWER[folding];
  return (text) => {
    const withoutDottedI = sql`replace(${text}, 'İ', ${sql.lit('i\u{307}')})`;
    return sql<string>`replace(${lower(withoutDottedI)} collate "C", 'ς', 'σ')`;
  };
}

type Fold = (text: Expression<unknown>) => RawBuilder<string>;

/** An index of trigrams finds nothing shorter. */
const MIN_LENGTH = 3;

/** Marks statements that are planned at each run, because their values decide which index is fast. */
export const PLANNED_PER_RUN = '/* planned per run */';

/**
 * The text in an index, in lower case. It also serves case-sensitive searches: a text that contains a term
 * contains it in lower case, too.
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

/** Returns the pattern of each term, in the order of the statement. */
const patternsOf = (match: TextMatch): readonly string[] =>
  match.kind === 'contains'
    ? [`%${match.term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`]
    : match.items.flatMap(patternsOf);

const matchCondition = (fold: Fold, { index, match, alias, bind }: FoundRows): RawBuilder<unknown> => {
  let position = 0;
  const print = (node: TextMatch): RawBuilder<unknown> => {
    if (node.kind !== 'contains')
      return sql`(${sql.join(node.items.map(print), node.kind === 'and' ? sql` and ` : sql` or `)})`;
    const text = searchedText(fold, index.texts[node.text] ?? [], (name) => sql.id(alias, name));
    const pattern = fold(bind(position));
    position += 1;
    return sql`${text} like ${pattern}`;
  };
  return sql`${sql.raw(PLANNED_PER_RUN)} ${print(match)}`;
};

/** Servers that fold case in different ways have different indexes. */
export const postgresSearchName = ({ name }: SearchedTable, folding: Folding): string => `${name}_${folding}`;

const INDEXES_SQL = `
  SELECT c.relname::text FROM pg_class AS c JOIN pg_index AS i ON i.indexrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND i.indisvalid
    AND starts_with(c.relname::text, '${SEARCH_PREFIX}')`;

/** Trigrams of `pg_trgm`. The planner's statistics decide if it uses the index. */
export function createPostgresSearch(folding: Folding): SearchExpressions {
  const fold = foldWith(folding);
  return Object.freeze({
    indexesSql: INDEXES_SQL,
    // Statements name no indexes.
    isIndexMissing: () => false,
    nameOf: (index) => postgresSearchName(index, folding),
    canFind: (term) => [...term].length >= MIN_LENGTH,
    valuesOf: patternsOf,
    condition: (found) => matchCondition(fold, found),
  } satisfies SearchExpressions);
}
