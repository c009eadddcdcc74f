import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

const CONTEXT_LINES = 3;

export interface DiffSides {
  /** Path shown in the header; the same for both sides. */
  readonly path: string;
  /** Null: the file does not exist on that side. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Returns the change of one file as a unified diff with three lines of context, as `git apply` takes it.
 * Returns an empty text where nothing changes.
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
