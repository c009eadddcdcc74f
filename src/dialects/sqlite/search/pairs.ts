import type { SearchedTable } from '../../search-expressions.js';

/**
 * Each pair of letters of a text is written as one letter, so that what the tokenizer takes for three letters
 * are six: far fewer rows have them. In a text the pairs begin at every second letter, so that what is sought
 * in it begins with a pair, or a letter before one.
 */
const [FIRST_PAIR, PAIRS_OF_LETTER] = [0x4e_00, 128];

/** Of what is sought, three pairs are left where the first letter is not in any. */
const MIN_LETTERS = 7;

/** Lower case has this bit, and so have digits, which stay what they are. */
const LOWER_CASE = 32;

/** Other letters than those of ASCII are one to an index of pairs: databases disagree about their case. */
const OTHER_LETTER = 128;

/** The only other letter whose lower case is in ASCII. */
const [KELVIN_SIGN, ITS_LOWER_CASE] = ['\u{212a}', 'k'];

/** What the names of columns with pairs begin with. */
export const PAIRS_PREFIX = 'pairs';

/** Letters that are looked at together: a letter is found by counting from the beginning of its part. */
const LETTERS_PER_PART = 128;

/** Letters that one row of the query makes pairs of. */
const LETTERS_PER_ROW = 16;

/** The numbers of the texts whose pairs an index has. Those of long ones would take as much room again. */
export function textsWithPairs({ texts }: Pick<SearchedTable, 'texts'>): readonly number[] {
  return [...texts.keys()].filter((text) => {
    const [value, ...others] = texts[text] ?? [];
    return value?.isShort === true && others.length === 0;
  });
}

/**
 * The column of an index with these pairs, a line for each text. Its name says which they are, so that no
 * statement looks for others there.
 */
export const pairsColumn = (index: Pick<SearchedTable, 'texts'>): string =>
  `${PAIRS_PREFIX}${textsWithPairs(index).join('_')}`;

/** The pairs of a text as an expression of nothing but what SQLite has. */
export function pairsSql(text: string): string {
  const letters = `replace(${text}, '${KELVIN_SIGN}', '${ITS_LOWER_CASE}')`;
  const number = (offset: number): string =>
    `min(unicode(substr(part, at + ${offset}, 1)) | ${LOWER_CASE}, ${OTHER_LETTER})`;
  const pairs = Array.from({ length: LETTERS_PER_ROW / 2 }, (_, pair) => {
    const [first, second] = [number(2 * pair), number(2 * pair + 1)];
    return `${FIRST_PAIR} + ${first} * ${PAIRS_OF_LETTER} + ${second}`;
  });
  const partAt = (start: string): string => `substr(${letters}, ${start}, ${LETTERS_PER_PART})`;
  // What stands for letters beyond the end is cut off.
  return `substr((
    WITH RECURSIVE galley_parts(start, part) AS (
      SELECT 1, ${partAt('1')} UNION ALL
      SELECT start + ${LETTERS_PER_PART}, ${partAt(`start + ${LETTERS_PER_PART}`)}
      FROM galley_parts WHERE length(part) = ${LETTERS_PER_PART}),
    galley_places(at) AS (
      SELECT 1 UNION ALL SELECT at + ${LETTERS_PER_ROW}
      FROM galley_places WHERE at + ${LETTERS_PER_ROW} < min(length(${text}), ${LETTERS_PER_PART}))
    SELECT group_concat(char(${pairs.join(', ')}), '')
    FROM galley_parts CROSS JOIN galley_places WHERE at < length(part)
  ), 1, length(${text}) / 2)`;
}

const numberOf = (letter: string): number =>
  Math.min((letter.codePointAt(0) ?? 0) | LOWER_CASE, OTHER_LETTER);

const pairsOf = (letters: readonly string[]): string => {
  const numbers = letters.map((letter) => numberOf(letter === KELVIN_SIGN ? ITS_LOWER_CASE : letter));
  const pairs = numbers.flatMap((number, position) => {
    const next = numbers[position + 1];
    return position % 2 === 1 || next === undefined ? [] : [FIRST_PAIR + number * PAIRS_OF_LETTER + next];
  });
  return String.fromCodePoint(...pairs);
};

/**
 * Returns the pairs of which a text has one or the other where it contains a term. Empty where the term is
 * too short.
 */
export function pairsIn(term: string): readonly string[] {
  const letters = [...term];
  return letters.length < MIN_LETTERS ? [] : [pairsOf(letters), pairsOf(letters.slice(1))];
}
