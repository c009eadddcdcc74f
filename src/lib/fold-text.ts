/**
 * Lower case in all of Unicode. A letter folds alike wherever it stands in a word (both `Σ` and `ς` become
 * `σ`), so that part of a text folds as it does in the whole text.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
