import { describe, expect, it } from 'vitest';
import { withFilePath } from '../../../src/lib/with-file-path.js';

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
