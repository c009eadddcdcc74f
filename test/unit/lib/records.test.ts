import { describe, expect, it } from 'vitest';
import { deepFreeze, isRecord, propertyOf, recordAt, withoutUndefined } from '../../../src/lib/records.js';

describe('isRecord', () => {
  it('accepts plain objects only', () => {
    expect([{}, Object.create(null), JSON.parse('{"a":1}')].map(isRecord)).toEqual([true, true, true]);
    expect([null, undefined, [], new Date(), new Map(), 'x', 1, () => 1].some(isRecord)).toBe(false);
  });
});

describe('propertyOf', () => {
  it('returns properties of objects only', () => {
    expect(propertyOf(Object.assign(new Error('x'), { code: 'E' }), 'code')).toBe('E');
    expect([null, undefined, 'text', 1].map((value) => propertyOf(value, 'length'))).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});

describe('recordAt', () => {
  it('returns plain objects only', () => {
    const values = { info: { name: 'a' }, list: [], text: 'b' };
    expect(['info', 'list', 'text', 'none'].map((key) => recordAt(values, key))).toEqual([
      { name: 'a' },
      {},
      {},
      {},
    ]);
  });
});

describe('withoutUndefined', () => {
  it('keeps null and other empty values', () => {
    const values = withoutUndefined({ a: undefined, b: null, c: '', d: 0 });
    expect(Object.entries(values)).toEqual([
      ['b', null],
      ['c', ''],
      ['d', 0],
    ]);
  });
});

describe('deepFreeze', () => {
  it('freezes objects and arrays all the way down and returns the same value', () => {
    const value = { list: [{ name: 'a' }], nested: { deep: { n: 1 } } };
    const frozen = deepFreeze(value);
    expect(frozen).toBe(value);
    expect(() => {
      (value.list[0] as { name: string }).name = 'b';
    }).toThrow(TypeError);
    expect(() => value.list.push({ name: 'c' })).toThrow(TypeError);
    expect(() => {
      value.nested.deep.n = 2;
    }).toThrow(TypeError);
  });

  it('leaves class instances alone and survives cycles', () => {
    const when = new Date(0);
    const cyclic: { self?: unknown; when: Date } = { when };
    cyclic.self = cyclic;
    deepFreeze(cyclic);
    expect(Object.isFrozen(cyclic)).toBe(true);
    expect(Object.isFrozen(when)).toBe(false);
  });
});
