type Edit = { readonly kind: ' ' | '-' | '+'; readonly line: string };

const CONTEXT = 3;

const splitLines = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Lengths of the longest common subsequence of every pair of suffixes. */
const commonLengths = (before: readonly string[], after: readonly string[]): readonly Uint32Array[] => {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = table[i] as Uint32Array;
      const next = table[i + 1] as Uint32Array;
      row[j] = before[i] === after[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
};

const middleEdits = (before: readonly string[], after: readonly string[]): readonly Edit[] => {
  const table = commonLengths(before, after);
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const left = before[i];
    const right = after[j];
    if (left !== undefined && left === right) {
      edits.push({ kind: ' ', line: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))) {
      edits.push({ kind: '-', line: left });
      i++;
    } else if (right !== undefined) {
      edits.push({ kind: '+', line: right });
      j++;
    }
  }
  return edits;
};

/** The common head and tail are set aside first: generated files change in few places, and the table is quadratic. */
const editsBetween = (before: readonly string[], after: readonly string[]): readonly Edit[] => {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const keep = (line: string): Edit => ({ kind: ' ', line });
  return [
    ...before.slice(0, head).map(keep),
    ...middleEdits(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(keep),
  ];
};

const hunkRanges = (edits: readonly Edit[]): readonly (readonly [start: number, end: number])[] => {
  const ranges: [number, number][] = [];
  edits.forEach((edit, index) => {
    if (edit.kind === ' ') return;
    const start = Math.max(0, index - CONTEXT);
    const end = Math.min(edits.length, index + CONTEXT + 1);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  });
  return ranges;
};

const span = (edits: readonly Edit[], start: number, end: number, without: '-' | '+'): string => {
  const count = edits.slice(start, end).filter((edit) => edit.kind !== without).length;
  const first = edits.slice(0, start).filter((edit) => edit.kind !== without).length + (count === 0 ? 0 : 1);
  return count === 1 ? String(first) : `${first},${count}`;
};

export interface DiffSides {
  /** Path shown in the header; the same for both sides. */
  readonly path: string;
  /** Null: the file does not exist on that side. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The change of one file as a unified diff with three lines of context; empty text where nothing changes.
 *
 * @example printUnifiedDiff({ path: 'src/a.json', before: '{}\n', after: '{"a":1}\n' })
 */
export function printUnifiedDiff({ path, before, after }: DiffSides): string {
  if (before === after) return '';
  const edits = editsBetween(splitLines(before ?? ''), splitLines(after ?? ''));
  const hunks = hunkRanges(edits).map(([start, end]) => {
    const body = edits.slice(start, end).map((edit) => edit.kind + edit.line);
    return [`@@ -${span(edits, start, end, '+')} +${span(edits, start, end, '-')} @@`, ...body].join('\n');
  });
  const header = [`--- ${before === null ? '/dev/null' : `a/${path}`}`, `+++ ${after === null ? '/dev/null' : `b/${path}`}`];
  return `${[...header, ...hunks].join('\n')}\n`;
}
