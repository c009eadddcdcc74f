import type { ArgType, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';

type RawRow = Readonly<Record<string, unknown>>;

/** Runs statements on a driver adapter directly, in a transaction that Prisma Client began. */
export interface RawConnection {
  /** Returns the number of changed rows. */
  readonly execute: (sql: string, parameters: readonly unknown[]) => Promise<number>;
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<readonly RawRow[]>;
}

const scalarType = (value: unknown): ArgType['scalarType'] => {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'bigint':
      return 'bigint';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      return value instanceof Date ? 'datetime' : 'unknown';
  }
};

const toQuery = (sql: string, parameters: readonly unknown[]): SqlQuery => ({
  sql,
  args: [...parameters],
  argTypes: parameters.map((value) => ({ scalarType: scalarType(value), arity: 'scalar' })),
});

/** Wraps a connection of a driver adapter. The adapter converts parameters by their JavaScript type. */
export function createRawConnection(connection: SqlQueryable): RawConnection {
  return {
    execute: (sql, parameters) => connection.executeRaw(toQuery(sql, parameters)),
    query: async (sql, parameters) => {
      const { columnNames, rows } = await connection.queryRaw(toQuery(sql, parameters));
      return rows.map((row) => Object.fromEntries(columnNames.map((name, index) => [name, row[index]])));
    },
  };
}
