import { buildRecords } from '../../lib/build-records.js';
import type { ArgType, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';

type RawRow = Readonly<Record<string, unknown>>;

/** Runs statements on a driver adapter directly, in a transaction that Prisma Client began. */
export interface RawConnection {
  /** Returns the number of changed rows. */
  readonly execute: (sql: string, parameters: readonly unknown[]) => Promise<number>;
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<readonly RawRow[]>;
}

const scalar = (scalarType: ArgType['scalarType']): ArgType => Object.freeze({ scalarType, arity: 'scalar' });

/** Shared by all parameters. */
const ARG_TYPES = {
  string: scalar('string'),
  bigint: scalar('bigint'),
  boolean: scalar('boolean'),
  int: scalar('int'),
  float: scalar('float'),
  datetime: scalar('datetime'),
  unknown: scalar('unknown'),
};

const argTypeOf = (value: unknown): ArgType => {
  switch (typeof value) {
    case 'string':
      return ARG_TYPES.string;
    case 'bigint':
      return ARG_TYPES.bigint;
    case 'boolean':
      return ARG_TYPES.boolean;
    case 'number':
      return Number.isInteger(value) ? ARG_TYPES.int : ARG_TYPES.float;
    default:
      return value instanceof Date ? ARG_TYPES.datetime : ARG_TYPES.unknown;
  }
};

/** Prisma keeps the last hundred queries for its log. Those of bulks have thousands of values. */
const runQuery = async <Result>(
  sql: string,
  parameters: readonly unknown[],
  run: (query: SqlQuery) => Promise<Result>,
): Promise<Result> => {
  const query: SqlQuery = { sql, args: [...parameters], argTypes: parameters.map(argTypeOf) };
  try {
    return await run(query);
  } finally {
    query.args = [];
    query.argTypes = [];
  }
};

/** Wraps a connection of a driver adapter. The adapter converts parameters by their JavaScript type. */
export function createRawConnection(connection: SqlQueryable): RawConnection {
  return {
    execute: (sql, parameters) => runQuery(sql, parameters, (query) => connection.executeRaw(query)),
    query: async (sql, parameters) => {
      const { columnNames, rows } = await runQuery(sql, parameters, (query) => connection.queryRaw(query));
      return buildRecords(rows, columnNames, (row, index) => row[index]);
    },
  };
}
