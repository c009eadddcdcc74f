/** One line of a Prisma model: a column or a relation field. */
export interface FieldLine {
  readonly name: string;
  /** The type with its modifier: `String`, `Int?`, `Article[]`. */
  readonly type: string;
  readonly attributes: readonly string[];
}

/** A Prisma model, ready to be printed. */
export interface ModelBlock {
  readonly name: string;
  readonly comment: string;
  readonly fields: readonly FieldLine[];
  /** Block attributes without `@@map`: `@@index([status, locale, id], map: "…")`. */
  readonly attributes: readonly string[];
  readonly table: string;
}

const maxLength = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));

const printField = (field: FieldLine, nameWidth: number, typeWidth: number): string =>
  `  ${field.name.padEnd(nameWidth)} ${field.type.padEnd(typeWidth)} ${field.attributes.join(' ')}`.trimEnd();

/** Prints a model as Prisma's own formatter does, so that formatting on save changes nothing. */
export function printModelBlock(block: ModelBlock): string {
  const nameWidth = maxLength(block.fields.map((field) => field.name));
  const typeWidth = maxLength(block.fields.map((field) => field.type));
  return [
    `/// ${block.comment}`,
    `model ${block.name} {`,
    ...block.fields.map((field) => printField(field, nameWidth, typeWidth)),
    '',
    ...[...block.attributes, `@@map(${JSON.stringify(block.table)})`].map((attribute) => `  ${attribute}`),
    '}',
    '',
  ].join('\n');
}
