import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createModuleLoader } from '../../../src/config/module-loader.js';

const packageFiles = (
  name: string,
  text: string,
  manifest: object = {},
): Readonly<Record<string, string>> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js', ...manifest }),
  [`node_modules/${name}/index.js`]: text,
});

const PACKAGES = {
  ...packageFiles('plain', "module.exports = { default: 'inner', own: 1 };"),
  ...packageFiles(
    'callable',
    "module.exports = () => 'outer'; module.exports.default = () => 'inner'; module.exports.named = 2;",
  ),
  ...packageFiles('compiled', "exports.__esModule = true; exports.default = 'compiled'; exports.named = 3;"),
  ...packageFiles('modern', "export default 'modern'; export const named = 4;", { type: 'module' }),
};

const STATIC = `
  import plain, { own } from 'plain';
  import * as all from 'plain';
  import callable, { named as ofCallable } from 'callable';
  import compiled, { named as ofCompiled } from 'compiled';
  import modern, { named as ofModern } from 'modern';
  import local from './local';
  const members = [ofCallable, compiled, ofCompiled, modern, ofModern, local];
  export default [plain, own, Object.keys(all), callable(), ...members];
`;

const DYNAMIC = `
  const namedDefault = async (name) => (await import(name)).default;
  export default async () => {
    const callable = await namedDefault('callable');
    const { named } = await import('modern');
    const others = [await namedDefault('compiled'), await namedDefault('modern')];
    return [await namedDefault('plain'), callable(), ...others, named];
  };
`;

const STATIC_VALUES = [
  { default: 'inner', own: 1 },
  1,
  ['default', 'own'],
  'outer',
  2,
  'compiled',
  3,
  'modern',
  4,
  { default: 'inner' },
];
const DYNAMIC_VALUES = [{ default: 'inner', own: 1 }, 'outer', 'compiled', 'modern', 4];

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const createFolder = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'galley-modules-'));
  folders.push(root);
  const files = {
    ...PACKAGES,
    'package.json': '{}',
    'local.js': "module.exports = { default: 'inner' };",
    'static.ts': STATIC,
    'static.js': STATIC,
    'dynamic.ts': DYNAMIC.replace('(name)', '(name: string)'),
    'dynamic.js': DYNAMIC,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
};

describe.each(['ts', 'js'])('imports of a CommonJS project from %s', (extension) => {
  it('are what esModuleInterop makes of them, in any order of loading', async () => {
    const root = await createFolder();
    const { load } = createModuleLoader({ root });
    const dynamic = (await load(join(root, `dynamic.${extension}`))) as () => Promise<unknown>;
    expect(await dynamic()).toEqual(DYNAMIC_VALUES);
    expect(await load(join(root, `static.${extension}`))).toEqual(STATIC_VALUES);
    expect(await dynamic()).toEqual(DYNAMIC_VALUES);
  });
});
