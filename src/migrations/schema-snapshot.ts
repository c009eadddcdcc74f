/** The schema a migration arrives at, with the migration it was made after. */
export interface SchemaSnapshot {
  /** Name of the migration before; null: it was the first. */
  readonly parent: string | null;
  readonly text: string;
}

const NOTICE = '// The schema after this migration. The next one is worked out from it; Prisma does not read it.';
const HEAD = /^\/\/[^\n]*\n\/\/ After: ([^\n]*)\n\n/;
const NOTHING = 'nothing';

export function printSnapshot({ parent, text }: SchemaSnapshot): string {
  return `${NOTICE}\n// After: ${parent ?? NOTHING}\n\n${text}`;
}

/** @throws SyntaxError where the first lines are not those {@link printSnapshot} writes. */
export function parseSnapshot(file: string): SchemaSnapshot {
  const text = file.replaceAll('\r\n', '\n');
  const [head, parent] = HEAD.exec(text) ?? [];
  if (head === undefined || parent === undefined) throw new SyntaxError('the schema snapshot has lost its first lines');
  return { parent: parent === NOTHING ? null : parent, text: text.slice(head.length) };
}
