import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { bindStored } from '../../database/table.js';
import type { Column } from '../../model/model.js';

/** A statement and the values of its parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The values of a row by the field names of its columns. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** The write statements of one table. Each text is compiled once. */
export interface TableStatements {
  /** Maximum number of rows of one insertion, given the limit of bound parameters. */
  readonly maxRows: number;
  /** Inserts all rows. Missing values are null. `returning` names the columns to return. */
  readonly insert: (rows: readonly FieldValues[], returning?: readonly string[]) => Statement;
  /** Sets the same values in all rows with those ids. */
  readonly update: (ids: readonly number[], values: FieldValues) => Statement;
  /** Sets separate values in each row. All rows set the same columns. */
  readonly updateEach: (rows: readonly RowUpdate[]) => Statement;
  readonly delete: (ids: readonly number[]) => Statement;
}

/** New values of a row. */
export interface RowUpdate {
  readonly id: number;
  readonly values: FieldValues;
}

/** Statements cached per table. Updates differ in the columns they set, inserts in their number of rows. */
const STATEMENT_CACHE_SIZE = 100;

const byIds = (expressions: SqlExpressions): RawBuilder<unknown> =>
  expressions.inList(sql`id`, 'integer', null);

const insertSql = (
  expressions: SqlExpressions,
  table: string,
  columns: readonly Column[],
  rowCount: number,
  returning: readonly string[],
): string => {
  const row = sql`(${sql.join(columns.map(() => sql.val(null)))})`;
  const returningClause =
    returning.length === 0 ? sql`` : sql` returning ${sql.join(returning.map((name) => sql.id(name)))}`;
  const names = sql.join(columns.map(({ name }) => sql.id(name)));
  const values = sql.join(Array.from({ length: rowCount }, () => row));
  const statement = sql`insert into ${sql.id(table)} (${names}) values ${values}${returningClause}`;
  return statement.compile(expressions.kysely).sql;
};

const updateSql = (expressions: SqlExpressions, table: string, columns: readonly Column[]): string => {
  const assignments = sql.join(columns.map(({ name }) => sql`${sql.id(name)} = ${sql.val(null)}`));
  return sql`update ${sql.id(table)} set ${assignments} where ${byIds(expressions)}`.compile(
    expressions.kysely,
  ).sql;
};

const updateEachSql = (
  expressions: SqlExpressions,
  table: string,
  columns: readonly Column[],
  rowCount: number,
): string => {
  const names = sql.join([sql`id`, ...columns.map(({ name }) => sql.id(name))]);
  const kinds = ['integer' as const, ...columns.map(({ kind }) => kind)];
  const row = sql`(${sql.join(kinds.map((kind) => expressions.parameter(kind, null)))})`;
  const rows = sql.join(Array.from({ length: rowCount }, () => row));
  const assignments = sql.join(
    columns.map(({ name, kind }) => {
      const value = sql.id('changed', name);
      return sql`${sql.id(name)} = ${kind === 'json' ? expressions.json.stored(value) : value}`;
    }),
  );
  return sql`with changed (${names}) as (values ${rows}) update ${sql.id(table)}
    set ${assignments} from changed where ${sql.id(table, 'id')} = changed.id`.compile(expressions.kysely)
    .sql;
};

/** Compiles the statements of a table with a numeric `id`. */
export function compileTable(
  expressions: SqlExpressions,
  table: string,
  columns: readonly Column[],
): TableStatements {
  const cache = new LRUCache<string, string>({ max: STATEMENT_CACHE_SIZE });
  const cachedSql = (key: string, compile: () => string): string => {
    const statement = cache.get(key) ?? compile();
    cache.set(key, statement);
    return statement;
  };
  const bindIds = (ids: readonly number[]): unknown => expressions.encodeList('integer', ids);
  return {
    maxRows: Math.floor(expressions.maxParameters / columns.length),
    insert: (rows, returning = []) => ({
      sql: cachedSql(`insert ${rows.length} ${returning.join()}`, () =>
        insertSql(expressions, table, columns, rows.length, returning),
      ),
      parameters: rows.flatMap((row) => columns.map(({ field, kind }) => bindStored(kind, row[field]))),
    }),
    update: (ids, values) => {
      const changedColumns = columns.filter(({ field }) => Object.hasOwn(values, field));
      return {
        sql: cachedSql(`update ${changedColumns.map(({ name }) => name).join()}`, () =>
          updateSql(expressions, table, changedColumns),
        ),
        parameters: [
          ...changedColumns.map(({ field, kind }) => bindStored(kind, values[field])),
          bindIds(ids),
        ],
      };
    },
    updateEach: (rows) => {
      const changedColumns = columns.filter(({ field }) => Object.hasOwn(rows[0]?.values ?? {}, field));
      return {
        sql: cachedSql(`update ${rows.length} ${changedColumns.map(({ name }) => name).join()}`, () =>
          updateEachSql(expressions, table, changedColumns, rows.length),
        ),
        parameters: rows.flatMap(({ id, values }) => [
          id,
          ...changedColumns.map(({ field, kind }) => bindStored(kind, values[field])),
        ]),
      };
    },
    delete: (ids) => ({
      sql: cachedSql(
        'delete',
        () => sql`delete from ${sql.id(table)} where ${byIds(expressions)}`.compile(expressions.kysely).sql,
      ),
      parameters: [bindIds(ids)],
    }),
  };
}
