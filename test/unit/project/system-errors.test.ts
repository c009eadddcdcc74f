import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSystemError, translateSystemError } from '../../../src/project/system-errors.js';
import { createError } from '../../../src/errors/catalogue.js';
import { toMigrationError } from '../../../src/migrations/apply/apply-migrations.js';
import type { MigrationTarget } from '../../../src/migrations/apply/migration-history.js';
import { createTempFolder } from '../../cli/support/temp-project.js';

const systemError = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: raw text, open '${path}'`), { code, path });

describe('an error of the file system', () => {
  const translate = (code: string, path: string, cwd: string) =>
    translateSystemError(systemError(code, path), cwd);

  it('names the file and who has to change what', () => {
    const root = createTempFolder();
    mkdirSync(join(root, 'src'));
    const file = join(root, 'src', 'schema.json');
    writeFileSync(file, '');
    chmodSync(file, 0o444);
    expect(translate('EACCES', `${file}.4711.new`, root)).toMatchObject({
      code: 'file/not-permitted',
      message: 'src/schema.json cannot be written: this user lacks the permission.',
      hint: 'Let this user write src, or run the command as its owner.',
    });
    expect(translate('EROFS', file, '/elsewhere')).toMatchObject({
      code: 'file/read-only',
      message: `${file} cannot be written: its disk is mounted read-only.`,
    });
    expect(translate('ENOSPC', file, root)).toMatchObject({ code: 'file/no-space' });
    expect(translate('EISDIR', join(root, 'src'), root)).toMatchObject({ message: 'src is a folder.' });
    const renamed = Object.assign(systemError('EISDIR', `${root}/src.part`), { dest: join(root, 'src') });
    expect(translateSystemError(renamed, root)).toMatchObject({ message: 'src is a folder.' });
    expect(translateSystemError(Object.assign(new Error('read'), { code: 'EISDIR' }), root)).toMatchObject({
      message: 'The path is a folder.',
    });
    expect(translate('ENOENT', 'roles.yaml', root)).toMatchObject({ message: 'roles.yaml does not exist.' });
  });

  it('names no file that does not exist, but the folder that it would be in', () => {
    const root = createTempFolder();
    const error = translate('EACCES', join(root, 'prisma', '.migration-0001', 'migration.sql'), '/elsewhere');
    expect(error).toMatchObject({
      message: `${root} cannot be written: this user lacks the permission.`,
      hint: `Let this user write ${root}, or run the command as its owner.`,
    });
  });

  it('is found in what it is the cause of', () => {
    const cause = systemError('EACCES', '/');
    const error = createError(
      'config/load-failed',
      { file: 'cms.config.ts', reason: cause.message },
      { cause },
    );
    expect(translateSystemError(error, '/x')).toMatchObject({ code: 'file/not-permitted' });
  });
});

describe('an error of the database', () => {
  const sqlite = (code: string): Error => Object.assign(new Error('raw'), { code });

  it.each([
    [sqlite('SQLITE_READONLY_DIRECTORY'), 'database/read-only'],
    [sqlite('SQLITE_CANTOPEN'), 'database/not-openable'],
    [sqlite('SQLITE_NOTADB'), 'database/damaged'],
    [sqlite('SQLITE_IOERR_WRITE'), 'database/failing'],
    [sqlite('SQLITE_BUSY'), 'database/locked'],
    [sqlite('SQLITE_FULL'), 'database/full'],
    [sqlite('42501'), 'database/not-permitted'],
    [
      new Error('outer', { cause: { kind: 'sqlite', originalCode: 'SQLITE_READONLY' } }),
      'database/read-only',
    ],
    [
      Object.assign(new Error('outer'), {
        meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '53100' } } },
      }),
      'database/full',
    ],
  ])('%s becomes %s', (error, code) => {
    expect(translateSystemError(error, '/')).toMatchObject({ code });
  });

  it('of Prisma Client says its reason without the call that it quotes', () => {
    const error = Object.assign(
      new Error('\nInvalid `prisma.user.findMany()` invocation:\n\n\nThe table `main.users` does not exist.'),
      { name: 'PrismaClientKnownRequestError' },
    );
    expect(translateSystemError(error, '/')).toMatchObject({
      code: 'database/refused',
      message: 'The database reported an error: The table `main.users` does not exist.',
    });
  });

  it('names the database of the project without its password', async () => {
    const root = createTempFolder();
    writeFileSync(join(root, 'cms.config.mjs'), 'export default {};');
    writeFileSync(join(root, '.env'), 'DATABASE_URL=postgresql://cms:hunter2@db/site\n');
    expect(await describeSystemError(sqlite('25006'), root)).toMatchObject({
      message: 'The database postgresql://cms:***@db/site cannot be written: it is read-only for this user.',
    });
  });

  it('leaves every other error alone', async () => {
    const errors = [new TypeError('x is not a function'), createError('cli/declined'), 'text', null];
    for (const error of errors) expect(await describeSystemError(error, '/')).toBe(error);
  });
});

describe('a migration that failed', () => {
  it('sends nobody to a file that was only a draft', () => {
    const folder = createTempFolder();
    const target = { folder } as MigrationTarget;
    const cause = new Error('near "x": syntax error');
    expect(toMigrationError(cause, 'add tags', target)).toMatchObject({
      code: 'migration/change-failed',
      message: expect.stringMatching(/: near "x": syntax error$/) as string,
    });
    mkdirSync(join(folder, '1_tags'));
    writeFileSync(join(folder, '1_tags', 'migration.sql'), '');
    const failed = toMigrationError(cause, '1_tags', target);
    expect(failed).toMatchObject({
      code: 'migration/failed',
      hint: `Correct ${join(folder, '1_tags', 'migration.sql')} and run: cms migrate deploy`,
    });
    expect(toMigrationError(failed, 'add tags', target)).toBe(failed);
    const discarded = createError(
      'migration/failed',
      { name: 'x', file: 'x', reason: 'x' },
      { cause, details: { file: join(folder, 'gone') } },
    );
    expect(toMigrationError(discarded, 'add tags', target)).toMatchObject({
      code: 'migration/change-failed',
    });
  });
});
