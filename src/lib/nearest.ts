import { distance } from 'fastest-levenshtein';

/** The maximum edit distance: 1 for short words, then 2, then a third of the length. */
const tolerance = (text: string): number => (text.length <= 3 ? 1 : Math.max(2, Math.floor(text.length / 3)));

const sortedLetters = (text: string): string => [...text].toSorted().join('');

/** Returns the distance: 0.5 for a prefix, 1 for swapped letters, otherwise the edit distance. */
const cost = (input: string, candidate: string): number => {
  if (input === candidate) return 0;
  if (input.length > 1 && candidate.startsWith(input)) return 0.5;
  return sortedLetters(input) === sortedLetters(candidate) ? 1 : distance(input, candidate);
};

/**
 * Returns the candidate that was most likely intended, or undefined if none is close. Ignores case and empty
 * candidates, which would read as "Did you mean ?".
 *
 * @example
 *   nearest('artcile', ['article', 'author']); // 'article'
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const input = text.toLowerCase();
  let best: string | undefined;
  let lowest = tolerance(input) + 1;
  for (const candidate of candidates) {
    if (candidate === '') continue;
    const candidateCost = cost(input, candidate.toLowerCase());
    if (candidateCost >= lowest) continue;
    best = candidate;
    lowest = candidateCost;
  }
  return best;
}

/**
 * Returns `Did you mean article?` for the nearest candidate, or `otherwise` if none is close. `prefix`
 * precedes the candidate: `Did you mean --json?`.
 *
 * @example
 *   didYouMean('artcile', ['article', 'author']); // 'Did you mean article?'
 */
export function didYouMean(text: string, candidates: Iterable<string>, otherwise = '', prefix = ''): string {
  const suggestion = nearest(text, candidates);
  return suggestion === undefined ? otherwise : `Did you mean ${prefix}${suggestion}?`;
}

/** Returns a sentence without its full stop, and `. Did you mean "article"?` if a candidate is close. */
export function withSuggestion(statement: string, text: string, candidates: Iterable<string>): string {
  const suggestion = nearest(text, candidates);
  return suggestion === undefined ? statement : `${statement}. Did you mean "${suggestion}"?`;
}
