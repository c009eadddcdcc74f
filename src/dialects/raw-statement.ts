import type { ArgType, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';

export type RawRow = Readonly<Record<string, unknown>>;

/** Statements straight to the driver adapter, round Prisma Client, in the transaction it began. */
export interface RawConnection {
  /** Answers how many rows changed. */
  readonly execute: (sql: string, parameters: readonly unknown[]) => Promise<number>;
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<readonly RawRow[]>;
}

const scalarType = (value: unknown): ArgType['scalarType'] => {
  switch (typeof value) {
    case 'string': return 'string';
    case 'bigint': return 'bigint';
    case 'boolean': return 'boolean';
    case 'number': return Number.isInteger(value) ? 'int' : 'float';
    default: return value instanceof Date ? 'datetime' : 'unknown';
  }
};

const toQuery = (sql: string, parameters: readonly unknown[]): SqlQuery => ({
  sql,
  args: [...parameters],
  argTypes: parameters.map((value) => ({ scalarType: scalarType(value), arity: 'scalar' })),
});

export function createRawConnection(connection: SqlQueryable): RawConnection {
  return {
    execute: (sql, parameters) => connection.executeRaw(toQuery(sql, parameters)),
    query: async (sql, parameters) => {
      const { columnNames, rows } = await connection.queryRaw(toQuery(sql, parameters));
      return rows.map((row) => Object.fromEntries(columnNames.map((name, index) => [name, row[index]])));
    },
  };
}
