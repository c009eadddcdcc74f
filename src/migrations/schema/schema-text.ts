/** A block of a Prisma schema (`model Article { … }`), with the indexes of its first and last line. */
export interface Block {
  readonly keyword: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** An attribute of a line. `start` and `end` are the range of the attribute with its arguments. */
export interface Attribute {
  /** `@map`, `@@index`, `@db.Text`. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The text between the parentheses. Null where there are none. */
  readonly args: string | null;
}

const BLOCK_START = /^\s*([a-z]+)\s+(\w+)\s*\{\s*$/;

/** Parses the blocks of a schema with one item per line, as the schema printer and `prisma format` write. */
export function parseBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let open: Omit<Block, 'end'> | null = null;
  for (const [index, line] of lines.entries()) {
    if (open === null) {
      const [, keyword, name] = BLOCK_START.exec(line) ?? [];
      if (keyword !== undefined && name !== undefined) open = { keyword, name, start: index };
    } else if (line.trim() === '}') {
      blocks.push({ ...open, end: index });
      open = null;
    }
  }
  return blocks;
}

/** Returns the index after the string literal that begins at `start`. */
const endOfString = (line: string, start: number): number => {
  let index = start + 1;
  while (index < line.length && line[index] !== '"') index += line[index] === '\\' ? 2 : 1;
  return index + 1;
};

/** Returns the index after the parenthesis that closes the one at `start`. */
const endOfArguments = (line: string, start: number): number => {
  let depth = 0;
  let index = start;
  while (index < line.length) {
    const character = line[index];
    if (character === '"') {
      index = endOfString(line, index);
      continue;
    }
    if (character === '(') depth++;
    if (character === ')') depth--;
    index++;
    if (depth === 0) return index;
  }
  return index;
};

/** Parses the attributes of a line, in order. Strings and comments are skipped. */
export function parseAttributes(line: string): readonly Attribute[] {
  const attributes: Attribute[] = [];
  let index = 0;
  while (index < line.length) {
    const character = line[index];
    if (line.startsWith('//', index)) break;
    if (character === '"') {
      index = endOfString(line, index);
      continue;
    }
    const [name] = character === '@' ? (/^@@?[\w.]+/.exec(line.slice(index)) ?? []) : [];
    if (name === undefined) {
      index++;
      continue;
    }
    const afterName = index + name.length;
    const end = line[afterName] === '(' ? endOfArguments(line, afterName) : afterName;
    attributes.push({
      name,
      start: index,
      end,
      args: end === afterName ? null : line.slice(afterName + 1, end - 1),
    });
    index = end;
  }
  return attributes;
}

const STRING = /"(?:[^"\\]|\\.)*"/;

/** Returns the name in `@map("name")` or `@map(name: "name")`. Null where it is absent or malformed. */
export function readMappedName(attribute: Attribute | undefined): string | null {
  const [literal] = STRING.exec(attribute?.args ?? '') ?? [];
  return literal === undefined ? null : String(JSON.parse(literal));
}

/** Returns the field names of the first list of an attribute: `[a, b(sort: Desc)]` or `fields: [a]`. */
export function readFieldList(attribute: Attribute): readonly string[] {
  const [, list] = /\[([^\]]*)\]/.exec((attribute.args ?? '').replace(new RegExp(STRING, 'g'), '')) ?? [];
  return (list ?? '')
    .split(',')
    .map((item) => /\w+/.exec(item)?.[0] ?? '')
    .filter((name) => name !== '');
}

/** True if the attribute has a `map:` argument. */
export function hasMapArgument(attribute: Attribute): boolean {
  return /\bmap\s*:/.test((attribute.args ?? '').replace(new RegExp(STRING, 'g'), ''));
}

/** Returns the line with another text in place of the attribute. */
export function replaceAttribute(line: string, attribute: Attribute, text: string): string {
  return line.slice(0, attribute.start) + text + line.slice(attribute.end);
}
