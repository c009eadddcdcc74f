import { describe, expect, it } from 'vitest';
import { describeLogic, holdsLogic, renameLogicPath } from '../../../src/lib/json-logic.js';

const VALUES: Readonly<Record<string, unknown>> = {
  type: 'video',
  count: 3,
  big: 12n,
  flag: true,
  none: null,
  empty: '',
};
const holds = (rule: unknown): boolean => holdsLogic(rule, (path) => VALUES[path]);
const read = (name: string): object => ({ var: name });

describe('JSON logic', () => {
  it.each<[unknown, boolean]>([
    [{ '==': [read('type'), 'video'] }, true],
    [{ '==': [read('type'), 'text'] }, false],
    [{ '==': [read('count'), '3'] }, true],
    [{ '===': [read('count'), '3'] }, false],
    [{ '!=': [read('type'), 'video'] }, false],
    [{ '!==': [read('count'), '3'] }, true],
    [{ '!=': [read('absent'), 'video'] }, true],
    [{ '==': [read('none'), false] }, false],
    [{ '!': read('empty') }, true],
    [{ '!': [read('flag')] }, false],
    [{ '!!': [[]] }, false],
    [{ '!!': ['0'] }, true],
    [{ '<': [1, read('count'), 5] }, true],
    [{ '<': [3, read('count'), 5] }, false],
    [{ '<=': [3, read('count')] }, true],
    [{ '>': [read('big'), 11] }, true],
    [{ '>=': [read('count'), 4] }, false],
    [{ in: [read('type'), ['video', 'audio']] }, true],
    [{ in: ['vid', read('type')] }, true],
    [{ in: ['x', read('none')] }, false],
    [{ and: [read('flag'), { '==': [read('count'), 3] }] }, true],
    [{ and: [read('flag'), read('empty')] }, false],
    [{ or: [read('empty'), read('flag')] }, true],
    [{ or: [read('empty'), read('none')] }, false],
    [{ if: [read('flag'), read('none'), true] }, false],
    [{ if: [read('none'), 1, read('empty'), 2, 3] }, true],
    [{ '?:': [read('none'), 1, 0] }, false],
    [{ '==': [{ var: ['absent', 'video'] }, 'video'] }, true],
    [{ missing: ['type', 'absent'] }, true],
    [{ missing: ['type'] }, false],
    [{ missing_some: [1, ['type', 'absent']] }, false],
    [{ '==': [{ '+': [read('count'), 1] }, 4] }, true],
    [{ '==': [{ '-': [read('count')] }, -3] }, true],
    [{ '==': [{ '%': [read('count'), 2] }, 1] }, true],
    [{ '==': [{ cat: ['a', read('count')] }, 'a3'] }, true],
    [{ in: [3, { merge: [[1], [read('count')]] }] }, true],
    [{ '==': [{ max: [1, read('count')] }, 3] }, true],
  ])('%j is %s', (rule, expected) => {
    expect(holds(rule)).toBe(expected);
  });

  it('lists operators and paths', () => {
    expect(describeLogic({ and: [{ '==': [read('a.b'), 1] }, { missing: ['c', 'd'] }] })).toEqual({
      operators: ['and', '==', 'var', 'missing'],
      paths: ['a.b', 'c', 'd'],
      isUnclear: false,
    });
    expect(describeLogic({ var: { cat: ['a', 'b'] } }).isUnclear).toBe(true);
    expect(describeLogic({ '==': [1, 2], '!=': [1, 2] }).isUnclear).toBe(true);
  });

  it('renames what is read', () => {
    const rule = { and: [{ '==': [read('a.b'), 'a'] }, { missing: ['a', 'c'] }, { var: ['a', 'a'] }] };
    expect(renameLogicPath(rule, 'a', 'z')).toEqual({
      and: [{ '==': [read('z.b'), 'a'] }, { missing: ['z', 'c'] }, { var: ['z', 'z'] }],
    });
  });
});
