import { distance } from 'fastest-levenshtein';

/** One slip in a short word, two in a longer one, then a third of its letters. */
const tolerance = (text: string): number => (text.length <= 3 ? 1 : Math.max(2, Math.floor(text.length / 3)));

const sortedLetters = (text: string): string => [...text].toSorted().join('');

/** How far a candidate is from what was typed: a beginning is nearest, then swapped letters, then the edit distance. */
const cost = (wanted: string, known: string): number => {
  if (wanted === known) return 0;
  if (wanted.length > 1 && known.startsWith(wanted)) return 0.5;
  return sortedLetters(wanted) === sortedLetters(known) ? 1 : distance(wanted, known);
};

/**
 * The candidate somebody most likely meant, or undefined where none is close. Case does not count.
 *
 * @example nearest('artcile', ['article', 'author']) // 'article'
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.toLowerCase();
  let best: string | undefined;
  let lowest = tolerance(wanted) + 1;
  for (const candidate of candidates) {
    const candidateCost = cost(wanted, candidate.toLowerCase());
    if (candidateCost >= lowest) continue;
    best = candidate;
    lowest = candidateCost;
  }
  return best;
}
