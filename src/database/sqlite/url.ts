/** Returns the path in `file:/absolute/data.db`. */
export function sqlitePath(url: string): string {
  return url.replace(/^file:/, '');
}
