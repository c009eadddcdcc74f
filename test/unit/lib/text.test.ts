import { fc } from '../../support/properties.js';
import { describe, expect, it } from 'vitest';
import { byCodePoint } from '../../../src/lib/text.js';

describe('byCodePoint', () => {
  it('sorts capitals first and emoji last', () => {
    expect(['é', 'alpha', 'Zeta', '😀', '\uffee'].toSorted(byCodePoint)).toEqual([
      'Zeta',
      'alpha',
      'é',
      '\uffee',
      '😀',
    ]);
  });

  it('agrees with a comparison of the code points themselves', () => {
    const points = (text: string): number[] => [...text].map((char) => char.codePointAt(0) ?? 0);
    const compare = (a: string, b: string): number => {
      const [left, right] = [points(a), points(b)];
      const at = left.findIndex((point, index) => point !== right[index]);
      return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
    };
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(compare(a, b)));
      }),
    );
  });
});
