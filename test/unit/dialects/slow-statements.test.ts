import { describe, expect, it } from 'vitest';
import { createSlowStatements } from '../../../src/dialects/sqlite/reads/slow-statements.js';

const SELECT = 'select 1';

const recordAll = (sql: string, ...runs: readonly number[]): boolean => {
  const slow = createSlowStatements();
  for (const ms of runs) slow.record(sql, ms);
  return slow.isSlow(sql);
};

const times = (count: number, ms: number): readonly number[] => Array.from({ length: count }, () => ms);

describe('the memory of slow statements', () => {
  it.each([
    { what: 'one slow run', runs: [6], expected: false },
    { what: 'one very slow run', runs: [101], expected: true },
    { what: 'two slow runs', runs: [6, 6], expected: true },
    { what: 'a quick run between slow ones', runs: [6, 1, 6], expected: false },
    { what: 'a run of some time between slow ones', runs: [6, 4, 6], expected: true },
    { what: 'few quick runs afterwards', runs: [6, 6, ...times(15, 1)], expected: true },
    { what: 'many quick runs afterwards', runs: [6, 6, ...times(16, 1)], expected: false },
    { what: 'a slow run among the quick ones', runs: [6, 6, ...times(15, 1), 6, 1], expected: true },
    { what: 'many runs of some time afterwards', runs: [6, 6, ...times(40, 4)], expected: true },
  ])('after $what: $expected', ({ runs, expected }) => {
    expect(recordAll(SELECT, ...runs)).toBe(expected);
  });

  it('knows a statement that was ended at once, and no other', () => {
    const slow = createSlowStatements();
    slow.recordEnded(SELECT);
    expect([slow.isSlow(SELECT), slow.isSlow('select 2')]).toEqual([true, false]);
  });

  it('tells long ones by their last run', () => {
    const slow = createSlowStatements();
    slow.recordEnded(SELECT);
    const isLong = [slow.isLong(SELECT)];
    for (const ms of [120, 50, 3, 1, 400]) {
      slow.record(SELECT, ms);
      isLong.push(slow.isLong(SELECT));
    }
    expect(isLong).toEqual([false, true, false, false, false, true]);
  });

  it('leaves pragmas to the connection that they are about', () => {
    expect(recordAll('PRAGMA data_version', 6, 6, 6)).toBe(false);
    expect(recordAll('WITH a AS (SELECT 1) SELECT * FROM a', 6, 6)).toBe(true);
  });
});
