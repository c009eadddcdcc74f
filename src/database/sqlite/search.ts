import { sql } from 'kysely';
import { foldText } from '../../lib/text.js';
import { SEARCH_PREFIX } from '../dialect/search-expressions.js';
import type { SearchExpressions, TextMatch } from '../dialect/search-expressions.js';

/** An index of trigrams finds nothing shorter. */
const MIN_LENGTH = 3;

/** A longer term is looked up by its beginning. */
const MAX_LENGTH = 60;

const LAST_LETTER = 0x1_ff_ff;

/** The letters whose case the tokenizer folds as `foldText` does, in ranges of code points. */
const KNOWN_RANGES: readonly (readonly [number, number])[] = [
  [0x00_00, 0x02_4f],
  [0x03_70, 0x03_7e],
  [0x03_80, 0x05_27],
  [0x05_31, 0x05_87],
  [0x1e_00, 0x21_2f],
];

const isKnown = (code: number): boolean =>
  KNOWN_RANGES.some(([first, last]) => code >= first && code <= last);

/**
 * Returns the lower-case forms of letters that the tokenizer does not fold, because its tables are older than
 * those of the runtime.
 */
const findLettersNotFolded = (): ReadonlySet<string> => {
  const letters = new Set(['\u{307}']);
  for (let code = 1; code <= LAST_LETTER; code++) {
    if (isKnown(code)) continue;
    const letter = String.fromCodePoint(code);
    const folded = foldText(letter);
    if (folded !== letter) for (const part of folded) letters.add(part);
  }
  return letters;
};

let lettersNotFolded: ReadonlySet<string> | undefined;

/**
 * True if the tokenizer may keep a letter of a text that folds to this one. İ folds to i and a dot, but the
 * tokenizer treats it as a separate letter.
 */
const isUncertain = (letter: string, next: string | undefined): boolean => {
  lettersNotFolded ??= findLettersNotFolded();
  return lettersNotFolded.has(letter) || (letter === 'i' && (next === undefined || next === '\u{307}'));
};

const splitAtUncertain = (letters: readonly string[]): readonly (readonly string[])[] => {
  const runs: string[][] = [[]];
  letters.forEach((letter, position) => {
    if (isUncertain(letter, letters[position + 1])) runs.push([]);
    else runs.at(-1)?.push(letter);
  });
  return runs;
};

/**
 * Returns the parts of a term that the trigram tokenizer finds in every text that contains the term. Empty if
 * it cannot look the term up.
 */
export function searchableParts(term: string, isFolded: boolean): readonly string[] {
  const runs = isFolded ? splitAtUncertain([...foldText(term)]) : [[...term]];
  return runs.filter((run) => run.length >= MIN_LENGTH).map((run) => run.slice(0, MAX_LENGTH).join(''));
}

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
