import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database, Row, Transaction } from '../../database/database.js';
import type { BoundValue, JsonPairs, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import { NO_LOCALE } from '../../model/model.js';
import type { Uid } from '../../model/model.js';

export const SCHEDULED_ACTIONS = ['publish', 'unpublish'] as const;
export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number];

/** One locale of a document. */
interface LocaleName {
  readonly type: Uid;
  readonly documentId: string;
  /** The stored form of the locale. */
  readonly locale: string;
}

/** Scheduled change of one locale of a document. */
export interface ScheduleEntry extends LocaleName {
  readonly id: number;
  readonly action: ScheduledAction;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Reason that it was abandoned; null if it is pending. */
  readonly error: string | null;
  /** The name of the caller who scheduled it. Null if it is not known. */
  readonly author: string | null;
}

export interface ScheduleFilter {
  readonly type?: Uid | undefined;
  readonly documentIds?: readonly string[] | undefined;
}

const TABLE = '"cms_schedules"';
const MAX_ERROR_LENGTH = 1000;

const toEntry = (row: Row): ScheduleEntry => ({
  id: Number(row['id']),
  type: String(row['type']),
  documentId: String(row['document_id']),
  locale: String(row['locale']),
  action: String(row['action']) as ScheduledAction,
  at: Number(row['at']),
  error: typeof row['error'] === 'string' ? row['error'] : null,
  author: typeof row['author'] === 'string' ? row['author'] : null,
});

/** Reads and writes scheduled changes inside of transactions. */
export interface ScheduleStore {
  readonly find: (tx: Transaction, name: LocaleName) => Promise<readonly ScheduleEntry[]>;
  /** Replaces the scheduled time of the action; null removes it. */
  readonly set: (
    tx: Transaction,
    entry: LocaleName & Pick<ScheduleEntry, 'action' | 'author'> & { readonly at: number | null },
  ) => Promise<void>;
  /** Removes the entries of deleted documents, in one locale or, with null, in all. */
  readonly remove: (
    tx: Transaction,
    documents: {
      readonly type: Uid;
      readonly documentIds: readonly string[];
      readonly locale: string | null;
    },
  ) => Promise<void>;
  /** Deletes and returns an entry, unless it was changed or done meanwhile. */
  readonly take: (tx: Transaction, id: number, now: number) => Promise<ScheduleEntry | null>;
  /** Stores the reason why an unchanged entry was abandoned. */
  readonly fail: (tx: Transaction, entry: ScheduleEntry, error: string) => Promise<void>;
}

const conditionsOf = (expressions: SqlExpressions) => ({
  are: (column: string, values: readonly string[]): RawBuilder<boolean> =>
    expressions.inList(sql.ref(column), 'text', expressions.encodeList('text', values)),
  is: (column: string, value: string): RawBuilder<boolean> =>
    sql`${sql.ref(column)} = ${expressions.parameter('text', value)}`,
});

/** Creates the store of scheduled changes. */
export function createScheduleStore(expressions: SqlExpressions): ScheduleStore {
  const at = expressions.placeholder;
  const { are, is } = conditionsOf(expressions);
  const ofLocale = `"type" = ${at(1)} AND "document_id" = ${at(2)} AND "locale" = ${at(3)}`;
  const findSql = `SELECT * FROM ${TABLE} WHERE ${ofLocale} ORDER BY "at", "id"`;
  const clearSql = `DELETE FROM ${TABLE} WHERE ${ofLocale} AND "action" = ${at(4)}`;
  const insertSql = `INSERT INTO ${TABLE} ("type", "document_id", "locale", "action", "at", "author")
    VALUES (${[1, 2, 3, 4, 5, 6].map(at).join(', ')})`;
  const dueSql = `SELECT * FROM ${TABLE} WHERE "id" = ${at(1)} AND "at" <= ${at(2)} AND "error" IS NULL`;
  const takeSql = `DELETE FROM ${TABLE} WHERE "id" = ${at(1)} AND "at" = ${at(2)} AND "error" IS NULL`;
  const failSql = `UPDATE ${TABLE} SET "error" = ${at(1)} WHERE "id" = ${at(2)} AND "at" = ${at(3)}`;
  return {
    find: async (tx, { type, documentId, locale }) =>
      (await tx.query(findSql, [type, documentId, locale])).map(toEntry),
    set: async (tx, { type, documentId, locale, action, author, at: time }) => {
      await tx.execute(clearSql, [type, documentId, locale, action]);
      if (time !== null) await tx.execute(insertSql, [type, documentId, locale, action, time, author]);
    },
    remove: async (tx, { type, documentIds, locale }) => {
      if (documentIds.length === 0) return;
      const inLocale = locale === null ? sql`` : sql` and ${is('locale', locale)}`;
      const statement = sql`delete from ${sql.id('cms_schedules')}
        where ${is('type', type)} and ${are('document_id', documentIds)}${inLocale}`.compile(
        expressions.kysely,
      );
      await tx.execute(statement.sql, statement.parameters);
    },
    take: async (tx, id, now) => {
      const [row] = await tx.query(dueSql, [id, now]);
      if (row === undefined) return null;
      const entry = toEntry(row);
      return (await tx.execute(takeSql, [id, entry.at])) === 1 ? entry : null;
    },
    fail: async (tx, { id, at: time }, error) => {
      await tx.execute(failSql, [error.slice(0, MAX_ERROR_LENGTH), id, time]);
    },
  };
}

/** Returns the ids of due entries, the earliest first, without waiting for writers. */
export async function findDue(
  { dialect, readTexts }: Pick<Database, 'dialect' | 'readTexts'>,
  now: number,
  limit: number,
): Promise<readonly number[]> {
  const at = dialect.expressions.placeholder;
  const dueSql = `SELECT CAST("id" AS TEXT) FROM ${TABLE} WHERE "at" <= ${at(1)} AND "error" IS NULL
    ORDER BY "at", "id" LIMIT ${at(2)}`;
  return (await readTexts(dueSql, [now, limit])).map(Number);
}

/** Lists entries, the earliest first, without Prisma Client. */
export async function listEntries(
  { dialect: { expressions }, readTexts }: Pick<Database, 'dialect' | 'readTexts'>,
  { type, documentIds }: ScheduleFilter,
): Promise<readonly ScheduleEntry[]> {
  const { are, is } = conditionsOf(expressions);
  const pairsOf = (kind: ColumnKind, names: readonly string[]): JsonPairs =>
    names.map((name) => [name, expressions.json.value(kind, sql.ref(name))]);
  const record = expressions.json.object([
    ...pairsOf('integer', ['id', 'at']),
    ...pairsOf('text', ['type', 'document_id', 'locale', 'action', 'error', 'author']),
  ]);
  const conditions = [
    sql<boolean>`1 = 1`,
    ...(type === undefined ? [] : [is('type', type)]),
    ...(documentIds === undefined ? [] : [are('document_id', documentIds)]),
  ];
  const statement = sql`select ${expressions.json.text(record)} from cms_schedules
    where ${sql.join(conditions, sql` and `)} order by "at", "id"`.compile(expressions.kysely);
  const texts = await readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
  return texts.map((text) => toEntry(JSON.parse(text ?? '{}') as Row));
}

/** Scheduled change that failed. */
interface ScheduleFailure {
  readonly action: ScheduledAction;
  readonly at: string;
  readonly message: string;
}

/** The times at which one locale of a document is published and unpublished, as ISO text. */
export interface Schedule {
  readonly documentId: string;
  /** Null if its type is not localised. */
  readonly locale: string | null;
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
  /** The name of the caller who set the earliest of these times. Null if it is not known. */
  readonly author: string | null;
  readonly failures: readonly ScheduleFailure[];
}

/** Pending or failed change of one locale of a document, in the form that clients see. */
export interface ScheduledChange {
  readonly type: Uid;
  readonly documentId: string;
  /** Null if its type is not localised. */
  readonly locale: string | null;
  readonly action: ScheduledAction;
  readonly at: string;
  /** Reason that it was abandoned; null if it is pending. */
  readonly error: string | null;
  /** The name of the caller who scheduled it. Null if it is not known. */
  readonly author: string | null;
}

const timeOf = (at: number): string => new Date(at).toISOString();

/** Returns the schedule in the entries of one locale of a document. */
export function toSchedule(
  { documentId, locale }: Pick<Schedule, 'documentId' | 'locale'>,
  entries: readonly ScheduleEntry[],
): Schedule {
  const pendingAt = (action: ScheduledAction): string | null => {
    const entry = entries.find((candidate) => candidate.action === action && candidate.error === null);
    return entry === undefined ? null : timeOf(entry.at);
  };
  return {
    documentId,
    locale,
    publishAt: pendingAt(SCHEDULED_ACTIONS[0]),
    unpublishAt: pendingAt(SCHEDULED_ACTIONS[1]),
    author: entries.find(({ error }) => error === null)?.author ?? null,
    failures: entries.flatMap(({ action, at, error }) =>
      error === null ? [] : [{ action, at: timeOf(at), message: error }],
    ),
  };
}

/** Returns an entry in the form that clients see. */
export function toScheduledChange({
  type,
  documentId,
  locale,
  action,
  at,
  error,
  author,
}: ScheduleEntry): ScheduledChange {
  return {
    type,
    documentId,
    locale: locale === NO_LOCALE ? null : locale,
    action,
    at: timeOf(at),
    error,
    author,
  };
}
