import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FoundRows, SearchedTable, TextMatch } from '../../search-expressions.js';
import { pairsColumn, pairsIn, textsWithPairs } from './pairs.js';
import { isRareIn, oldestRows } from './sample.js';
import { searchableParts } from './terms.js';

/** Looking up one takes a hundredth of a millisecond. Longer texts have rare ones. */
const MAX_TRIGRAMS = 16;

/** Of a phrase without its trigrams. */
const LENGTH_WITHOUT = 3;

/** A column of the index, what it contains, what that was made from, and its trigrams. */
type Phrase = readonly [column: string, text: string, term: string, ...trigrams: string[]];

/** What a match is printed from: phrases, and what stands between them. */
type MatchPart = Phrase | string;

const trigramsOf = (text: string): readonly string[] => {
  const letters = [...text];
  const trigrams = letters
    .slice(2)
    .map((_letter, position) => letters.slice(position, position + 3).join(''));
  return trigrams.length <= MAX_TRIGRAMS ? trigrams : [];
};

/** Several short texts are looked up alike, so that items may be the same. */
const withoutRepeats = (items: readonly (readonly MatchPart[])[]): readonly (readonly MatchPart[])[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

const inParentheses = (items: readonly (readonly MatchPart[])[], operator: string): readonly MatchPart[] => [
  '(',
  ...withoutRepeats(items).flatMap((item, position) => (position === 0 ? item : [operator, ...item])),
  ')',
];

const phraseOf = (column: string, text: string, term = text): Phrase => [
  column,
  text,
  term,
  ...trigramsOf(text),
];

/** What a text is looked up by that contains a term. */
const phrasesOf = (term: string, text: number, index: SearchedTable): readonly MatchPart[] => {
  const pairs = textsWithPairs(index).includes(text) ? pairsIn(term) : [];
  if (pairs.length === 0) return [phraseOf(`c${text}`, term)];
  return inParentheses(
    pairs.map((each) => [phraseOf(pairsColumn(index), each, term)]),
    ' OR ',
  );
};

const partsOf = (match: TextMatch, index: SearchedTable): readonly MatchPart[] => {
  if (match.kind !== 'contains') {
    const items = match.items.map((item) => partsOf(item, index));
    return inParentheses(items, match.kind === 'and' ? ' AND ' : ' OR ');
  }
  const terms = searchableParts(match.term, match.isFolded);
  const phrases = terms.map((term) => phrasesOf(term, match.text, index));
  return inParentheses(phrases, ' AND ');
};

const printPart = (part: MatchPart): string =>
  typeof part === 'string' ? part : `${part[0]} : "${part[1].replaceAll('"', '""')}"`;

/** A match in the query language of FTS5, and as JSON for `narrowMatch`. */
export function printMatch(match: TextMatch, index: SearchedTable): readonly [match: string, parts: string] {
  const parts = partsOf(match, index);
  return [parts.map(printPart).join(''), JSON.stringify(parts)];
}

/** A phrase in SQL, as `printPart` prints it. */
const quoted = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`'"' || replace(${text}, '"', '""') || '"'`;

/**
 * Selects the match, with phrases that begin and end with trigrams which few rows have, and of how many terms
 * all phrases surely have such trigrams. What many rows have hardly narrows a search, but FTS5 reads all its
 * rows, also those that have it in other texts. A phrase without rare trigrams stays as it is.
 */
export function narrowMatch(found: Pick<FoundRows, 'index' | 'bind'>): RawBuilder<unknown> {
  const isRare = isRareIn(oldestRows(found), quoted(sql`value`));
  // Each trigram is looked up once, however often it is repeated.
  const rare = sql`select min(key) as first, max(key) as last from json_each(part.value)
    where key >= ${sql.lit(LENGTH_WITHOUT)} group by value having ${isRare}`;
  const text = sql`part.value ->> 1`;
  const shortened = sql`(select substr(${text}, min(first) - 2, max(last) - min(first) + 3) from (${rare}))`;
  // The limit keeps the planner from inlining the subquery, which would look trigrams up at each use.
  const parts = sql`(select *, case type when 'array' then ${shortened} end as shortened
    from json_each(${found.bind(1)}) as part limit -1) as part`;
  const phrase = sql`part.value ->> 0 || ' : ' || ${quoted(sql`coalesce(part.shortened, ${text})`)}`;
  const printed = sql`case part.type when 'text' then part.atom else ${phrase} end`;
  const isLong = sql`json_array_length(part.value) = ${sql.lit(LENGTH_WITHOUT)}`;
  const hasRare = sql`part.shortened is not null or ${isLong}`;
  const termsWhere = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`count(distinct part.value ->> 2) filter (where part.type = 'array' and ${condition})`;
  const terms = sql`${termsWhere(sql`true`)} - ${termsWhere(sql`not (${hasRare})`)}`;
  return sql`select group_concat(${printed}, '' order by part.key), ${terms} from ${parts}`;
}
