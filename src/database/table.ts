import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { chunksOf } from '../lib/collections.js';
import { snakeCase } from '../lib/names.js';
import { withoutUndefined } from '../lib/records.js';
import type { ColumnKind, JsonValue } from '../lib/stored-value.js';
import type { SqlExpressions } from './dialect/sql-expressions.js';

type Row = Readonly<Record<string, unknown>>;

/** A column. `field` is its name in rows and in the generated client. */
interface TableColumn {
  readonly name: string;
  readonly field: string;
  readonly kind: ColumnKind;
}

/** A table whose rows are read and written without Prisma Client. */
export interface Table {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /**
   * True if the columns `createdAt` and `updatedAt`, where the table has them, are set to the time of the
   * write, unless it contains them.
   */
  readonly isStamped: boolean;
}

/** Returns a system table. Its columns are named after the fields: `key_hash` for `keyHash`. */
export function defineTable(name: string, kinds: Readonly<Record<string, ColumnKind>>): Table {
  const columns = Object.entries(kinds).map(([field, kind]) => ({ name: snakeCase(field), field, kind }));
  return { name, columns, isStamped: true };
}

/** Values that a column must have: one value, null, one of a list, or values on one side of a bound. */
type Condition =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | readonly number[]
  | { readonly below: Date }
  | { readonly above: number };

/** Conditions by field, all of which must be true. */
export type Conditions = Readonly<Record<string, Condition>>;

interface FindOptions {
  /** Default: all columns. */
  readonly fields?: readonly string[];
  /** Sorts by a field, ascending. */
  readonly orderBy?: string;
  readonly limit?: number;
}

/** Reads and writes the rows of a table in a transaction. */
export interface TableRows {
  readonly find: (where: Conditions, options?: FindOptions) => Promise<readonly Row[]>;
  readonly findFirst: (where: Conditions, options?: FindOptions) => Promise<Row | null>;
  readonly count: (where: Conditions) => Promise<number>;
  readonly insert: (rows: readonly Row[]) => Promise<void>;
  /** Inserts a row, or updates the one with the same key. */
  readonly upsert: (key: string, row: Row) => Promise<void>;
  /** Returns the number of updated rows. */
  readonly update: (where: Conditions, values: Row) => Promise<number>;
  /** Adds one to a field. Returns the number of updated rows. */
  readonly increment: (where: Conditions, field: string) => Promise<number>;
  /** Returns the number of deleted rows. */
  readonly delete: (where: Conditions) => Promise<number>;
}

/** Returns a value in the form that statements bind. JSON is bound as text, times as dates. */
export function bindStored(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'datetime' && typeof value === 'string') return new Date(value);
  return kind === 'json' ? JSON.stringify(value) : value;
}

/**
 * Parses a column's value in the form that drivers return. Times and JSON are text. Big integers can be text,
 * numbers or bigints. Booleans can be numbers.
 */
export function readStored(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'text':
      return value;
    case 'integer':
    case 'double':
      return Number(value);
    case 'bigint':
      return BigInt(value as bigint | number | string);
    case 'boolean':
      return value === true || value === 1;
    case 'datetime':
      return new Date(value as string);
    case 'json':
      return JSON.parse(value as string) as JsonValue;
    default:
      return kind satisfies never;
  }
}

const isList = (condition: Condition): condition is readonly string[] | readonly number[] =>
  Array.isArray(condition);

const compileCondition = (
  expressions: SqlExpressions,
  { name, kind }: TableColumn,
  condition: Condition,
): RawBuilder<unknown> => {
  const column = sql.id(name);
  if (condition === null) return sql`${column} is null`;
  if (isList(condition)) return expressions.inList(column, kind, expressions.encodeList(kind, condition));
  if (typeof condition !== 'object') return sql`${column} = ${condition}`;
  return 'below' in condition ? sql`${column} < ${condition.below}` : sql`${column} > ${condition.above}`;
};

/** Adds the times of a write to the values of a stamped table. */
const stamped = ({ columns, isStamped }: Table, fields: readonly string[], values: Row): Row => {
  if (!isStamped) return withoutUndefined(values);
  const now = new Date();
  const times = columns.flatMap(({ field }) => (fields.includes(field) ? [[field, now] as const] : []));
  return { ...Object.fromEntries(times), ...withoutUndefined(values) };
};

const compileRows = (expressions: SqlExpressions, table: Table) => {
  const columnOf = (field: string): TableColumn => {
    const column = table.columns.find((candidate) => candidate.field === field);
    if (column === undefined) throw new TypeError(`The table ${table.name} has no column for ${field}`);
    return column;
  };
  const conditions = (where: Conditions): RawBuilder<unknown> =>
    sql.join(
      [
        sql`1 = 1`,
        ...Object.entries(where).map(([field, condition]) =>
          compileCondition(expressions, columnOf(field), condition),
        ),
      ],
      sql` and `,
    );
  const assignments = (values: Row): RawBuilder<unknown> =>
    sql.join(
      Object.entries(values).map(([field, value]) => {
        const { name, kind } = columnOf(field);
        return sql`${sql.id(name)} = ${bindStored(kind, value)}`;
      }),
    );
  const insert = (rows: readonly Row[]): RawBuilder<unknown> => {
    const columns = table.columns.filter(({ field }) => rows.some((row) => row[field] !== undefined));
    const values = rows.map(
      (row) => sql`(${sql.join(columns.map(({ field, kind }) => bindStored(kind, row[field])))})`,
    );
    return sql`insert into ${sql.id(table.name)} (${sql.join(columns.map(({ name }) => sql.id(name)))})
      values ${sql.join(values)}`;
  };
  return { columnOf, conditions, assignments, insert };
};

/** The raw statements of a transaction. */
interface RawStatements {
  readonly execute: (statement: string, parameters: readonly unknown[]) => Promise<number>;
  readonly query: (statement: string, parameters: readonly unknown[]) => Promise<readonly Row[]>;
}

/** Opens the rows of a table on the statements of a transaction. */
export function openRows(
  expressions: SqlExpressions,
  { execute, query }: RawStatements,
  table: Table,
): TableRows {
  const name = sql.id(table.name);
  const { columnOf, conditions, assignments, insert } = compileRows(expressions, table);
  const run = (statement: RawBuilder<unknown>): Promise<number> => {
    const compiled = statement.compile(expressions.kysely);
    return execute(compiled.sql, compiled.parameters);
  };
  const select = (statement: RawBuilder<unknown>): Promise<readonly Row[]> => {
    const compiled = statement.compile(expressions.kysely);
    return query(compiled.sql, compiled.parameters);
  };
  const find: TableRows['find'] = async (where, { fields, orderBy, limit } = {}) => {
    const columns = fields?.map(columnOf) ?? table.columns;
    const names = sql.join(columns.map((column) => sql.id(column.name)));
    const order = orderBy === undefined ? sql`` : sql` order by ${sql.id(columnOf(orderBy).name)}`;
    const slice = limit === undefined ? sql`` : sql` limit ${limit}`;
    const rows = await select(sql`select ${names} from ${name} where ${conditions(where)}${order}${slice}`);
    return rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column.field, readStored(column.kind, row[column.name])])),
    );
  };
  return {
    find,
    findFirst: async (where, options) => (await find(where, { ...options, limit: 1 }))[0] ?? null,
    count: async (where) => {
      const [row] = await select(sql`select count(*) as rows from ${name} where ${conditions(where)}`);
      return Number(row?.['rows']);
    },
    insert: async (rows) => {
      const complete = rows.map((row) => stamped(table, ['createdAt', 'updatedAt'], row));
      const size = Math.floor(expressions.maxParameters / table.columns.length);
      for (const chunk of chunksOf(complete, size)) await run(insert(chunk));
    },
    upsert: async (key, row) => {
      const changes = stamped(table, ['updatedAt'], row);
      const complete = stamped(table, ['createdAt'], changes);
      await run(
        sql`${insert([complete])} on conflict (${sql.id(columnOf(key).name)})
          do update set ${assignments(changes)}`,
      );
    },
    update: (where, values) =>
      run(
        sql`update ${name} set ${assignments(stamped(table, ['updatedAt'], values))}
          where ${conditions(where)}`,
      ),
    increment: (where, field) => {
      const column = sql.id(columnOf(field).name);
      return run(sql`update ${name} set ${column} = ${column} + 1 where ${conditions(where)}`);
    },
    delete: (where) => run(sql`delete from ${name} where ${conditions(where)}`),
  };
}
