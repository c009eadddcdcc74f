import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';

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
