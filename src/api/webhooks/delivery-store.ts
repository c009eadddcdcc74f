import { randomUUID } from 'node:crypto';
import type { Database, Row, Transaction } from '../../database/database.js';
import type { WebhookEvent } from './webhook.js';

type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** An event for one webhook: pending, delivered or failed. */
export interface Delivery {
  readonly id: number;
  /** The same in all attempts. */
  readonly key: string;
  readonly webhookId: string;
  readonly event: string;
  readonly type: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: number;
  readonly nextAttemptAt: number;
  /** Of the last attempt. Null: there was no attempt, or no response. */
  readonly attemptedAt: number | null;
  readonly responseStatus: number | null;
  readonly duration: number | null;
  readonly error: string | null;
}

export interface PendingDelivery extends Delivery {
  readonly payload: string;
}

/** Outcome of an attempt. */
export interface Attempt {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly responseStatus: number | null;
  readonly duration: number;
  readonly error: string | null;
}

interface DeliveryFilter {
  readonly webhookId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** Only deliveries that were recorded or attempted after this time. */
  readonly since?: number | undefined;
  readonly limit: number;
}

/** The deliveries of a database. Payloads are stored in the transaction of the write. */
export interface DeliveryStore {
  readonly record: (
    tx: Transaction,
    webhookIds: readonly string[],
    event: WebhookEvent,
    payload: string,
  ) => Promise<void>;
  /** Returns the deliveries that are due, in order, and only the first of each document. */
  readonly due: (webhookId: string, limit: number) => Promise<readonly PendingDelivery[]>;
  /** Returns the deliveries of cache tags that are due, in order. They are sent together. */
  readonly dueTags: (webhookId: string, limit: number) => Promise<readonly PendingDelivery[]>;
  /** Returns the number of pending deliveries. */
  readonly countPending: () => Promise<number>;
  readonly finish: (ids: readonly number[], attempt: Attempt) => Promise<void>;
  /** Returns the latest deliveries, the last one first. */
  readonly list: (filter: DeliveryFilter) => Promise<readonly Delivery[]>;
  /** Schedules deliveries to be sent again, by key, or all that failed. Returns their number. */
  readonly redeliver: (
    which: { readonly key: string } | { readonly failedOf: string | null },
  ) => Promise<number>;
  /** Deletes deliveries that were sent or abandoned before a time. */
  readonly deleteBefore: (time: number) => Promise<void>;
  readonly deleteOf: (webhookId: string) => Promise<void>;
}

const TABLE = '"cms_webhook_deliveries"';
const MAX_ERROR_LENGTH = 1000;

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toDelivery = (row: Row): Delivery => ({
  id: Number(row['id']),
  key: String(row['key']),
  webhookId: String(row['webhook_id']),
  event: String(row['event']),
  type: String(row['type']),
  documentId: String(row['document_id']),
  locale: textOrNull(row['locale']),
  status: String(row['status']) as DeliveryStatus,
  attempts: Number(row['attempts']),
  createdAt: Number(row['created_at']),
  nextAttemptAt: Number(row['next_attempt_at']),
  attemptedAt: numberOrNull(row['attempted_at']),
  responseStatus: numberOrNull(row['response_status']),
  duration: numberOrNull(row['duration']),
  error: textOrNull(row['error']),
});

type DeliveryDatabase = Pick<Database, 'dialect' | 'readTexts' | 'readNumber' | 'transact'>;

/** Creates the operations on pending deliveries. */
const createQueue = ({
  dialect,
  readTexts,
  readNumber,
  transact,
}: DeliveryDatabase): Pick<DeliveryStore, 'record' | 'due' | 'dueTags' | 'countPending' | 'finish'> => {
  const at = dialect.expressions.placeholder;
  const insertSql = `INSERT INTO ${TABLE}
    ("key", "webhook_id", "event", "type", "document_id", "locale", "payload", "status", "attempts",
     "next_attempt_at", "created_at")
    VALUES (${[1, 2, 3, 4, 5, 6, 7].map(at).join(', ')}, 'pending', 0, ${at(8)}, ${at(9)})`;
  // A delivery that waits for a retry delays only later deliveries of the same document.
  const dueSql = `SELECT CAST("id" AS TEXT) FROM ${TABLE} AS d
    WHERE "webhook_id" = ${at(1)} AND "status" = 'pending' AND "next_attempt_at" <= ${at(2)}
      AND NOT EXISTS (SELECT 1 FROM ${TABLE} AS e WHERE e."webhook_id" = d."webhook_id"
        AND e."document_id" = d."document_id" AND e."id" < d."id" AND e."status" = 'pending')
    ORDER BY "id" LIMIT ${at(3)}`;
  const finishSql = `UPDATE ${TABLE} SET "status" = ${at(1)}, "attempts" = ${at(2)},
    "next_attempt_at" = ${at(3)}, "attempted_at" = ${at(4)}, "response_status" = ${at(5)},
    "duration" = ${at(6)}, "error" = ${at(7)}`;
  const dueTagsSql = `SELECT CAST("id" AS TEXT) FROM ${TABLE} WHERE "webhook_id" = ${at(1)}
    AND "status" = 'pending' AND "next_attempt_at" <= ${at(2)} ORDER BY "id" LIMIT ${at(3)}`;
  const load = async (sql: string, webhookId: string, limit: number): Promise<readonly PendingDelivery[]> => {
    // This query runs every second and mostly finds nothing, so it must not wait for writers.
    const ids = (await readTexts(sql, [webhookId, Date.now(), limit])).map(Number);
    if (ids.length === 0) return [];
    const rows = await transact((tx) =>
      tx.query(`SELECT * FROM ${TABLE} WHERE "id" IN (${ids.join(', ')}) ORDER BY "id"`, []),
    );
    return rows.map((row) => ({ ...toDelivery(row), payload: String(row['payload']) }));
  };
  return {
    record: async (tx, webhookIds, { event, type, documentId, locale }, payload) => {
      const now = Date.now();
      for (const webhookId of webhookIds)
        await tx.execute(insertSql, [
          randomUUID(),
          webhookId,
          event,
          type,
          documentId,
          locale,
          payload,
          now,
          now,
        ]);
    },
    due: (webhookId, limit) => load(dueSql, webhookId, limit),
    dueTags: (webhookId, limit) => load(dueTagsSql, webhookId, limit),
    countPending: () => readNumber(`SELECT count(*) FROM ${TABLE} WHERE "status" = 'pending'`, []),
    finish: async (ids, { status, attempts, nextAttemptAt, responseStatus, duration, error }) => {
      const values = [
        status,
        attempts,
        nextAttemptAt,
        Date.now(),
        responseStatus,
        duration,
        error === null ? null : error.slice(0, MAX_ERROR_LENGTH),
      ];
      await transact((tx) => tx.execute(`${finishSql} WHERE "id" IN (${ids.join(', ')})`, values));
    },
  };
};

/** Creates the operations on the log of deliveries. */
const createLog = ({
  dialect,
  transact,
}: DeliveryDatabase): Pick<DeliveryStore, 'list' | 'redeliver' | 'deleteBefore' | 'deleteOf'> => {
  const at = dialect.expressions.placeholder;
  const execute = (sql: string, parameters: readonly unknown[]): Promise<number> =>
    transact((tx) => tx.execute(sql, parameters));
  return {
    list: async ({ webhookId, status, since, limit }) => {
      const values: unknown[] = [];
      const bind = (value: unknown): string => at(values.push(value));
      const conditions = [
        ...(webhookId === undefined ? [] : [`"webhook_id" = ${bind(webhookId)}`]),
        ...(status === undefined ? [] : [`"status" = ${bind(status)}`]),
        ...(since === undefined ? [] : [`coalesce("attempted_at", "created_at") > ${bind(since)}`]),
      ];
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const sql = `SELECT * FROM ${TABLE} ${where} ORDER BY "id" DESC LIMIT ${limit}`;
      return (await transact((tx) => tx.query(sql, values))).map(toDelivery);
    },
    redeliver: (which) => {
      const values: unknown[] = [Date.now()];
      const bind = (value: unknown): string => at(values.push(value));
      const hook =
        'failedOf' in which && which.failedOf !== null ? ` AND "webhook_id" = ${bind(which.failedOf)}` : '';
      const condition = 'key' in which ? `"key" = ${bind(which.key)}` : `"status" = 'failed'${hook}`;
      return execute(
        `UPDATE ${TABLE} SET "status" = 'pending', "attempts" = 0, "next_attempt_at" = ${at(1)} ` +
          `WHERE ${condition}`,
        values,
      );
    },
    deleteBefore: async (time) => {
      await execute(`DELETE FROM ${TABLE} WHERE "status" <> 'pending' AND "created_at" < ${at(1)}`, [time]);
    },
    deleteOf: async (webhookId) => {
      await execute(`DELETE FROM ${TABLE} WHERE "webhook_id" = ${at(1)}`, [webhookId]);
    },
  };
};

/** Creates the store of the deliveries of a database. */
export function createDeliveryStore(database: DeliveryDatabase): DeliveryStore {
  return { ...createQueue(database), ...createLog(database) };
}
