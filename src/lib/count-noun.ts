/** Returns a count with its noun: `1 row`, `2 rows`. Nouns whose plural does not end in `s` state it. */
export function countNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns the form of a word that agrees with a count, by default of a verb: `has`, `have`. */
export function agree(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
