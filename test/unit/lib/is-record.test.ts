import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/lib/is-record.js';

describe('isRecord', () => {
  it('accepts plain objects only', () => {
    expect([{}, Object.create(null), JSON.parse('{"a":1}')].map(isRecord)).toEqual([true, true, true]);
    expect([null, undefined, [], new Date(), new Map(), 'x', 1, () => 1].some(isRecord)).toBe(false);
  });
});
