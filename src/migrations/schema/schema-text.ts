import { defined } from '../../lib/assert.js';

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
  /** The text between the parentheses. Null if there are none. */
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

/** Returns the name in `@map("name")` or `@map(name: "name")`. Null if it is absent or malformed. */
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

/** The lines of a block by the field or attribute that they declare. */
type BlockItems = ReadonlyMap<string, string>;

interface ParsedBlock {
  readonly opening: string;
  readonly items: BlockItems;
}

const FIELD_NAME = /^\s*([A-Za-z]\w*)\s/;

const itemKey = (line: string): string =>
  FIELD_NAME.exec(`${line} `)?.[1] ?? line.trim().replaceAll(/\s+/g, ' ');

const parseBlockItems = (text: string): ReadonlyMap<string, ParsedBlock> => {
  const lines = text.split('\n');
  return new Map(
    parseBlocks(lines).map(({ keyword, name, start, end }) => {
      const bodyLines = lines.slice(start + 1, end).filter((line) => line.trim() !== '');
      return [
        `${keyword} ${name}`,
        {
          opening: defined(lines[start], 'The first line of a block'),
          items: new Map(bodyLines.map((line) => [itemKey(line), line])),
        },
      ];
    }),
  );
};

/** Applies the changes from `base` to `theirs` to `ours`. */
const mergeMaps = <Value>(
  base: ReadonlyMap<string, Value>,
  ours: ReadonlyMap<string, Value>,
  theirs: ReadonlyMap<string, Value>,
  isSame: (left: Value, right: Value) => boolean,
): Map<string, Value> => {
  const merged = new Map(ours);
  for (const key of base.keys()) if (!theirs.has(key)) merged.delete(key);
  for (const [key, value] of theirs) {
    const before = base.get(key);
    if (before === undefined || !isSame(before, value)) merged.set(key, value);
  }
  return merged;
};

const haveSameItems = (left: ParsedBlock, right: ParsedBlock): boolean =>
  [...left.items].join('\n') === [...right.items].join('\n');

/**
 * Merges two schemas that both derive from `base`, as when two branches each added a migration. Additions and
 * removals of both are kept. If both changed the same line, that of `theirs`, the later one, wins.
 */
export function mergeSchemas(base: string, ours: string, theirs: string): string {
  const [baseBlocks, ourBlocks, theirBlocks] = [
    parseBlockItems(base),
    parseBlockItems(ours),
    parseBlockItems(theirs),
  ];
  const merged = mergeMaps(baseBlocks, ourBlocks, theirBlocks, haveSameItems);
  const texts = [...merged].map(([key, block]) => {
    const ourBlock = ourBlocks.get(key);
    const theirBlock = theirBlocks.get(key);
    const empty: BlockItems = new Map();
    const items =
      ourBlock === undefined || theirBlock === undefined
        ? block.items
        : mergeMaps(
            baseBlocks.get(key)?.items ?? empty,
            ourBlock.items,
            theirBlock.items,
            (left, right) => left === right,
          );
    return `${block.opening}\n${[...items.values()].join('\n')}\n}\n`;
  });
  return texts.join('\n');
}

const tableOf = (name: string, { items }: ParsedBlock): string => {
  const mapped = [...items.values()].flatMap(parseAttributes).find((attribute) => attribute.name === '@@map');
  return readMappedName(mapped) ?? name;
};

/** Returns the tables of `theirs` that both changed since `base`. */
export function tablesChangedByBoth(base: string, ours: string, theirs: string): readonly string[] {
  const [baseBlocks, ourBlocks, theirBlocks] = [
    parseBlockItems(base),
    parseBlockItems(ours),
    parseBlockItems(theirs),
  ];
  return [...theirBlocks].flatMap(([key, theirBlock]) => {
    const [keyword, name = ''] = key.split(' ');
    const before = baseBlocks.get(key);
    const ourBlock = ourBlocks.get(key);
    if (keyword !== 'model' || ourBlock === undefined || haveSameItems(ourBlock, theirBlock)) return [];
    return before === undefined || (!haveSameItems(before, ourBlock) && !haveSameItems(before, theirBlock))
      ? [tableOf(name, theirBlock)]
      : [];
  });
}
