import { isNode, LineCounter, parseDocument } from 'yaml';
import type { ValidationIssue } from '../../errors/galley-error.js';
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

/** An issue of a value, or of a line, which counts from 1. */
type MarkedIssue = Pick<ValidationIssue, 'path' | 'message'> & { readonly line?: number };

const pathOf = (path: readonly string[]): readonly string[] => (path.length === 0 ? [] : [path.join('.')]);

/**
 * Writes what is wrong with values above their lines, as comments. The lines of the Markdown below the front
 * matter stay: what is wrong with them stands at the top.
 */
export function markIssues(text: string, issues: readonly MarkedIssue[]): string {
  const clean = withoutMarks(text);
  const { yaml, lineBefore } = splitFrontMatter(clean) ?? { yaml: clean, lineBefore: 0 };
  const lines = clean.split('\n');
  const end = lineBefore + yaml.split('\n').length;
  const place = ({ path, message, line }: MarkedIssue): { readonly at: number; readonly text: string } => {
    if (line === undefined)
      return { at: lineOf(yaml, path) + lineBefore, text: [...pathOf(path), message].join(': ') };
    const isMarkdown = line > end;
    return {
      at: isMarkdown ? lineBefore : line - 1,
      text: isMarkdown ? `line ${line}: ${message}` : message,
    };
  };
  const placed = issues.map(place).toSorted((left, right) => right.at - left.at);
  for (const mark of placed) lines.splice(mark.at, 0, `${MARK} ${mark.text.replaceAll('\n', ' ')}`);
  return lines.join('\n');
}
