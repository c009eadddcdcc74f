import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff';

/** The permission bits of files with content, password hashes or tokens: only their owner reads them. */
export const OWNER_ONLY = 0o600;

/** The same for folders. */
export const OWNER_ONLY_FOLDER = 0o700;

/** Returns the line of a position, starting at 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Puts spaces in place of comments, so that lines and positions stay the same. */
export function blankComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  );
}

const CONTEXT_LINES = 3;

interface DiffSides {
  /** Path shown in the header; the same for both sides. */
  readonly path: string;
  /** Null: the file does not exist on that side. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Returns the change of one file as a unified diff with three lines of context, for `git apply`. Returns
 * empty text if there is no change.
 *
 * @example
 *   printUnifiedDiff({ path: 'src/a.json', before: '{}\n', after: '{"a":1}\n' });
 */
export function printUnifiedDiff({ path, before, after }: DiffSides): string {
  if (before === after) return '';
  const names = [
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
  ] as const;
  return createTwoFilesPatch(...names, before ?? '', after ?? '', undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

/** The changes of several files, one diff after the other. */
export function printUnifiedDiffs(changes: readonly DiffSides[]): string {
  return changes.map(printUnifiedDiff).join('');
}
