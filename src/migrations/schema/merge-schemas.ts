import { defined } from '../../lib/defined.js';
import { parseAttributes, parseBlocks, readMappedName } from './schema-text.js';

/** The lines of a block by the field or attribute they declare. */
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
 * Merges two schemas that both derive from `base`, as where two branches each added a migration. Additions
 * and removals of both are kept. If both changed the same line, that of `theirs`, the later one, wins.
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
