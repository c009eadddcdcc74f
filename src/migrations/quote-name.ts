/** A table or column name as SQL writes it, on every database supported. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
