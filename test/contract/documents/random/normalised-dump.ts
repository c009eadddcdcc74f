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

/**
 * Returns the content of all tables. The ids of documents, rows and components and the times, which differ
 * from run to run, are replaced by what they stand for.
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
    const versionKey = (type: ContentType, id: unknown): string => `${type.uid} ${String(id)}`;
    for (const type of model.types.filter(({ origin }) => origin === 'project')) {
      const rows = (await tx.model(type.storage.version.model).findMany({})) as readonly Row[];
      const rank = timeRanks(rows);
      const keyed = rows.map((row) => {
        const { id, documentId, locale, status, ...values } = row;
        const key = printed([documentId, locale, status]);
        versions.set(versionKey(type, id), key);
        return { key, row, values };
      });
      dump[type.uid] = keyed
        .toSorted((one, other) => (one.key < other.key ? -1 : 1))
        .map(({ key, row, values }) => {
          const entries = Object.entries(values).map(([name, value]) => [
            name,
            value instanceof Date ? rank(row, value) : typeof value === 'bigint' ? String(value) : value,
          ]);
          return `${key} ${printed(Object.fromEntries(entries))}`;
        });
    }
    for (const type of model.types.filter(({ origin }) => origin === 'project'))
      for (const attribute of Object.values(type.attributes)) {
        if (!('link' in attribute) || attribute.link === null || attribute.link.kind === 'column') continue;
        const { link } = attribute;
        const rows = (await tx.model(link.model).findMany({})) as readonly Row[];
        dump[link.model] = rows
          .map(({ id: _id, sourceId, ...values }) => {
            const source = versions.get(versionKey(typeOf(model, link.owner), sourceId));
            return `${source} ${printed(values)}`;
          })
          .toSorted();
      }
    return dump;
  });
};
