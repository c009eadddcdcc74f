const PLAIN = /^[\w@%+=:,./-]+$/;

/** Returns a text as one word of a shell: in quotes where it needs them. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
