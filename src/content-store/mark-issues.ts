import { isNode, LineCounter, parseDocument } from 'yaml';
import type { ValidationIssue } from '../errors/galley-error.js';
import { MARK, splitFrontMatter } from './front-matter.js';

/** Removes the lines that {@link markIssues} has added. */
export function withoutMarks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith(MARK))
    .join('\n');
}

/** Returns the line of a value, from 0, or that of the nearest value around it. */
const lineOf = (yaml: string, path: readonly string[]): number => {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line - 1;
  }
  return 0;
};

/**
 * Writes what is wrong with values above their lines, as comments. The lines of the Markdown below the front
 * matter stay: what is wrong with them stands at the top.
 */
export function markIssues(
  text: string,
  issues: readonly Pick<ValidationIssue, 'path' | 'message'>[],
): string {
  const clean = withoutMarks(text);
  const { yaml, lineBefore } = splitFrontMatter(clean) ?? { yaml: clean, lineBefore: 0 };
  const lines = clean.split('\n');
  const placed = issues
    .map(({ path, message }) => ({
      at: lineOf(yaml, path) + lineBefore,
      text: `${path.join('.')}: ${message}`,
    }))
    .toSorted((left, right) => right.at - left.at);
  for (const mark of placed) lines.splice(mark.at, 0, `${MARK} ${mark.text.replaceAll('\n', ' ')}`);
  return lines.join('\n');
}
