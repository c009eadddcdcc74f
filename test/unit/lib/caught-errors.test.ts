import { describe, expect, it } from 'vitest';
import {
  describeLoadFailure,
  errorCode,
  findSource,
  hasErrorCode,
  messageOf,
  withFilePath,
} from '../../../src/lib/caught-errors.js';

const errorAt = (...frames: readonly string[]): Error =>
  Object.assign(new Error('mine'), { stack: ['Error: mine', ...frames].join('\n') });

describe('the source of an error', () => {
  it.each([
    ['    at /site/src/index.ts:12:5', 'src/index.ts:12'],
    ['    at async /site/src/api/my page/route.ts:3:1', 'src/api/my page/route.ts:3'],
    ['    at Object.bootstrap (/site/src/index.ts:9:17)', 'src/index.ts:9'],
    [
      '    at async Promise.all (file:///site/prisma/migrations/1_a/migrate.ts:7:2)',
      'prisma/migrations/1_a/migrate.ts:7',
    ],
    ['/site/cms.config.ts:2:10', 'cms.config.ts:2'],
  ])('is read from %j', (frame, source) => {
    expect(findSource('/site', errorAt('    at node:internal/x:1:1', frame))).toBe(source);
  });

  it('is the innermost line of the project, not of packages or other folders', () => {
    const foreign = ['/site/node_modules/a/index.js', '/site/.galley/client/index.js', '/sitemap/a.ts'];
    const frames = foreign.map((path) => `    at f (${path}:1:1)`);
    expect(findSource('/site', errorAt(...frames))).toBeUndefined();
    const own = ['    at g (/site/src/b.ts:4:1)', '    at h (/site/src/a.ts:1:1)'];
    expect(findSource('/site', errorAt(...frames, ...own))).toBe('src/b.ts:4');
  });

  it('may be that of the cause, and is unknown of what is no error', () => {
    const outer = Object.assign(errorAt(), { cause: errorAt('    at /site/src/a.ts:1:1') });
    expect([findSource('/site', outer), findSource('/site', 'text')]).toEqual(['src/a.ts:1', undefined]);
  });
});

describe('a file that cannot be loaded', () => {
  it('is named with its line, or with the line of the file that it imports', () => {
    const own = errorAt('    at /site/src/index.ts:2:23');
    const imported = errorAt('    at /site/src/lib/x.ts:2:23', '    at /site/src/index.ts:1:1');
    expect(
      [own, imported, errorAt()].map((error) => describeLoadFailure('/site', '/site/src/index.ts', error)),
    ).toEqual([
      { file: 'src/index.ts:2', reason: 'mine' },
      { file: 'src/index.ts', reason: 'mine (src/lib/x.ts:2)' },
      { file: 'src/index.ts', reason: 'mine' },
    ]);
  });

  it('is explained in one line', () => {
    const error = Object.assign(new Error(), {
      message: 'ParseError: Unexpected token  \n /site/a.ts:2:10',
      stack: '',
    });
    expect(describeLoadFailure('/site', '/site/a.ts', error).reason).toBe('ParseError: Unexpected token');
    expect([messageOf(new Error('')), messageOf(null)]).toEqual(['Error', 'null']);
  });
});

describe('the code of an error', () => {
  it('is the text in `code`, or empty', () => {
    expect(errorCode(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
    expect(errorCode(Object.assign(new Error('a number'), { code: 5 }))).toBe('');
    expect([new Error('none'), null, undefined, 'ENOENT'].map(errorCode)).toEqual(['', '', '', '']);
  });

  it('is compared with any number of codes', () => {
    expect(hasErrorCode({ code: 'EEXIST' }, 'ENOTEMPTY', 'EEXIST')).toBe(true);
    expect(hasErrorCode({ code: 'ENOENT' }, 'ENOTEMPTY', 'EEXIST')).toBe(false);
    expect(hasErrorCode(new Error('none'), 'ENOENT')).toBe(false);
  });
});

describe('withFilePath', () => {
  it('says which open file could not be written', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    await expect(withFilePath('/rejected.csv', () => Promise.reject(full))).rejects.toBe(full);
    expect(full).toMatchObject({ code: 'ENOSPC', path: '/rejected.csv' });
  });

  it('leaves errors that name a file, and others, as they are', async () => {
    const missing = Object.assign(new Error('ENOENT'), { syscall: 'open', path: '/other' });
    await expect(withFilePath('/a', () => Promise.reject(missing))).rejects.toHaveProperty('path', '/other');
    const error = new Error('no');
    await expect(withFilePath('/a', () => Promise.reject(error))).rejects.toBe(error);
    expect(error).not.toHaveProperty('path');
  });
});
