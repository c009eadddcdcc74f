import { describe, expect, it } from 'vitest';
import { DatabaseError, toUnavailableError } from '../../../src/database/database-error.js';

const fileError = (code: string): Error => Object.assign(new Error(`${code}: x`), { code, syscall: 'write' });

const CASES: readonly (readonly [string, unknown, string | null])[] = [
  ['a full disk', fileError('ENOSPC'), 'server/disk-full'],
  ['a quota', fileError('EDQUOT'), 'server/disk-full'],
  ['a read-only disk', fileError('EROFS'), 'server/read-only'],
  ['a lacking permission', fileError('EACCES'), 'server/read-only'],
  ['a disk that fails', fileError('EIO'), 'server/disk-failing'],
  ['too many open files', fileError('EMFILE'), 'server/unavailable'],
  ['a missing file', fileError('ENOENT'), null],
  ['a database out of reach', new DatabaseError({ kind: 'unreachable' }, null), 'server/no-database'],
  ['a conflict', new DatabaseError({ kind: 'retry' }, null), 'server/unavailable'],
  ['a full database', new DatabaseError({ kind: 'disk', fault: 'full' }, null), 'server/disk-full'],
  ['a missing target', new DatabaseError({ kind: 'foreign-key' }, null), null],
  ['the cause of another error', new Error('x', { cause: fileError('ENOSPC') }), 'server/disk-full'],
  // An error of project code with such a code is none of the file system.
  ['a code alone', Object.assign(new Error('x'), { code: 'EACCES' }), null],
  ['no error', 'ENOSPC', null],
];

describe('what a database or a disk reports', () => {
  it.each(CASES)('is translated: %s', (_name, error, code) => {
    const found = toUnavailableError(error);
    expect([found?.code ?? null, found?.kind ?? 'unavailable']).toEqual([code, 'unavailable']);
  });
});
