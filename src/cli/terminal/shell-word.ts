/** Returns a text as one word of a shell's command line: quoted where that is needed. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+,=~-]+$/.test(text) && !text.startsWith('~')) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
