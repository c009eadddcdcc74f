/**
 * Returns an object with these keys for each item. Does what `Object.fromEntries` does, in a fraction of its
 * time where there are dozens of them, as in rows.
 */
export function buildRecords<Item, Value>(
  items: readonly Item[],
  keys: readonly string[],
  valueOf: (item: Item, index: number) => Value,
): Record<string, Value>[] {
  let shape: Record<string, Value> = {};
  return items.map((item, number) => {
    // A copy has room for all keys from the start, where adding them one by one moves them again and again.
    const record = { ...shape };
    if (number === 0) shape = record;
    // An iterator would make a list for each key, and rows are what there is most of.
    keys.forEach((key, index) => {
      record[key] = valueOf(item, index);
    });
    return record;
  });
}
