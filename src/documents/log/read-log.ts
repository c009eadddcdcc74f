import { LOG_COLUMNS } from './write-log.js';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import type { BoundValue, JsonPairs } from '../../database/dialect/sql-expressions.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { Actor } from './actors.js';

/** One row of the log. */
export interface LoggedEntry extends Actor {
  readonly id: number;
  /** ISO text. */
  readonly at: string;
  readonly action: string;
  /** The uid of the type of a document. */
  readonly type: string | null;
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly status: string | null;
  readonly attributes: readonly string[] | null;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** Conditions that all listed rows meet. */
export interface LogFilter {
  readonly type?: string | undefined;
  readonly documentId?: string | undefined;
  /** The name or the id of a user or a token, the account of a shell, or a kind of actors. */
  readonly who?: string | undefined;
  readonly action?: string | undefined;
  readonly via?: string | undefined;
  /** Milliseconds since 1970; rows of this time and later. */
  readonly since?: number | undefined;
  /** Only rows with smaller ids: the next page. */
  readonly before?: number | undefined;
  /** Only rows with greater ids, the oldest first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const TEXTS = [...LOG_COLUMNS, 'document_id'] as const;

const parse = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);

const toEntry = (text: string): LoggedEntry => {
  const { id, at, who_id, document_id, attributes, details, ...row } = JSON.parse(text) as Record<
    string,
    unknown
  >;
  return {
    id,
    at: new Date(Number(at)).toISOString(),
    ...row,
    whoId: who_id,
    documentId: document_id,
    attributes: parse(attributes),
    details: parse(details),
  } as LoggedEntry;
};

/** Lists rows of the log, the latest first, or with `after` the oldest first. */
export async function listLog(
  { dialect: { expressions }, readTexts }: Pick<Database, 'dialect' | 'readTexts'>,
  { type, documentId, who, action, via, since, before, after, limit }: LogFilter,
): Promise<readonly LoggedEntry[]> {
  const { json } = expressions;
  const pairsOf = (kind: ColumnKind, names: readonly string[]): JsonPairs =>
    names.map((name) => [name, json.value(kind, sql.ref(name))]);
  const is = (column: string, value: string | undefined): readonly RawBuilder<unknown>[] =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${expressions.parameter('text', value)}`];
  const compared = (column: string, operator: string, value: number | undefined) =>
    value === undefined
      ? []
      : [sql`${sql.ref(column)} ${sql.raw(operator)} ${expressions.parameter('double', value)}`];
  const isWho = who === undefined ? [] : [...is('who', who), ...is('who_id', who), ...is('kind', who)];
  const conditions = [
    sql`1 = 1`,
    ...is('type', type),
    ...is('document_id', documentId),
    ...(isWho.length === 0 ? [] : [sql`(${sql.join(isWho, sql` or `)})`]),
    ...is('action', action),
    ...is('via', via),
    ...compared('at', '>=', since),
    ...compared('id', '<', before),
    ...compared('id', '>', after),
  ];
  const record = json.object([...pairsOf('integer', ['id', 'at']), ...pairsOf('text', TEXTS)]);
  const order = after === undefined ? sql`desc` : sql`asc`;
  const statement = sql`select ${json.text(record)} from cms_log
    where ${sql.join(conditions, sql` and `)} order by id ${order}
    limit ${sql.lit(limit)}`.compile(expressions.kysely);
  const texts = await readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
  return texts.flatMap((text) => (text === null ? [] : [toEntry(text)]));
}
