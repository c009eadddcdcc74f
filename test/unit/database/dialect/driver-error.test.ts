import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../src/database/get-dialect.js';
import type { DialectName } from '../../../../src/database/dialect/dialect.js';
import type { DriverErrorInfo } from '../../../../src/database/dialect/driver-error.js';
import { createError } from '../../../../src/errors/catalogue.js';

const withCode = (code: string, more: Readonly<Record<string, unknown>> = {}): Error =>
  Object.assign(new Error(code), { code, ...more });

/** The error as the adapter throws it, and as Prisma Client wraps it. */
const adapterErrors = (cause: Readonly<Record<string, unknown>>): readonly Error[] => {
  const adapter = Object.assign(new Error('adapter'), { cause });
  return [adapter, withCode('P2010', { meta: { driverAdapterError: adapter } })];
};

const UNIQUE_FIELDS = adapterErrors({
  kind: 'UniqueConstraintViolation',
  constraint: { fields: ['name', 'locale'] },
});
const UNIQUE_INDEX = adapterErrors({
  kind: 'UniqueConstraintViolation',
  constraint: { index: 'tags_name_key' },
});

const CASES: readonly (readonly [DialectName, string, readonly unknown[], DriverErrorInfo | null])[] = [
  [
    'sqlite',
    'a taken value',
    UNIQUE_FIELDS,
    { kind: 'unique', columns: ['name', 'locale'], constraint: null },
  ],
  [
    'sqlite',
    'a missing target',
    adapterErrors({ kind: 'ForeignKeyConstraintViolation', constraint: {} }),
    { kind: 'foreign-key' },
  ],
  [
    'sqlite',
    'another writer',
    [
      ...adapterErrors({ kind: 'SocketTimeout' }),
      withCode('SQLITE_BUSY'),
      withCode('SQLITE_BUSY_SNAPSHOT'),
      withCode('P2034'),
    ],
    { kind: 'retry' },
  ],
  [
    'sqlite',
    'a file out of reach',
    [withCode('SQLITE_CANTOPEN'), withCode('P2028')],
    { kind: 'unreachable' },
  ],
  [
    'sqlite',
    'a full disk',
    [...adapterErrors({ kind: 'sqlite', originalCode: 'SQLITE_FULL' }), withCode('SQLITE_FULL')],
    { kind: 'disk', fault: 'full' },
  ],
  [
    'sqlite',
    'a disk that can only be read',
    [withCode('SQLITE_READONLY'), withCode('SQLITE_READONLY_DBMOVED'), withCode('SQLITE_PERM')],
    { kind: 'disk', fault: 'read-only' },
  ],
  [
    'sqlite',
    'a disk that fails',
    [withCode('SQLITE_IOERR_WRITE'), withCode('SQLITE_IOERR_SHMSIZE')],
    { kind: 'disk', fault: 'failing' },
  ],
  [
    'sqlite',
    'something else',
    [
      ...adapterErrors({ kind: 'TableDoesNotExist', table: 'x' }),
      withCode('SQLITE_ERROR'),
      new Error('plain'),
      'text',
      null,
      undefined,
    ],
    null,
  ],
  ['postgresql', 'a taken value', UNIQUE_INDEX, { kind: 'unique', columns: [], constraint: 'tags_name_key' }],
  [
    'postgresql',
    'a missing target',
    [
      ...adapterErrors({ kind: 'ForeignKeyConstraintViolation', constraint: { index: 'x' } }),
      withCode('23503'),
    ],
    { kind: 'foreign-key' },
  ],
  [
    'postgresql',
    'another writer',
    [
      ...adapterErrors({ kind: 'TransactionWriteConflict' }),
      ...adapterErrors({ kind: 'postgres', code: '55P03' }),
      withCode('40P01'),
      withCode('40001'),
      withCode('P2034'),
    ],
    { kind: 'retry' },
  ],
  [
    'postgresql',
    'a server out of reach',
    [
      ...adapterErrors({ kind: 'DatabaseNotReachable' }),
      ...adapterErrors({ kind: 'SocketTimeout' }),
      ...adapterErrors({ kind: 'postgres', code: '57P01' }),
      withCode('ECONNREFUSED'),
      new Error('timeout exceeded when trying to connect'),
      withCode('P2024'),
    ],
    { kind: 'unreachable' },
  ],
  ['postgresql', 'a full disk', [withCode('53100')], { kind: 'disk', fault: 'full' }],
  ['postgresql', 'a standby', [withCode('25006')], { kind: 'disk', fault: 'read-only' }],
  ['postgresql', 'a disk that fails', [withCode('58030')], { kind: 'disk', fault: 'failing' }],
  [
    'postgresql',
    'something else',
    [
      ...adapterErrors({ kind: 'postgres', code: '42601' }),
      withCode('42P01'),
      new Error('plain'),
      'text',
      null,
      undefined,
    ],
    null,
  ],
];

describe('the classification of driver errors', () => {
  it.each(CASES)('%s: %s', (name, _what, errors, expected) => {
    for (const error of errors) expect(getDialect(name).errors.classify(error)).toEqual(expected);
  });

  it.each(['sqlite', 'postgresql'] as const)('does not classify errors of the catalogue on %s', (name) => {
    expect(
      getDialect(name).errors.classify(createError('request/not-found', {}, { cause: withCode('23503') })),
    ).toBeNull();
  });
});
