/** The schema after a migration, and the migration it was planned after. */
export interface SchemaSnapshot {
  /** The name of the previous migration. Null where it was the first. */
  readonly parent: string | null;
  readonly text: string;
}

const NOTICE =
  '// The schema after this migration. The next one is worked out from it; Prisma does not read it.';
const HEADER_PATTERN = /^\/\/[^\n]*\n\/\/ After: ([^\n]*)\n\n/;
const NO_PARENT = 'nothing';

export function printSnapshot({ parent, text }: SchemaSnapshot): string {
  return `${NOTICE}\n// After: ${parent ?? NO_PARENT}\n\n${text}`;
}

/** @throws SyntaxError where the first lines are not those that {@link printSnapshot} writes */
export function parseSnapshot(file: string): SchemaSnapshot {
  const text = file.replaceAll('\r\n', '\n');
  const [header, parent] = HEADER_PATTERN.exec(text) ?? [];
  if (header === undefined || parent === undefined)
    throw new SyntaxError('the first lines of the schema snapshot are missing');
  return { parent: parent === NO_PARENT ? null : parent, text: text.slice(header.length) };
}
