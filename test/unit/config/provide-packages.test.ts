import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createModuleLoader } from '../../../src/config/module-loader.js';
import { providePackages } from '../../../src/config/provide-packages.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'galley-packages-'));
});
afterAll(() => rm(root, { recursive: true }));

const load = async (name: string, source: string): Promise<() => unknown> => {
  const packages = { '@strapi/utils': { answer: 42 } };
  await writeFile(join(root, name), source);
  providePackages(root, packages);
  return (await createModuleLoader({ root, packages }).load(join(root, name))) as () => unknown;
};

it.each(['plain.js', 'plain.cjs'])(
  'gives packages to %s, which requires them when it is called',
  async (name) => {
    const ask = await load(name, "module.exports = () => require('@strapi/utils').answer;");
    expect(ask()).toBe(42);
  },
);

it('leaves other packages and other folders alone', async () => {
  const ask = await load('other.js', "module.exports = () => require('not-installed');");
  expect(ask).toThrow("Cannot find module 'not-installed'");
  const outside = await mkdtemp(join(tmpdir(), 'galley-outside-'));
  const file = join(outside, 'file.js');
  await writeFile(file, "module.exports = () => require('@strapi/utils');");
  const askOutside = (await createModuleLoader({ root: outside }).load(file)) as () => unknown;
  expect(askOutside).toThrow("Cannot find module '@strapi/utils'");
  await rm(outside, { recursive: true });
});
