/** Ranks UTF-16 units so that surrogates, which encode the highest code points, come last. */
const rank = (unit: number): number => {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
};

/**
 * Compares text by code point, independent of the locale (`Zeta` before `alpha`).
 *
 * @example
 *   names.toSorted(byCodePoint);
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
