import { describe, expect, it } from 'vitest';
import { createStatementNames } from '../../../../src/database/postgres/connections.js';

describe('names of prepared statements', () => {
  it('are given at the second run, and stay the same', () => {
    const nameOf = createStatementNames('s');
    expect([nameOf('select 1'), nameOf('select 1'), nameOf('select 1')]).toEqual([undefined, 's1', 's1']);
  });

  it('are never reused, even after statements were evicted', () => {
    const nameOf = createStatementNames('s');
    const named = new Map<string, string>();
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 1200; index += 1) {
        const sql = `select ${index}`;
        nameOf(sql);
        const name = nameOf(sql) ?? '';
        expect(named.get(name) ?? sql).toBe(sql);
        named.set(name, sql);
      }
    }
    expect(named.size).toBeGreaterThan(1200);
  });
});
