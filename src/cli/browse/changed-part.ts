import { stripVTControlCharacters } from 'node:util';

/** The part of a line that changed, and where it begins. */
export interface ChangedPart {
  readonly column: number;
  readonly text: string;
}

const ESCAPE = '\u001B';
const TOKEN = new RegExp(`${ESCAPE}\\[[\\d;]*m|[^]`, 'gu');
/** Codes that end a style. */
const CLOSING = new RegExp(`^${ESCAPE}\\[(?:0|22|27|39)m$`);
/** Characters of which every terminal knows that they take one cell. */
const NARROW = /^[ -~─│–·]$/u;

const tokensOf = (line: string): readonly string[] => line.match(TOKEN) ?? [];

/** Returns how many tokens are the same up to a place where no style is open and the column is certain. */
const commonTokens = (before: readonly string[], after: readonly string[]): number => {
  let [common, open] = [0, 0];
  for (const [index, token] of after.entries()) {
    if (token !== before[index]) break;
    if (CLOSING.test(token)) open--;
    else if (token.startsWith(ESCAPE)) open++;
    else if (!NARROW.test(token)) break;
    if (open === 0) common = index + 1;
  }
  return common;
};

/** Returns what is to be sent so that a line becomes another one. */
export function changedPart(before: string, after: string): ChangedPart {
  const tokens = tokensOf(after);
  const common = commonTokens(tokensOf(before), tokens);
  const column = stripVTControlCharacters(tokens.slice(0, common).join('')).length;
  return { column, text: tokens.slice(common).join('') };
}
