/** Returns the header `Vary` with more names in it. */
export function addVary(vary: string | number | readonly string[] | undefined, names: string): string {
  return vary === undefined ? names : `${String(vary)}, ${names}`;
}
