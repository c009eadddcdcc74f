import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database, Row, Transaction } from '../../database/database.js';
import type { BoundValue, JsonPairs, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { chunksOf } from '../../lib/collections.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { Uid } from '../../model/model.js';
import type { ScheduledAction } from '../schedules/schedule-store.js';

export type ReleaseAction = ScheduledAction;

/** One locale of a document. */
export interface ReleaseTarget {
  readonly type: Uid;
  readonly documentId: string;
  /** The stored form of the locale. */
  readonly locale: string;
}

/** The change of one locale of a document. */
export interface ReleaseChange extends ReleaseTarget {
  readonly action: ReleaseAction;
}

/** A stored change. */
export interface ReleaseItem extends ReleaseChange {
  readonly id: number;
  /** The published version that the release replaced, as JSON. Null: none, or not published yet. */
  readonly content: string | null;
  /** When the published version that the release left was written. Null: it left none. */
  readonly writtenAt: number | null;
}

/** A release as it is stored. Times are milliseconds since 1970. */
export interface StoredRelease {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly at: number | null;
  readonly publishedAt: number | null;
  readonly revertedAt: number | null;
  readonly error: string | null;
  readonly items: number;
}

/** The changes of a release's columns. */
type ReleaseValues = Partial<Pick<StoredRelease, 'at' | 'publishedAt' | 'revertedAt' | 'error'>>;

const COLUMNS: Readonly<Record<keyof ReleaseValues, string>> = {
  at: 'at',
  publishedAt: 'published_at',
  revertedAt: 'reverted_at',
  error: 'error',
};

/** Rows for each statement, within the parameter limit of each database. */
const BATCH_SIZE = 200;
const MAX_ERROR_LENGTH = 1000;

const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toRelease = (row: Row): StoredRelease => ({
  id: Number(row['id']),
  name: String(row['name']),
  createdAt: Number(row['created_at']),
  at: numberOrNull(row['at']),
  publishedAt: numberOrNull(row['published_at']),
  revertedAt: numberOrNull(row['reverted_at']),
  error: textOrNull(row['error']),
  items: Number(row['items'] ?? 0),
});

const toItem = (row: Row): ReleaseItem => ({
  id: Number(row['id']),
  type: String(row['type']),
  documentId: String(row['document_id']),
  locale: String(row['locale']),
  action: String(row['action']) as ReleaseAction,
  content: textOrNull(row['content']),
  writtenAt: numberOrNull(row['written_at']),
});

/** Reads and writes releases. Reads belong to the transaction that the caller has joined. */
export interface ReleaseStore {
  /** Lists releases by name. */
  readonly list: () => Promise<readonly StoredRelease[]>;
  readonly find: (name: string) => Promise<StoredRelease | null>;
  /** Returns the names of the releases whose time has come, the earliest first. */
  readonly due: (now: number) => Promise<readonly string[]>;
  /** Lists the changes by action, type and locale: those that unpublish come first. */
  readonly items: (releaseId: number) => Promise<readonly ReleaseItem[]>;
  readonly create: (tx: Transaction, name: string, now: number) => Promise<void>;
  readonly update: (tx: Transaction, id: number, values: ReleaseValues) => Promise<void>;
  readonly remove: (tx: Transaction, id: number) => Promise<void>;
  /** Adds changes. A change of the same locale of a document is replaced. */
  readonly add: (tx: Transaction, id: number, changes: readonly ReleaseChange[]) => Promise<void>;
  /** Removes changes. Returns their number. */
  readonly removeItems: (tx: Transaction, id: number, targets: readonly ReleaseTarget[]) => Promise<number>;
  /** Removes the changes of deleted documents, in one locale or, with null, in all. */
  readonly removeDocuments: (
    tx: Transaction,
    documents: {
      readonly type: Uid;
      readonly documentIds: readonly string[];
      readonly locale: string | null;
    },
  ) => Promise<void>;
}

type ReleaseDatabase = Pick<Database, 'dialect' | 'readTexts'>;

const createReader = (database: ReleaseDatabase): Pick<ReleaseStore, 'list' | 'find' | 'due' | 'items'> => {
  const { expressions } = database.dialect;
  const { json, kysely } = expressions;
  const pairsOf = (kind: ColumnKind, names: readonly string[]): JsonPairs =>
    names.map((name) => [name, json.value(kind, sql.ref(name))]);
  const read = async (record: JsonPairs, clauses: RawBuilder<unknown>): Promise<readonly Row[]> => {
    const statement = sql`select ${json.text(json.object(record))} ${clauses}`.compile(kysely);
    const texts = await database.readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
    return texts.map((text) => JSON.parse(text ?? '{}') as Row);
  };
  const releases = async (clauses: RawBuilder<unknown>): Promise<readonly StoredRelease[]> => {
    const record: JsonPairs = [
      ...pairsOf('integer', ['id', 'created_at', 'at', 'published_at', 'reverted_at', 'items']),
      ...pairsOf('text', ['name', 'error']),
    ];
    const counted = sql`select r.*, (select count(*) from cms_release_items i where i.release_id = r.id)
      as items from cms_releases r`;
    return (await read(record, sql`from (${counted}) as found ${clauses}`)).map(toRelease);
  };
  return {
    list: () => releases(sql`order by name`),
    find: async (name) => {
      const [found] = await releases(sql`where name = ${expressions.parameter('text', name)}`);
      return found ?? null;
    },
    due: async (now) => {
      const due = await releases(sql`where at <= ${expressions.parameter('bigint', BigInt(now))}
        and error is null and published_at is null order by at, id`);
      return due.map(({ name }) => name);
    },
    items: async (releaseId) => {
      const record: JsonPairs = [
        ...pairsOf('integer', ['id', 'written_at']),
        ...pairsOf('text', ['type', 'document_id', 'locale', 'action', 'content']),
      ];
      const isOf = sql`release_id = ${expressions.parameter('integer', releaseId)}`;
      const order = sql`order by action desc, type, locale, id`;
      return (await read(record, sql`from cms_release_items where ${isOf} ${order}`)).map(toItem);
    },
  };
};

const createWriter = (
  expressions: SqlExpressions,
): Omit<ReleaseStore, keyof ReturnType<typeof createReader>> => {
  const at = expressions.placeholder;
  const { kysely } = expressions;
  const text = (value: string): RawBuilder<unknown> => expressions.parameter('text', value);
  const isOf = (id: number): RawBuilder<unknown> => sql`release_id = ${expressions.parameter('integer', id)}`;
  const run = (tx: Transaction, statement: RawBuilder<unknown>): Promise<number> => {
    const compiled = statement.compile(kysely);
    return tx.execute(compiled.sql, compiled.parameters);
  };
  const areListed = (documentIds: readonly string[]): RawBuilder<unknown> =>
    expressions.inList(sql.ref('document_id'), 'text', expressions.encodeList('text', documentIds));
  return {
    create: async (tx, name, now) => {
      const insertSql = `INSERT INTO "cms_releases" ("name", "created_at") VALUES (${at(1)}, ${at(2)})`;
      await tx.execute(insertSql, [name, now]);
    },
    update: async (tx, id, values) => {
      const entries = Object.entries(values) as readonly (readonly [keyof ReleaseValues, BoundValue])[];
      const assignments = entries.map(([name], index) => `"${COLUMNS[name]}" = ${at(index + 1)}`);
      const bound = entries.map(([, value]) =>
        typeof value === 'string' ? value.slice(0, MAX_ERROR_LENGTH) : value,
      );
      const isOfRelease = `"id" = ${at(entries.length + 1)}`;
      await tx.execute(`UPDATE "cms_releases" SET ${assignments.join(', ')} WHERE ${isOfRelease}`, [
        ...bound,
        id,
      ]);
    },
    remove: async (tx, id) => {
      await tx.execute(`DELETE FROM "cms_releases" WHERE "id" = ${at(1)}`, [id]);
    },
    add: async (tx, id, changes) => {
      for (const chunk of chunksOf(changes, BATCH_SIZE)) {
        const rows = chunk.map(({ type, documentId, locale, action }) => {
          const values = [type, documentId, locale, action].map(text);
          return sql`(${sql.join([expressions.parameter('integer', id), ...values])})`;
        });
        await run(
          tx,
          sql`insert into cms_release_items (release_id, type, document_id, locale, action)
            values ${sql.join(rows)} on conflict (release_id, type, document_id, locale)
            do update set action = excluded.action`,
        );
      }
    },
    removeItems: async (tx, id, targets) => {
      let removed = 0;
      for (const { type, documentId, locale } of targets)
        removed += await run(
          tx,
          sql`delete from cms_release_items where ${isOf(id)} and type = ${text(type)}
            and document_id = ${text(documentId)} and locale = ${text(locale)}`,
        );
      return removed;
    },
    removeDocuments: async (tx, { type, documentIds, locale }) => {
      if (documentIds.length === 0) return;
      const inLocale = locale === null ? sql`` : sql` and locale = ${text(locale)}`;
      await run(
        tx,
        sql`delete from cms_release_items
          where type = ${text(type)} and ${areListed(documentIds)}${inLocale}`,
      );
    },
  };
};

/** Creates the store of releases. */
export function createReleaseStore(database: ReleaseDatabase): ReleaseStore {
  return { ...createReader(database), ...createWriter(database.dialect.expressions) };
}
