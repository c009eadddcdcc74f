import { describe, expect, it } from 'vitest';
import { errorCode, hasErrorCode } from '../../../src/lib/error-code.js';

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
