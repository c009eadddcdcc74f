/** Moves the surrogates, which stand for the code points above all others, behind the rest of the 16-bit units. */
const rank = (unit: number): number => {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
};

/**
 * Orders text by code point, the same on every machine and in every locale (`Zeta` before `alpha`).
 *
 * @example names.toSorted(byCodePoint)
 */
export function byCodePoint(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}
