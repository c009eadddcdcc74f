import { describe, expect, it } from 'vitest';
import type { Rename } from '../../../../src/migrations/schema/renames.js';
import { renamedColumn, renamedTable, sequenceRenames } from '../../../../src/migrations/schema/renames.js';

const column = (from: string, to: string): Rename => ({ kind: 'column', table: 'tags', from, to });
const table = (from: string, to: string): Rename => ({ kind: 'table', from, to });

describe('the order of renames', () => {
  it('frees a name before it is taken, and names tables first', () => {
    expect(sequenceRenames([column('a', 'b'), column('b', 'c'), table('old', 'tags')])).toEqual([
      table('old', 'tags'),
      column('b', 'c'),
      column('a', 'b'),
    ]);
  });

  it('swaps names by way of a name of its own', () => {
    const columns = sequenceRenames([column('a', 'b'), column('b', 'a')]);
    expect(columns).toHaveLength(3);
    expect(renamedColumn('tags', 'a', columns)).toBe('b');
    expect(renamedColumn('tags', 'b', columns)).toBe('a');
    const tables = sequenceRenames([table('x', 'y'), table('y', 'z'), table('z', 'x')]);
    expect(['x', 'y', 'z'].map((name) => renamedTable(name, tables))).toEqual(['y', 'z', 'x']);
  });
});
