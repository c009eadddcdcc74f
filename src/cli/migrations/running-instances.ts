/** Says what instances of the release before may do while a migration is applied, and afterwards. */
export function describeSafety(isSafe: boolean): string {
  return isSafe
    ? 'Safe while old instances run: it only adds.'
    : 'Stop old instances first: what they rely on changes.';
}
