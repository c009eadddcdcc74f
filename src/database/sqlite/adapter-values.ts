/** Converts values, types and errors between SQLite and the driver adapters of Prisma Client. */
import { Buffer } from 'node:buffer';
import type { ArgType, ColumnType, Error as AdapterError, ResultValue } from '@prisma/driver-adapter-utils';
import type { SqliteColumn, SqliteError } from './drivers/connection.js';

type ColumnTypes = typeof import('@prisma/driver-adapter-utils').ColumnTypeEnum;

/** The column types of Prisma, by the types in definitions of tables. */
const DECLARED: Readonly<Record<string, keyof ColumnTypes>> = {
  BIGINT: 'Int64',
  INT8: 'Int64',
  'UNSIGNED BIG INT': 'Int64',
  INTEGER: 'Int32',
  INT: 'Int32',
  INT2: 'Int32',
  MEDIUMINT: 'Int32',
  SMALLINT: 'Int32',
  TINYINT: 'Int32',
  SERIAL: 'Int32',
  DOUBLE: 'Double',
  'DOUBLE PRECISION': 'Double',
  NUMERIC: 'Double',
  REAL: 'Double',
  FLOAT: 'Float',
  DECIMAL: 'Numeric',
  BOOLEAN: 'Boolean',
  DATETIME: 'DateTime',
  TIMESTAMP: 'DateTime',
  DATE: 'Date',
  TIME: 'Time',
  JSONB: 'Json',
  BLOB: 'Bytes',
  TEXT: 'Text',
  CLOB: 'Text',
  CHARACTER: 'Text',
  NCHAR: 'Text',
  'NATIVE CHARACTER': 'Text',
  VARCHAR: 'Text',
  'VARYING CHARACTER': 'Text',
  NVARCHAR: 'Text',
};

/** Returns the type of a column without a known declared type, by a value. */
const typeNameOf = (value: unknown): keyof ColumnTypes => {
  switch (typeof value) {
    case 'string':
      return 'Text';
    case 'bigint':
      return 'Int64';
    case 'number':
      return 'UnknownNumber';
    default:
      return value instanceof Uint8Array ? 'Bytes' : 'Int32';
  }
};

/** Returns the types of the columns of rows, as Prisma Client needs them. */
export const columnTypesOf = (
  types: ColumnTypes,
  columns: readonly SqliteColumn[],
  rows: readonly (readonly unknown[])[],
): ColumnType[] =>
  columns.map(({ declaredType }, index) => {
    const declared = DECLARED[declaredType?.toUpperCase() ?? ''];
    const example = rows.find((row) => row[index] !== null)?.[index];
    return types[declared ?? typeNameOf(example)];
  });

/** Converts a value of a row. Integers are bigint. */
const toResult = (types: ColumnTypes, value: unknown, type: ColumnType | undefined): ResultValue => {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value as ResultValue;
  if (type === types.DateTime) return new Date(Number(value)).toISOString();
  if (typeof value === 'number')
    return type === types.Int32 || type === types.Int64 ? Math.trunc(value) : value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

export const toResults = (
  types: ColumnTypes,
  rows: readonly (readonly unknown[])[],
  columnTypes: readonly ColumnType[],
): ResultValue[][] =>
  rows.map((row) => row.map((value, index) => toResult(types, value, columnTypes[index])));

/** Converts a text that Prisma Client passes for a value of another type. */
const parseText = (text: string, type: ArgType['scalarType'] | undefined): unknown => {
  switch (type) {
    case 'int':
      return Number.parseInt(text, 10);
    case 'float':
    case 'decimal':
      return Number.parseFloat(text);
    case 'bigint':
      return BigInt(text);
    case 'datetime':
      return new Date(text);
    case 'bytes':
      return Buffer.from(text, 'base64');
    default:
      return text;
  }
};

/** Converts an argument of a statement to a value that SQLite can bind. */
export const toBindable = (value: unknown, type: ArgType | undefined): unknown => {
  const parsed = typeof value === 'string' ? parseText(value, type?.scalarType) : value;
  if (typeof parsed === 'boolean') return parsed ? 1 : 0;
  return parsed instanceof Date ? parsed.toISOString().replace('Z', '+00:00') : parsed;
};

/** Returns the part of a message behind the text. */
const partBehind = (message: string, text: string): string | undefined => message.split(text)[1];

/** Returns the columns in `UNIQUE constraint failed: tags.name, tags.locale`, with their table. */
const violatedColumns = (message: string): readonly string[] =>
  partBehind(message, 'constraint failed: ')?.split(', ') ?? [];

const lastName = (column: string): string => column.split('.').at(-1) ?? column;

const describe = ({ code, message }: SqliteError): AdapterError => {
  const columns = violatedColumns(message);
  const constraint = { fields: columns.map(lastName) };
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    const table = columns[0]?.split('.').slice(0, -1).join('.');
    return { kind: 'UniqueConstraintViolation', constraint, ...(table === undefined ? {} : { table }) };
  }
  if (code === 'SQLITE_CONSTRAINT_NOTNULL') return { kind: 'NullConstraintViolation', constraint };
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || code === 'SQLITE_CONSTRAINT_TRIGGER')
    return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } };
  if (code.startsWith('SQLITE_BUSY')) return { kind: 'SocketTimeout' };
  const table = partBehind(message, 'no such table: ');
  if (table !== undefined) return { kind: 'TableDoesNotExist', table };
  const column = partBehind(message, 'no such column: ') ?? partBehind(message, 'has no column named ');
  if (column !== undefined) return { kind: 'ColumnNotFound', column };
  // 1 is SQLite's code for an error without a specific code.
  return { kind: 'sqlite', extendedCode: 1, message };
};

/** Describes an error of a statement as Prisma Client expects it. */
export const toAdapterError = (error: SqliteError): AdapterError => ({
  ...describe(error),
  originalCode: error.code,
  originalMessage: error.message,
});
