/** Begins a comment that tells what is wrong with the value below it. */
export const MARK = '#!';

export interface FrontMatter {
  readonly yaml: string;
  /** The number of lines before it. */
  readonly lineBefore: number;
  /** The text below it, without the empty line between them and its last line break. */
  readonly body: string;
}

/** Splits Markdown with YAML front matter. Null: the text does not begin with one. */
export function splitFrontMatter(text: string): FrontMatter | null {
  const match = /^---\r?\n(?<yaml>[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n(?<body>[\s\S]*))?$/.exec(text);
  if (match === null) return null;
  const { yaml = '', body = '' } = match.groups ?? {};
  return { yaml, lineBefore: 1, body: body.replace(/^\r?\n/, '').replace(/\r?\n$/, '') };
}
