import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { chunksOf } from '../../lib/collections.js';
import { NO_LOCALE } from '../../model/model.js';
import type { Uid } from '../../model/model.js';
import type { EditorialRecord } from '../source.js';
import type { ImportRun } from './import-context.js';

/** Rows for each statement, within the parameter limit of each database. */
const BATCH_SIZE = 500;
const DELETE_SIZE = 5000;

/** Deletes the schedules of documents that an import replaces, since they were meant for other content. */
export async function removeSchedules(
  expressions: SqlExpressions,
  tx: Transaction,
  type: Uid,
  documentIds: Iterable<string>,
): Promise<void> {
  for (const chunk of chunksOf(documentIds, DELETE_SIZE)) {
    const isListed = expressions.inList(
      sql.ref('document_id'),
      'text',
      expressions.encodeList('text', chunk),
    );
    const isOfType = sql`type = ${expressions.parameter('text', type)}`;
    const statement = sql`delete from cms_schedules where ${isOfType} and ${isListed}`;
    const { sql: text, parameters } = statement.compile(expressions.kysely);
    await tx.execute(text, parameters);
  }
}

/** True if a record is imported. Existing documents keep their stored versions. */
const isWanted = ({ inspection, existing, isWritten }: ImportRun, record: EditorialRecord): boolean => {
  const { kind, type: uid, documentId, locale } = record;
  const type = inspection.selected(uid);
  return (
    type?.draftAndPublish === true &&
    type.localized === (locale !== NO_LOCALE) &&
    inspection.rows.get(uid)?.has(documentId) === true &&
    isWritten(uid, documentId) &&
    (kind === 'schedule' || existing.get(uid)?.has(documentId) !== true)
  );
};

const insert = async (
  expressions: SqlExpressions,
  tx: Transaction,
  records: readonly EditorialRecord[],
): Promise<void> => {
  const text = (value: string) => expressions.parameter('text', value);
  const time = (value: number) => expressions.parameter('bigint', BigInt(value));
  const documentLocaleSql = ({ type, documentId, locale }: EditorialRecord) =>
    sql.join([type, documentId, locale].map(text));
  const schedules = records.flatMap((record) =>
    record.kind === 'schedule'
      ? [
          sql`(${documentLocaleSql(record)}, ${text(record.action)}, ${time(record.at)},
            ${record.error === null ? sql`null` : text(record.error)})`,
        ]
      : [],
  );
  const versions = records.flatMap((record) =>
    record.kind === 'version'
      ? [
          sql`(${documentLocaleSql(record)}, ${expressions.parameter('integer', record.number)},
            ${time(record.publishedAt)}, ${text(record.content)})`,
        ]
      : [],
  );
  const into = [
    [sql`cms_schedules (type, document_id, locale, action, at, error)`, schedules],
    [sql`cms_versions (type, document_id, locale, number, published_at, content)`, versions],
  ] as const;
  for (const [table, rows] of into) {
    if (rows.length === 0) continue;
    const statement = sql`insert into ${table} values ${sql.join(rows)} on conflict do nothing`;
    const { sql: compiled, parameters } = statement.compile(expressions.kysely);
    await tx.execute(compiled, parameters);
  }
};

/** Writes schedules and published versions. */
export async function writeEditorial(run: ImportRun, done: number): Promise<void> {
  const { target, source, save, onProgress } = run;
  const { expressions } = target.database.dialect;
  let count = 0;
  let batch: EditorialRecord[] = [];
  const flush = async (): Promise<void> => {
    const records = batch;
    const written = count;
    batch = [];
    if (written <= done || records.length === 0) return;
    await target.database.transact(async (tx) => {
      await insert(expressions, tx, records);
      await save(tx, { done: written });
    });
    onProgress(`${written} schedules and published versions`);
    await nextTurn();
  };
  for await (const record of source.editorial()) {
    if (!isWanted(run, record)) continue;
    count += 1;
    batch.push(record);
    if (batch.length === BATCH_SIZE) await flush();
  }
  await flush();
}
