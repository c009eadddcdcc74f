import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProjectRoot } from '../../../src/config/project-root.js';
import { loadConfig } from '../../../src/config/load-config.js';

let root = '';
const write = (name: string, text: string): void => writeFileSync(join(root, name), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'galley-config-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  delete process.env['GALLEY_TEST_NAME'];
});

describe('findProjectRoot', () => {
  it('walks up to the nearest cms.config.*', () => {
    const deep = join(root, 'src', 'api');
    mkdirSync(deep, { recursive: true });
    expect(findProjectRoot(deep)).toBeUndefined();
    write('cms.config.mjs', 'export default {}');
    expect(findProjectRoot(deep)).toBe(root);
    expect(findProjectRoot(root)).toBe(root);
  });
});

describe('loadConfig', () => {
  it('evaluates TypeScript that imports the toolkit by name, where nothing is installed', async () => {
    write(
      'cms.config.ts',
      [
        "import { defineConfig } from 'galley';",
        "import type { ConfigInput } from 'galley';",
        'const port: number = 4321;',
        'const config: ConfigInput = { server: { port } };',
        'export default defineConfig(config);',
      ].join('\n'),
    );
    expect(await loadConfig(root)).toMatchObject({
      root,
      file: join(root, 'cms.config.ts'),
      server: { port: 4321 },
    });
  });

  it.each([
    ['js', 'module.exports = { server: { port: 4001 } };'],
    ['mjs', 'export default { server: { port: 4001 } };'],
  ])('evaluates cms.config.%s', async (extension, text) => {
    write(`cms.config.${extension}`, text);
    expect((await loadConfig(root)).server.port).toBe(4001);
  });

  it.each(['ts', 'js', 'mjs'])('sees an edited cms.config.%s at the next load', async (extension) => {
    write(`cms.config.${extension}`, 'export default { server: { port: 4001 } };');
    await loadConfig(root);
    write(`cms.config.${extension}`, 'export default { server: { port: 4002 } };');
    expect((await loadConfig(root)).server.port).toBe(4002);
  });

  it('offers .env to the config file without overriding the real environment', async () => {
    process.env['GALLEY_TEST_NAME'] = 'real';
    write('.env', 'GALLEY_TEST_NAME=file\nGALLEY_TEST_OTHER=pa$word\nJWT_SECRET="from .env"\n');
    write(
      'cms.config.ts',
      [
        'const { GALLEY_TEST_NAME: name, GALLEY_TEST_OTHER: other } = process.env;',
        'export default { i18n: { defaultLocaleName: `${name} ${other}` } };',
      ].join('\n'),
    );
    const config = await loadConfig(root);
    expect(config.i18n.defaultLocaleName).toBe('real pa$word');
    expect(config.secrets.jwtSecret).toBe('from .env');
  });

  it('drops the values of an earlier .env', async () => {
    write('cms.config.ts', 'export default {};');
    write('.env', 'PORT=4100\nGALLEY_TEST_OTHER=1\n');
    expect((await loadConfig(root)).server.port).toBe(4100);
    write('.env', 'PORT=4200\n');
    expect((await loadConfig(root)).server.port).toBe(4200);
    rmSync(join(root, '.env'));
    expect((await loadConfig(root)).server.port).toBe(1337);
    expect(process.env['GALLEY_TEST_OTHER']).toBeUndefined();
  });

  it('says which file is broken and why', async () => {
    write('cms.config.ts', 'export default { server: ');
    await expect(loadConfig(root)).rejects.toMatchObject({
      code: 'config/load-failed',
      message: expect.stringContaining(
        'cms.config.ts:1 could not be loaded: ParseError: Unexpected token',
      ) as string,
    });
    write('cms.config.ts', 'export default 5;');
    await expect(loadConfig(root)).rejects.toMatchObject({
      code: 'config/load-failed',
      message: expect.stringContaining('not an object') as string,
    });
    write('cms.config.ts', 'import "not-installed-anywhere";\nexport default {};');
    await expect(loadConfig(root)).rejects.toMatchObject({
      code: 'config/load-failed',
      message: expect.stringContaining('not-installed-anywhere') as string,
    });
  });
});
