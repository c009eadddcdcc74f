import { sql } from 'kysely';
import type { Config } from '../../config/config.js';
import type { Database, Transaction } from '../../database/database.js';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { groupBy } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import { DAY_MS, MINUTE_MS } from '../../lib/units.js';
import type { ContentModel } from '../../model/model.js';
import { WRITE_ACTIONS } from '../hooks.js';
import type { DocumentEvent, DocumentHooks } from '../hooks.js';
import { PROJECT_CODE, createActors } from './actors.js';
import type { Actor, Actors } from './actors.js';

/** One row of the log, or one for each of several documents, without the time and the actor. */
export interface LogEntry {
  /** `create`, `tokens.revoke`, `sign-in`, `migrations.apply` */
  readonly action: string;
  readonly type?: string;
  readonly documentIds?: readonly string[];
  readonly locale?: string | null;
  readonly status?: string | null;
  /** The names of the written attributes. */
  readonly attributes?: readonly string[] | null;
  /** The name of a changed token, role, locale, webhook or migration. */
  readonly target?: string;
  /** Numbers that describe the change. Never values of content. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The log of writes, sign-ins, rejected attempts and changes of access and configuration. */
export interface WriteLog {
  /** Finds out on whose behalf code runs. */
  readonly actors: Actors;
  /** False if the settings switch the log off. `record` and `sweep` then do nothing. */
  readonly isOn: boolean;
  /** Adds rows in the transaction of a write, so that they exist if, and only if, the write does. */
  readonly record: (
    tx: Pick<Transaction, 'execute'>,
    entries: readonly LogEntry[],
    actor?: Actor,
  ) => Promise<void>;
  /**
   * Adds a row for a rejected attempt, up to {@link MAX_REJECTIONS} a minute and process. Further attempts
   * are only counted, and their number becomes one row later.
   */
  readonly reject: (entry: LogEntry, actor?: Actor) => Promise<void>;
  /** Deletes rows that are too old, and the oldest rows beyond the limit. */
  readonly sweep: () => Promise<void>;
}

const TABLE = 'cms_log';

/** Maximum number of rows for rejected attempts, so that nobody can fill the disk with them. */
export const MAX_REJECTIONS = 30;

/** The columns of text, without the documentId. */
export const LOG_COLUMNS = [
  'kind',
  'who',
  'who_id',
  'via',
  'source',
  'address',
  'action',
  'type',
  'locale',
  'status',
  'attributes',
  'target',
  'details',
] as const;

type Values = Readonly<Record<(typeof LOG_COLUMNS)[number], string | null>>;

/** Compiles the statement that adds one row for each item of a JSON list of documentIds. */
const compileInsertion = ({ json, kysely, parameter }: SqlExpressions): string => {
  const columns = sql.join(['at', ...LOG_COLUMNS, 'document_id'].map((name) => sql.id(name)));
  const values = sql.join([parameter('bigint', null), ...LOG_COLUMNS.map(() => parameter('text', null))]);
  const list = sql`(select ${json.stored(parameter('text', null))} as list) as source`;
  const rows = json.rows(sql.ref('source.list'), 'documents');
  return sql`insert into ${sql.id(TABLE)} (${columns}) select ${values}, nullif(${rows.text}, '')
    from ${list}, ${rows.from}`.compile(kysely).sql;
};

const MAX_TEXT_LENGTH = 200;

/** Names and addresses come from clients too, so that their length is bounded. */
const short = (text: string | null): string | null => text?.slice(0, MAX_TEXT_LENGTH) ?? null;

const jsonOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/** Number of rows that one transaction deletes, so that writes wait only shortly. */
const SWEEP_SIZE = 5000;

const createSweep = (
  { dialect, readNumber, transact }: Pick<Database, 'dialect' | 'readNumber' | 'transact'>,
  { days, rows }: Config['log'],
  now: () => number,
): WriteLog['sweep'] => {
  const at = dialect.expressions.placeholder;
  // Rows are added in the order of time, so that both statements read few rows beyond those to delete.
  const firstKeptSql = `SELECT coalesce(
    (SELECT "id" FROM "${TABLE}" WHERE "at" >= ${at(1)} ORDER BY "id" LIMIT 1),
    (SELECT max("id") + 1 FROM "${TABLE}"), 0)`;
  const lastExcessSql = `SELECT coalesce(
    (SELECT "id" FROM "${TABLE}" ORDER BY "id" DESC LIMIT 1 OFFSET ${at(1)}), 0)`;
  const deleteSql = `DELETE FROM "${TABLE}" WHERE "id" IN
    (SELECT "id" FROM "${TABLE}" WHERE "id" < ${at(1)} ORDER BY "id" LIMIT ${SWEEP_SIZE})`;
  return async () => {
    const firstKept = await readNumber(firstKeptSql, [now() - days * DAY_MS]);
    const lastExcess = await readNumber(lastExcessSql, [rows]);
    const end = Math.max(firstKept, lastExcess + 1);
    let deleted = SWEEP_SIZE;
    while (deleted === SWEEP_SIZE) deleted = await transact((tx) => tx.execute(deleteSql, [end]));
  };
};

/** Creates the function that logs rejected attempts in transactions of their own. */
const createReject = (
  { transact }: Pick<Database, 'transact'>,
  record: WriteLog['record'],
  now: () => number,
): WriteLog['reject'] => {
  let window = { start: -Infinity, count: 0 };
  return async (entry, actor) => {
    const { start, count } = window;
    const isNew = now() - start >= MINUTE_MS;
    window = isNew ? { start: now(), count: 1 } : { start, count: count + 1 };
    const omitted = isNew ? count - MAX_REJECTIONS : 0;
    if (omitted > 0)
      await transact((tx) =>
        record(tx, [{ action: 'rejected-more', details: { attempts: omitted } }], PROJECT_CODE),
      );
    if (window.count <= MAX_REJECTIONS) await transact((tx) => record(tx, [entry], actor));
  };
};

/**
 * Creates the log of a database.
 *
 * @param options.actors default: all writes are those of project code
 */
export function createWriteLog(
  database: Pick<Database, 'dialect' | 'readNumber' | 'transact'>,
  settings: Config['log'],
  {
    actors = createActors(PROJECT_CODE),
    now = Date.now,
  }: { readonly actors?: Actors; readonly now?: () => number } = {},
): WriteLog {
  const isOn = settings.days > 0 && settings.rows > 0;
  const insertSql = compileInsertion(database.dialect.expressions);
  const valuesOf = (actor: Actor, entry: LogEntry): Values => ({
    kind: actor.kind,
    who: short(actor.who),
    who_id: actor.whoId,
    via: actor.via,
    source: short(actor.source),
    address: settings.addresses ? short(actor.address) : null,
    action: entry.action,
    type: entry.type ?? null,
    locale: entry.locale ?? null,
    status: entry.status ?? null,
    attributes: jsonOf(entry.attributes),
    target: short(entry.target ?? null),
    details: jsonOf(entry.details),
  });
  const record: WriteLog['record'] = async (tx, entries, actor = actors.current()) => {
    if (!isOn) return;
    const at = now();
    for (const entry of entries) {
      const values = valuesOf(actor, entry);
      const texts = LOG_COLUMNS.map((name) => values[name]);
      await tx.execute(insertSql, [at, ...texts, JSON.stringify(entry.documentIds ?? [''])]);
    }
  };
  return {
    actors,
    isOn,
    record,
    reject: isOn ? createReject(database, record, now) : async () => undefined,
    sweep: isOn ? createSweep(database, settings, now) : async () => undefined,
  };
}

/** Returns the names of the attributes in the data of a write. Null for actions without data. */
const writtenAttributes = (model: ContentModel, { type, data }: DocumentEvent): readonly string[] | null => {
  if (!isRecord(data)) return null;
  const attributes = model.typesByUid[type]?.attributes ?? {};
  return Object.keys(data).filter((name) => Object.hasOwn(attributes, name));
};

interface RecordWritesDependencies {
  readonly log: WriteLog;
  readonly model: ContentModel;
  readonly hooks: Pick<DocumentHooks, 'observe'>;
}

/** Records every write of documents and files, with one statement for all documents written alike. */
export function recordWrites({ log, model, hooks }: RecordWritesDependencies): void {
  if (!log.isOn) return;
  const keyOf = ({ locale, status, data }: DocumentEvent): string =>
    isRecord(data) ? JSON.stringify([locale, status, ...Object.keys(data)]) : `${locale} ${status}`;
  const entryOf = (events: readonly [DocumentEvent, ...DocumentEvent[]]): LogEntry => {
    const [{ type, locale, status, ...event }] = events;
    const action = event.isRestored === true ? 'trash.restore' : event.action;
    const documentIds = events.map(({ documentId }) => documentId);
    return { action, type, documentIds, locale, status, attributes: writtenAttributes(model, events[0]) };
  };
  for (const action of WRITE_ACTIONS)
    hooks.observe(action, (events, tx) =>
      log.record(
        tx,
        [...groupBy(events, keyOf).values()].flatMap(([first, ...others]) =>
          first === undefined ? [] : [entryOf([first, ...others])],
        ),
      ),
    );
}
