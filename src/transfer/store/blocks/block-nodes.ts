import { isRecord } from '../../../lib/is-record.js';

/** A node of a value of type blocks. */
export type BlockNode = Readonly<Record<string, unknown>>;

/** The marks of a text, in the order in which one is put around another. */
export const MARKS = ['underline', 'bold', 'italic', 'strikethrough', 'code'] as const;
export type Mark = (typeof MARKS)[number];

/** Returns the nodes below one. */
export function childrenOf(node: BlockNode): readonly BlockNode[] {
  const children = node['children'];
  return Array.isArray(children) ? children.filter(isRecord) : [];
}

export function textNode(text: string, marks: Iterable<Mark> = []): BlockNode {
  const isMarked = new Set(marks);
  return {
    type: 'text',
    text,
    ...Object.fromEntries(MARKS.filter((mark) => isMarked.has(mark)).map((mark) => [mark, true])),
  };
}

const rankOf = (key: string): string => {
  if (key === 'type') return ' ';
  return key === 'children' ? '~' : key;
};

/** Orders the keys of all nodes, so that values that mean the same are the same as text. */
export function orderKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orderKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) =>
    rankOf(left) < rankOf(right) ? -1 : 1,
  );
  return Object.fromEntries(entries.map(([key, child]) => [key, orderKeys(child)]));
}
