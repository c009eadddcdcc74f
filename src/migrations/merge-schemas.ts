import { parseAttributes, parseBlocks, readMappedName } from './schema-text.js';

/** The lines of a block by what they declare, so that two versions of a line are recognised as the same line. */
type Items = ReadonlyMap<string, string>;

interface Part {
  readonly opening: string;
  readonly items: Items;
}

const FIELD_NAME = /^\s*([A-Za-z]\w*)\s/;

const itemKey = (line: string): string => FIELD_NAME.exec(`${line} `)?.[1] ?? line.trim().replaceAll(/\s+/g, ' ');

const readParts = (text: string): ReadonlyMap<string, Part> => {
  const lines = text.split('\n');
  return new Map(
    parseBlocks(lines).map(({ keyword, name, start, end }) => {
      const inside = lines.slice(start + 1, end).filter((line) => line.trim() !== '');
      return [`${keyword} ${name}`, { opening: lines[start] ?? '', items: new Map(inside.map((line) => [itemKey(line), line])) }];
    }),
  );
};

/** Takes what `theirs` changed since `base`, keeps `ours` everywhere else. */
const mergeMaps = <Value>(base: ReadonlyMap<string, Value>, ours: ReadonlyMap<string, Value>, theirs: ReadonlyMap<string, Value>, same: (left: Value, right: Value) => boolean): Map<string, Value> => {
  const merged = new Map(ours);
  for (const key of base.keys()) if (!theirs.has(key)) merged.delete(key);
  for (const [key, value] of theirs) {
    const before = base.get(key);
    if (before === undefined || !same(before, value)) merged.set(key, value);
  }
  return merged;
};

const sameItems = (left: Part, right: Part): boolean => [...left.items].join('\n') === [...right.items].join('\n');

/**
 * Joins two schemas that were both made from `base`, as when two branches each added a migration: what either added is there, what
 * either removed is gone, and where both changed one line the one from `theirs` stands, being the later one.
 */
export function mergeSchemas(base: string, ours: string, theirs: string): string {
  const [baseParts, ourParts, theirParts] = [readParts(base), readParts(ours), readParts(theirs)];
  const merged = mergeMaps(baseParts, ourParts, theirParts, sameItems);
  const texts = [...merged].map(([key, part]) => {
    const our = ourParts.get(key);
    const their = theirParts.get(key);
    const empty: Items = new Map();
    const items = our === undefined || their === undefined ? part.items : mergeMaps(baseParts.get(key)?.items ?? empty, our.items, their.items, (left, right) => left === right);
    return `${part.opening}\n${[...items.values()].join('\n')}\n}\n`;
  });
  return texts.join('\n');
}

const tableOf = (name: string, { items }: Part): string => {
  const mapped = [...items.values()].flatMap(parseAttributes).find((attribute) => attribute.name === '@@map');
  return readMappedName(mapped) ?? name;
};

/** The tables that are still there in `theirs` and that both changed since `base`. */
export function changedByBoth(base: string, ours: string, theirs: string): readonly string[] {
  const [baseParts, ourParts, theirParts] = [readParts(base), readParts(ours), readParts(theirs)];
  return [...theirParts].flatMap(([key, their]) => {
    const [keyword, name = ''] = key.split(' ');
    const before = baseParts.get(key);
    const our = ourParts.get(key);
    if (keyword !== 'model' || our === undefined || sameItems(our, their)) return [];
    return before === undefined || (!sameItems(before, our) && !sameItems(before, their)) ? [tableOf(name, their)] : [];
  });
}
