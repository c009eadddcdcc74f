import type { ContentStore, ContentWrite } from '../store/content-store.js';
import { resolveReferences, replaceReferences } from '../store/references.js';
import type { Reference } from '../store/references.js';
import type { ImportProgress } from '../../documents/documents.js';
import { isDatabaseError } from '../../database/database-error.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { defined } from '../../lib/assert.js';
import { getOrCreate } from '../../lib/collections.js';
import type { ContentType } from '../../model/model.js';
import { InvalidValue, keyText, toData } from './column-mapping.js';
import type { ColumnMapping } from './column-mapping.js';
import type { TableRow } from './table.js';

/** Policies for rows whose document already exists. */
export const ROW_POLICIES = ['skip', 'update', 'fail'] as const;
type RowPolicy = (typeof ROW_POLICIES)[number];

export interface BatchOptions {
  /** Stored in the transaction that writes the rows. */
  readonly progress?: ImportProgress | undefined;
}

export interface RowImport {
  readonly type: ContentType;
  readonly mapping: ColumnMapping;
  /** True if the table is JSON, whose values have types. */
  readonly isJson: boolean;
  /** The attribute that identifies documents, or `documentId`. Null: each row is a new document. */
  readonly key: string | null;
  readonly existing: RowPolicy;
  readonly publish: boolean;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
  readonly isDryRun: boolean;
}

export type RowOutcome =
  | { readonly row: TableRow; readonly action: 'create' | 'update' | 'skip' }
  | { readonly row: TableRow; readonly action: 'reject'; readonly reason: string };

type Data = Readonly<Record<string, unknown>>;

interface OpenRow {
  readonly row: TableRow;
  readonly data: Data;
  /** Null: the import has no key. */
  readonly key: string | null;
}

/** The existing documents that have a key of the rows. */
interface ExistingByKey {
  /** The documentIds by the value of the key. */
  readonly documentIds: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys of documents that have the written locale. */
  readonly inLocale: ReadonlySet<string>;
}

const reject = (row: TableRow, reason: string): RowOutcome => ({ row, action: 'reject', reason });

/** Returns the reason that a row is rejected. */
const reasonOf = (error: unknown): string => {
  if (!isGalleyError(error)) return error instanceof Error ? error.message : String(error);
  const issues = (error.details.errors ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return issues.length === 0 ? error.message : issues.join('; ');
};

/** True if an error does not concern the row. */
const isFatal = (error: unknown): boolean =>
  isDatabaseError(error) || (isGalleyError(error) && error.kind === 'unavailable');

const openRow = ({ mapping, isJson, key }: RowImport, row: TableRow): OpenRow | RowOutcome => {
  if (row.problem !== null) return reject(row, row.problem);
  try {
    const data = toData(mapping, row.values, isJson);
    if (key === null) return { row, data, key };
    const value = data[key] ?? null;
    return value === null ? reject(row, `it has no ${key}`) : { row, data, key: keyText(value) };
  } catch (error) {
    if (error instanceof InvalidValue) return reject(row, error.message);
    throw error;
  }
};

const findExisting = async (
  store: ContentStore,
  { type, key, locale }: RowImport,
  rows: readonly OpenRow[],
): Promise<ExistingByKey> => {
  const documentIds = new Map<string, Set<string>>();
  const inLocale = new Set<string>();
  if (key === null || rows.length === 0) return { documentIds, inLocale };
  const written = locale ?? (await store.locales()).find(({ isDefault }) => isDefault)?.code;
  const found = await store.find(type.uid, {
    filters: { [key]: { $in: rows.map((row) => row.key) } },
    fields: ['documentId', ...(key === 'documentId' ? [] : [key]), ...(type.localized ? ['locale'] : [])],
    ...(type.localized ? { locale: '*' } : {}),
  });
  for (const document of found) {
    const value = keyText(document[key]);
    getOrCreate(documentIds, value, () => new Set<string>()).add(document.documentId);
    if (!type.localized || document['locale'] === written) inLocale.add(value);
  }
  return { documentIds, inLocale };
};

const withoutEmpty = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));

/** Returns the write for a row, or the outcome of a row that is not written. */
const composeWrite = (
  { type, existing, publish, locale }: RowImport,
  { documentIds, inLocale }: ExistingByKey,
  { row, data: { documentId: given, ...data }, key }: OpenRow,
): ContentWrite | RowOutcome => {
  const version = {
    status: publish ? ('published' as const) : ('draft' as const),
    ...(locale === undefined ? {} : { locale }),
  };
  const found = key === null ? [] : [...(documentIds.get(key) ?? [])];
  const [documentId] = found;
  if (documentId === undefined) {
    const id = typeof given === 'string' ? { documentId: given } : {};
    return { action: 'create', ...id, data: withoutEmpty(data), ...version };
  }
  if (found.length > 1) return reject(row, `several documents of ${type.singularName} have its key ${key}`);
  if (key !== null && inLocale.has(key)) {
    if (existing === 'skip') return { row, action: 'skip' };
    if (existing === 'fail') return reject(row, `there is already a ${type.singularName} ${key}`);
  }
  return { action: 'update', documentId, data, ...version };
};

/** Replaces names of documents by their documentIds, with few reads for all rows. */
const resolveRows = async (
  store: ContentStore,
  { type }: RowImport,
  rows: readonly OpenRow[],
): Promise<readonly (OpenRow | RowOutcome)[]> => {
  const references: Reference[] = [];
  for (const { data } of rows)
    replaceReferences(store.model, type, data, (reference) => references.push(reference));
  if (references.length === 0) return rows;
  const { documentIdOf } = await resolveReferences(store, references);
  return rows.map((open) => {
    try {
      return { ...open, data: replaceReferences(store.model, type, open.data, documentIdOf) };
    } catch (error) {
      return reject(open.row, reasonOf(error));
    }
  });
};

interface PlannedWrite {
  readonly row: TableRow;
  readonly write: ContentWrite;
}

const writeAll = async (
  store: ContentStore,
  { type, isDryRun }: RowImport,
  planned: readonly PlannedWrite[],
  { progress }: BatchOptions,
): Promise<readonly RowOutcome[]> => {
  if (planned.length === 0) return [];
  const writes = planned.map(({ write }) => write);
  const outcomes = await store.write(type.uid, writes, { isAtomic: false, isDryRun, progress });
  return outcomes.map((outcome, index) => {
    const { row, write: done } = defined(planned[index], 'the row of a write');
    if (!('error' in outcome)) return { row, action: done.action === 'create' ? 'create' : 'update' };
    if (isFatal(outcome.error)) throw outcome.error;
    return reject(row, reasonOf(outcome.error));
  });
};

const isOutcome = (item: OpenRow | PlannedWrite | RowOutcome): item is RowOutcome => 'action' in item;

/**
 * Writes rows in one transaction. Invalid rows are rejected; the others are written.
 *
 * @throws DatabaseError, and other errors that do not concern the rows
 */
export async function importBatch(
  store: ContentStore,
  rowImport: RowImport,
  rows: readonly TableRow[],
  options: BatchOptions = {},
): Promise<readonly RowOutcome[]> {
  const outcomes: RowOutcome[] = [];
  const keepOpen = <T extends OpenRow | PlannedWrite>(items: readonly (T | RowOutcome)[]): readonly T[] =>
    items.filter((item): item is T => {
      if (isOutcome(item)) outcomes.push(item);
      return !isOutcome(item);
    });
  const open = keepOpen(rows.map((row) => openRow(rowImport, row)));
  const resolved = keepOpen(await resolveRows(store, rowImport, open));
  const existing = await findExisting(store, rowImport, resolved);
  const planned = keepOpen(
    resolved.map((item): PlannedWrite | RowOutcome => {
      const composed = composeWrite(rowImport, existing, item);
      return 'row' in composed ? composed : { row: item.row, write: composed };
    }),
  );
  outcomes.push(...(await writeAll(store, rowImport, planned, options)));
  return outcomes.toSorted((left, right) => left.row.line - right.row.line);
}
