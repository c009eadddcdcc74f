import { typeOf } from '../../../../src/model/lookup.js';
import type { ContentType } from '../../../../src/model/model.js';
import type { TestEnvironment } from '../../../support/test-environment.js';

type Row = Readonly<Record<string, unknown>>;

/** Times by their order within one document, since each write takes its own. */
const timeRanks = (rows: readonly Row[]): ((row: Row, time: unknown) => number) => {
  const times = new Map<unknown, Set<number>>();
  const timesOf = (row: Row): Set<number> => {
    const found = times.get(row['documentId']) ?? new Set<number>();
    times.set(row['documentId'], found);
    return found;
  };
  for (const row of rows)
    for (const value of Object.values(row)) if (value instanceof Date) timesOf(row).add(value.getTime());
  return (row, time) => [...timesOf(row)].toSorted((a, b) => a - b).indexOf((time as Date).getTime());
};

/** Positions by their order within one list, since the numbers have gaps: those of removed links. */
const positionRanks = (
  rows: readonly Row[],
  listOf: (row: Row) => unknown,
  field: string,
): ((row: Row) => number | null) => {
  const lists = new Map<unknown, Set<unknown>>();
  for (const row of rows) {
    const list = listOf(row);
    lists.set(list, (lists.get(list) ?? new Set()).add(row[field] ?? null));
  }
  const positionsOf = (row: Row): readonly number[] =>
    [...(lists.get(listOf(row)) ?? [])]
      .filter((position): position is number => position !== null)
      .toSorted((one, other) => one - other);
  return (row) => {
    const position = row[field] ?? null;
    return position === null ? null : positionsOf(row).indexOf(position as number);
  };
};

/** The column links of a type that have a position in the list of the document they point at. */
const columnRanks = (
  { attributes }: ContentType,
  rows: readonly Row[],
): ReadonlyMap<string, (row: Row) => number | null> =>
  new Map(
    Object.values(attributes).flatMap((attribute) => {
      if (!('link' in attribute) || attribute.link?.kind !== 'column' || attribute.side !== 'owner')
        return [];
      const { field, position } = attribute.link;
      if (position === null) return [];
      return [[position.field, positionRanks(rows, (row) => row[field], position.field)] as const];
    }),
  );

/**
 * Returns the content of all tables. The ids of documents, rows and components, the times and the positions,
 * which differ from run to run, are replaced by what they stand for.
 *
 * @param names what document ids stand for
 */
export const dumpNormalised = async (
  { model, database }: TestEnvironment,
  names: ReadonlyMap<string, string>,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const components = new Map<string, string>();
  const printed = (value: unknown): string =>
    JSON.stringify(value)
      .replaceAll(/\b[a-z][a-z0-9]{23}\b/g, (id) => names.get(id) ?? id)
      .replaceAll(/"id\\*":(\d+)/g, (_text, id: string) => {
        const name = components.get(id) ?? `component ${components.size}`;
        components.set(id, name);
        return `"id":${name}`;
      });
  return database.transact(async (tx) => {
    const dump: Record<string, readonly string[]> = {};
    const versions = new Map<string, string>();
    const documents = new Map<string, unknown>();
    const versionKey = (type: ContentType, id: unknown): string => `${type.uid} ${String(id)}`;
    for (const type of model.types.filter(({ origin }) => origin === 'project')) {
      const rows = (await tx.model(type.storage.version.model).findMany({})) as readonly Row[];
      const rank = timeRanks(rows);
      const places = columnRanks(type, rows);
      const keyed = rows.map((row) => {
        const { id, documentId, locale, status, ...values } = row;
        const key = printed([documentId, locale, status]);
        versions.set(versionKey(type, id), key);
        documents.set(versionKey(type, id), documentId);
        return { key, row, values };
      });
      dump[type.uid] = keyed
        .toSorted((one, other) => (one.key < other.key ? -1 : 1))
        .map(({ key, row, values }) => {
          const entries = Object.entries(values).map(([name, value]) => {
            if (value instanceof Date) return [name, rank(row, value)];
            return [name, places.get(name)?.(row) ?? (typeof value === 'bigint' ? String(value) : value)];
          });
          return `${key} ${printed(Object.fromEntries(entries))}`;
        });
    }
    for (const type of model.types.filter(({ origin }) => origin === 'project'))
      for (const attribute of Object.values(type.attributes)) {
        if (!('link' in attribute) || attribute.link === null || attribute.link.kind === 'column') continue;
        const { link } = attribute;
        const rows = (await tx.model(link.model).findMany({})) as readonly Row[];
        const sourceKey = (row: Row): string => versionKey(typeOf(model, link.owner), row['sourceId']);
        const place = positionRanks(rows, (row) => documents.get(sourceKey(row)), 'position');
        const inversePlace = positionRanks(rows, (row) => row['targetDocumentId'], 'inversePosition');
        dump[link.model] = rows
          .map((row) => {
            const { id: _id, sourceId: _sourceId, ...values } = row;
            const places = { position: place(row), inversePosition: inversePlace(row) };
            return `${versions.get(sourceKey(row))} ${printed({ ...values, ...places })}`;
          })
          .toSorted();
      }
    return dump;
  });
};
