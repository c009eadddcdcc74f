import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';

/** How a server can lower case in all of Unicode, best first: by its own tables, by ICU, or by having each letter spelled out. */
export type Folding = 'builtin' | 'icu' | 'spelled';

const SURROGATES = { first: 0xd800, last: 0xdfff };
const LAST_LETTER = 0x1_ff_ff;

/** Every letter that has another one letter as its lower case, and those. About 1,400. */
const letterPairs = (): { readonly upper: string; readonly lower: string } => {
  const codes = Array.from({ length: LAST_LETTER }, (_, index) => index + 1).filter((code) => code < SURROGATES.first || code > SURROGATES.last);
  const letters = codes.map((code) => String.fromCodePoint(code));
  const changing = letters.filter((letter) => letter !== letter.toLowerCase() && [...letter.toLowerCase()].length === 1);
  return { upper: changing.join(''), lower: changing.map((letter) => letter.toLowerCase()).join('') };
};

const spelled = (text: Expression<unknown>): RawBuilder<unknown> => {
  const { upper, lower } = letterPairs();
  return sql`translate(${text}, ${sql.lit(upper)}, ${sql.lit(lower)})`;
};

const LOWER: Readonly<Record<Folding, (text: Expression<unknown>) => RawBuilder<unknown>>> = {
  builtin: (text) => sql`lower((${text}) collate "pg_c_utf8")`,
  icu: (text) => sql`lower((${text}) collate "und-x-icu")`,
  spelled,
};

/**
 * Lower case as every other database of the toolkit has it. Dotted capital İ is the one letter whose lower case is two, and not every
 * way knows that; the two forms of small sigma are one, since a part of a text must fold as it does in the whole.
 */
export function foldWith(folding: Folding): (text: Expression<unknown>) => RawBuilder<string> {
  const lower = LOWER[folding];
  return (text) => sql<string>`replace(${lower(sql`replace(${text}, 'İ', ${sql.lit('i\u{307}')})`)} collate "C", 'ς', 'σ')`;
}
