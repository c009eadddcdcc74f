import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createModuleLoader } from '../../../../src/config/module-loader.js';
import { openProviderPackage } from '../../../../src/strapi/plugins/provider-package.js';
import type { ProviderFunctions } from '../../../../src/strapi/plugins/provider-package.js';

const SOURCE =
  'export default { init: (options: object) => ({ upload: () => options, delete: () => null }) };';

describe('the package of a provider', () => {
  let root = '';
  const warn = vi.fn();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const open = (name: string, kind: 'email' | 'upload' = 'upload'): Promise<ProviderFunctions | null> => {
    const { load } = createModuleLoader({ root });
    return openProviderPackage({ root, load, log: { warn } as never }, { kind, name, parameters: [{}] });
  };
  beforeEach(async () => {
    warn.mockClear();
    root = await mkdtemp(join(tmpdir(), 'provider-'));
    await write('package.json', '{}');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it.each([
    ['src/providers/bucket.ts', './src/providers/bucket'],
    ['src/providers/bucket.ts', './dist/src/providers/bucket.js'],
    ['src/providers/bucket/index.ts', '/dist/src/providers/bucket'],
    ['src/providers/bucket/index.ts', '/src/providers/bucket'],
    ['src/providers/bucket/index.ts', './src/providers/bucket/index.js'],
  ])('is %s where the configuration names %s', async (file, name) => {
    await write(file, SOURCE);
    await write('dist/src/providers/bucket.js', 'throw new Error("compiled code runs");');
    const opened = await open(name.startsWith('/') ? `${root}${name}` : name);
    expect(Object.keys(opened ?? {})).toEqual(['upload', 'delete']);
  });

  it('is reported as missing where a path leads nowhere', async () => {
    expect(await open('./src/providers/bucket')).toBeNull();
    expect(warn).toHaveBeenCalledWith(
      'The upload provider ./src/providers/bucket is not installed: there is no such file',
    );
  });

  it.each([
    ['module.exports = { init: () => { throw new Error("Invalid region"); } };', /\.js:1 Invalid region$/],
    ['module.exports = { init: async () => { throw new Error("No key"); } };', /No key$/],
    ['module.exports = {};', /no function init/],
    ['module.exports = { init: () => null };', /returns no functions/],
    ['require("not-there");', /not-there/],
  ])('names itself and the remedy where it fails: %s', async (text, reason) => {
    await write('node_modules/@strapi/provider-upload-bucket/package.json', '{ "main": "index.js" }');
    await write('node_modules/@strapi/provider-upload-bucket/index.js', text);
    const opening = open('bucket');
    await expect(opening).rejects.toMatchObject({
      code: 'strapi/provider-failed',
      message: expect.stringContaining('The upload provider bucket cannot be opened. ') as string,
      hint: expect.stringContaining('Correct providerOptions of upload in config/plugins') as string,
    });
    await expect(opening).rejects.toThrow(reason);
  });

  it('says what sends messages instead', async () => {
    await write('node_modules/mailer/index.js', 'exports.init = () => { throw new Error("No host"); };');
    await expect(open('mailer', 'email')).rejects.toMatchObject({
      hint: expect.stringContaining('Galley then sends messages itself') as string,
    });
  });
});
