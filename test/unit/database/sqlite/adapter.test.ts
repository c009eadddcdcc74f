import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type { ArgType } from '@prisma/driver-adapter-utils';
import { describe, expect, it } from 'vitest';
import {
  columnTypesOf,
  toAdapterError,
  toBindable,
  toResults,
} from '../../../../src/database/sqlite/adapter.js';
import { SqliteError } from '../../../../src/database/sqlite/drivers/connection.js';

const bindable = (value: unknown, scalarType: ArgType['scalarType']): unknown =>
  toBindable(value, { scalarType, arity: 'scalar' });

describe('the values of the SQLite adapter', () => {
  it('are bound as SQLite stores them', () => {
    const time = '2026-01-31T09:30:00.000Z';
    expect(bindable(new Date(time), 'datetime')).toBe('2026-01-31T09:30:00.000+00:00');
    expect(bindable(time, 'datetime')).toBe('2026-01-31T09:30:00.000+00:00');
    expect(bindable('9007199254740993', 'bigint')).toBe(9_007_199_254_740_993n);
    expect([bindable('7', 'int'), bindable('1.5', 'float'), bindable('0.1', 'decimal')]).toEqual([
      7, 1.5, 0.1,
    ]);
    expect([bindable(true, 'boolean'), bindable(false, 'boolean')]).toEqual([1, 0]);
    expect(bindable('AQI=', 'bytes')).toEqual(Buffer.from([1, 2]));
    expect([bindable('7', 'string'), bindable(null, 'int'), toBindable('x', undefined)]).toEqual([
      '7',
      null,
      'x',
    ]);
  });

  it('are returned by the type of their column, declared or inferred', () => {
    const columns = [
      'integer',
      'BigInt',
      'double',
      'DateTime',
      'boolean',
      'TEXT',
      'JSONB',
      'unknown',
      null,
      null,
      null,
      null,
    ].map((declaredType, index) => ({ name: `c${index}`, declaredType }));
    const row = [
      5n,
      2n ** 60n,
      1.5,
      1_769_851_800_000n,
      1n,
      'a',
      '{}',
      'b',
      7n,
      2.5,
      new Uint8Array([1]),
      null,
    ];
    const rows = [row.map(() => null), row];
    const types = columnTypesOf(ColumnTypeEnum, columns, rows);
    const { Int32, Int64, Double, DateTime, Boolean, Text, Json, UnknownNumber, Bytes } = ColumnTypeEnum;
    expect(types).toEqual([
      Int32,
      Int64,
      Double,
      DateTime,
      Boolean,
      Text,
      Json,
      Text,
      Int64,
      UnknownNumber,
      Bytes,
      Int32,
    ]);
    expect(toResults(ColumnTypeEnum, rows, types)).toEqual([
      row.map(() => null),
      [
        5,
        String(2n ** 60n),
        1.5,
        '2026-01-31T09:30:00.000Z',
        1,
        'a',
        '{}',
        'b',
        7,
        2.5,
        new Uint8Array([1]),
        null,
      ],
    ]);
    expect(toResults(ColumnTypeEnum, [[1.9]], [Int32])).toEqual([[1]]);
  });
});

describe('the errors of the SQLite adapter', () => {
  const cases = [
    [
      'SQLITE_CONSTRAINT_UNIQUE',
      'UNIQUE constraint failed: tags.name, tags.locale',
      { kind: 'UniqueConstraintViolation', constraint: { fields: ['name', 'locale'] }, table: 'tags' },
    ],
    [
      'SQLITE_CONSTRAINT_NOTNULL',
      'NOT NULL constraint failed: tags.name',
      { kind: 'NullConstraintViolation', constraint: { fields: ['name'] } },
    ],
    [
      'SQLITE_CONSTRAINT_FOREIGNKEY',
      'FOREIGN KEY constraint failed',
      { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } },
    ],
    ['SQLITE_BUSY_SNAPSHOT', 'database is locked', { kind: 'SocketTimeout' }],
    ['SQLITE_ERROR', 'no such table: main.tags', { kind: 'TableDoesNotExist', table: 'main.tags' }],
    ['SQLITE_ERROR', 'no such column: size', { kind: 'ColumnNotFound', column: 'size' }],
    ['SQLITE_ERROR', 'table tags has no column named size', { kind: 'ColumnNotFound', column: 'size' }],
    ['SQLITE_FULL', 'database or disk is full', { kind: 'sqlite', extendedCode: 1 }],
  ] as const;

  it.each(cases)('describe %s: %s', (code, message, expected) => {
    expect(toAdapterError(new SqliteError(message, code))).toMatchObject({
      ...expected,
      originalCode: code,
      originalMessage: message,
    });
  });
});
