/** Cuts a list into lists of at most `size` items. */
export function chunksOf<T>(items: Iterable<T>, size: number): readonly (readonly T[])[] {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
