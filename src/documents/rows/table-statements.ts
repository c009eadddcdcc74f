import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Dialect } from '../../dialects/dialect.js';
import { createLruCache } from '../../lib/lru-cache.js';
import type { Column } from '../../model/model.js';
import { bindStored } from './stored-form.js';

/** A statement with the values it is bound to, for a transaction's raw connection. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Values of a row, by its columns' field names. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** The writing statements of one table, each compiled once; none is executed here. */
export interface TableStatements {
  /** How many rows one insertion takes, by the number of their values. */
  readonly maxRows: number;
  /** One statement for all rows; what a row does not mention is null. `returning` names the columns of the answer. */
  readonly insert: (rows: readonly FieldValues[], returning?: readonly string[]) => Statement;
  /** Gives the same values to the rows of those ids. */
  readonly update: (ids: readonly number[], values: FieldValues) => Statement;
  readonly delete: (ids: readonly number[]) => Statement;
}

/** Texts kept per table: an update's depends on which columns it sets, an insert's on how many rows it has. */
const TEXTS = 100;

const byIds = (dialect: Dialect): RawBuilder<unknown> => dialect.among(sql`id`, 'integer', null);

const insertText = (dialect: Dialect, table: string, columns: readonly Column[], rows: number, returning: readonly string[]): string => {
  const row = sql`(${sql.join(columns.map(() => sql.val(null)))})`;
  const answer = returning.length === 0 ? sql`` : sql` returning ${sql.join(returning.map((name) => sql.id(name)))}`;
  const names = sql.join(columns.map(({ name }) => sql.id(name)));
  return sql`insert into ${sql.id(table)} (${names}) values ${sql.join(Array.from({ length: rows }, () => row))}${answer}`.compile(dialect.kysely).sql;
};

const updateText = (dialect: Dialect, table: string, columns: readonly Column[]): string => {
  const settings = sql.join(columns.map(({ name }) => sql`${sql.id(name)} = ${sql.val(null)}`));
  return sql`update ${sql.id(table)} set ${settings} where ${byIds(dialect)}`.compile(dialect.kysely).sql;
};

/** The statements of a table with a numeric `id`, whose given columns are written. */
export function compileTable(dialect: Dialect, table: string, columns: readonly Column[]): TableStatements {
  const texts = createLruCache<string, string>(TEXTS);
  const textOf = (key: string, compile: () => string): string => {
    const known = texts.get(key) ?? compile();
    texts.set(key, known);
    return known;
  };
  const bindIds = (ids: readonly number[]): unknown => dialect.encodeList('integer', ids);
  return {
    maxRows: Math.floor(dialect.maxParameters / columns.length),
    insert: (rows, returning = []) => ({
      sql: textOf(`insert ${rows.length} ${returning.join()}`, () => insertText(dialect, table, columns, rows.length, returning)),
      parameters: rows.flatMap((row) => columns.map(({ field, kind }) => bindStored(kind, row[field]))),
    }),
    update: (ids, values) => {
      const set = columns.filter(({ field }) => Object.hasOwn(values, field));
      return {
        sql: textOf(`update ${set.map(({ name }) => name).join()}`, () => updateText(dialect, table, set)),
        parameters: [...set.map(({ field, kind }) => bindStored(kind, values[field])), bindIds(ids)],
      };
    },
    delete: (ids) => ({
      sql: textOf('delete', () => sql`delete from ${sql.id(table)} where ${byIds(dialect)}`.compile(dialect.kysely).sql),
      parameters: [bindIds(ids)],
    }),
  };
}
