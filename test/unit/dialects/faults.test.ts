import { describe, expect, it } from 'vitest';
import { dialectNamed } from '../../../src/dialects/dialect-named.js';
import type { DialectName, DriverFault } from '../../../src/dialects/dialect.js';
import { fail } from '../../../src/errors/catalogue.js';

const coded = (code: string, more: Readonly<Record<string, unknown>> = {}): Error => Object.assign(new Error(code), { code, ...more });

/** As the adapter throws it, and as Prisma Client wraps it. */
const thrown = (cause: Readonly<Record<string, unknown>>): readonly Error[] => {
  const adapter = Object.assign(new Error('adapter'), { cause });
  return [adapter, coded('P2010', { meta: { driverAdapterError: adapter } })];
};

const UNIQUE_FIELDS = thrown({ kind: 'UniqueConstraintViolation', constraint: { fields: ['name', 'locale'] } });
const UNIQUE_INDEX = thrown({ kind: 'UniqueConstraintViolation', constraint: { index: 'tags_name_key' } });

const CASES: readonly (readonly [DialectName, string, readonly unknown[], DriverFault | null])[] = [
  ['sqlite', 'a taken value', UNIQUE_FIELDS, { kind: 'unique', columns: ['name', 'locale'], constraint: null }],
  ['sqlite', 'a missing target', thrown({ kind: 'ForeignKeyConstraintViolation', constraint: {} }), { kind: 'foreign-key' }],
  ['sqlite', 'another writer', [...thrown({ kind: 'SocketTimeout' }), coded('SQLITE_BUSY'), coded('SQLITE_BUSY_SNAPSHOT'), coded('P2034')], { kind: 'retry' }],
  ['sqlite', 'a file out of reach', [coded('SQLITE_CANTOPEN'), new TypeError('Cannot open database because the directory does not exist'), coded('P2028')], { kind: 'unreachable' }],
  ['sqlite', 'something else', [...thrown({ kind: 'TableDoesNotExist', table: 'x' }), coded('SQLITE_ERROR'), new Error('plain'), 'text', null, undefined], null],
  ['postgresql', 'a taken value', UNIQUE_INDEX, { kind: 'unique', columns: [], constraint: 'tags_name_key' }],
  ['postgresql', 'a missing target', [...thrown({ kind: 'ForeignKeyConstraintViolation', constraint: { index: 'x' } }), coded('23503')], { kind: 'foreign-key' }],
  ['postgresql', 'another writer', [...thrown({ kind: 'TransactionWriteConflict' }), ...thrown({ kind: 'postgres', code: '55P03' }), coded('40P01'), coded('40001'), coded('P2034')], { kind: 'retry' }],
  ['postgresql', 'a server out of reach', [...thrown({ kind: 'DatabaseNotReachable' }), ...thrown({ kind: 'SocketTimeout' }), ...thrown({ kind: 'postgres', code: '57P01' }), coded('ECONNREFUSED'), new Error('timeout exceeded when trying to connect'), coded('P2024')], { kind: 'unreachable' }],
  ['postgresql', 'something else', [...thrown({ kind: 'postgres', code: '42601' }), coded('42P01'), new Error('plain'), 'text', null, undefined], null],
];

describe('faults of drivers', () => {
  it.each(CASES)('%s: %s', (name, _what, errors, fault) => {
    for (const error of errors) expect(dialectNamed(name).readFault(error)).toEqual(fault);
  });

  it.each(['sqlite', 'postgresql'] as const)('%s: the toolkit’s own errors are none', (name) => {
    expect(dialectNamed(name).readFault(fail('request/not-found', {}, { cause: coded('23503') }))).toBeNull();
  });
});
