import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkStrapiProject } from '../../../../src/project/scaffold/strapi-project.js';
import { loadProjectDefinitions } from '../../../../src/project/open/load-project-definitions.js';
import { createModuleLoader } from '../../../../src/config/module-loader.js';
import type { Definitions } from '../../../../src/model/content-types/definition.js';
import { buildModel } from '../../../../src/model/build-model.js';
import { listPlugins } from '../../../../src/strapi/plugins/find-plugins.js';
import { watchAttributes } from '../../../../src/strapi/open-strapi.js';

const typeText = (name: string, attributes: string): string => `{
  kind: 'collectionType',
  info: { singularName: '${name}', pluralName: '${name}s', displayName: '${name}' },
  attributes: ${attributes},
}`;

const plugin = (types: string): string => `module.exports = { contentTypes: { ${types} } };`;

const SHOP = { shop: { enabled: true, resolve: './src/plugins/shop' } };
const SERVER = 'src/plugins/shop/strapi-server.js';

describe('content-types in the code of plugins', () => {
  let root = '';
  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
  };
  const load = (plugins: Readonly<Record<string, unknown>> = SHOP): Promise<Definitions> =>
    loadProjectDefinitions(root, { values: { plugins } });
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plugin-code-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('are changed by schema files and extensions of the project, in this order', async () => {
    const item = typeText('item', "{ name: { type: 'string' }, price: { type: 'decimal' } }");
    await write({
      [SERVER]: plugin(`item: { schema: ${item} }`),
      'src/extensions/shop/content-types/item/schema.json': JSON.stringify({
        options: { draftAndPublish: true },
        attributes: { name: { type: 'text' }, stock: { type: 'integer' } },
      }),
      'src/extensions/shop/strapi-server.js': `module.exports = (plugin) => {
        const { schema } = plugin.contentTypes.item;
        schema.collectionName = 'goods';
        delete schema.attributes.stock;
        schema.attributes.weight = { type: 'float' };
        plugin.contentTypes.sale = { schema: ${typeText('sale', "{ at: { type: 'date' } }")} };
        return plugin;
      };`,
    });
    const definitions = await load();
    expect(definitions.problems).toEqual([]);
    const [type] = definitions.types;
    expect(type).toMatchObject({ uid: 'plugin::shop.item', origin: 'plugin', collectionName: 'goods' });
    expect(type?.draftAndPublish).toBe(true);
    expect(type?.attributes.map(({ name, file, line }) => [name, file, line])).toEqual([
      ['name', undefined, 1],
      ['weight', 'src/extensions/shop/strapi-server.js', 5],
    ]);
    expect(buildModel(definitions).model?.typesByUid['plugin::shop.sale']).toMatchObject({
      collectionName: 'shop_sale',
    });
    // Packages are evaluated once per process, so that what an extension changes must not stay.
    await write({ 'src/extensions/shop/strapi-server.js': 'module.exports = (plugin) => plugin;' });
    expect((await load()).types[0]?.attributes.map(({ name }) => name)).toEqual(['name', 'stock']);
    expect((await load({})).types.filter(({ origin }) => origin === 'plugin')).toEqual([]);
  });

  it('are reported with file and line', async () => {
    const schema = {
      info: { singularName: 'item', pluralName: 'items', displayName: 'Item' },
      attributes: {
        a: { type: 'strng' },
        b: { type: 'relation', relation: 'oneToOne', target: 'api::x.x' },
      },
    };
    await write({
      [SERVER]: plugin(`item: { schema: require('./server/content-types/item/schema.json') }, other: {
        schema: ${typeText('another', '{}')} }`),
      'src/plugins/shop/server/content-types/item/schema.json': JSON.stringify(schema, null, 2),
    });
    const { problems } = buildModel(await load());
    expect(problems.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
      'src/plugins/shop/server/content-types/item/schema.json:9 unknown-type',
      expect.stringMatching(/item\/schema.json:1\d dangling-target$/),
      `${SERVER}:1 name-mismatch`,
    ]);
  });

  it('find the database, which does nothing yet, the configuration, and what strapi lacks', async () => {
    await write({
      [SERVER]: `strapi.db.lifecycles.subscribe({ afterCreate() {} });
        const { client } = strapi.db.dialect;
        if (strapi.ai?.mcp || strapi.config?.server.url !== undefined) throw new Error('there');
        ${plugin(`other: { schema: ${typeText('other', '{}')} }`)}`,
    });
    const values = { plugins: SHOP, server: { port: 1337 } };
    const { types } = await loadProjectDefinitions(root, { values });
    expect(types.map(({ uid }) => uid)).toContain('plugin::shop.other');
  });

  it.each([
    [
      'throws',
      'const a = 1;\nthrow new Error("no licence");',
      `${SERVER}:2: no licence`,
      'disable the plugin',
    ],
    [
      'imports what is missing',
      "\nrequire('left-out/x');",
      `${SERVER}:2: Cannot find`,
      'npm install left-out',
    ],
    ['asks for what is not open', "strapi.plugin('x');", 'There is no strapi.plugin yet', 'register'],
  ])('stop the start where the code %s', async (_case, text, message, hint) => {
    await write({ [SERVER]: text });
    const error: unknown = await load().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'strapi/plugin-not-loaded',
      message: expect.stringContaining(message) as string,
    });
    expect(`${(error as Error).message} ${Reflect.get(error as Error, 'hint')}`).toContain(hint);
    const { errors } = await checkStrapiProject(root).then(async () => {
      await write({ 'config/plugins.js': `module.exports = ${JSON.stringify(SHOP)};` });
      return checkStrapiProject(root);
    });
    expect(errors[0]).toEqual({
      place: 'plugins',
      reason: expect.stringContaining('The plugin shop (./src/plugins/shop)') as string,
    });
    expect(Reflect.get(globalThis, 'strapi')).toBeUndefined();
  });

  it('stop the start where an extension throws or returns nothing', async () => {
    const extension = 'src/extensions/users-permissions/strapi-server.js';
    for (const [body, reason] of [
      ['plugin.contentTypes.usr.schema = {};', `${extension}:1 Cannot set properties`],
      ['plugin.contentTypes.user.schema.attributes.a = {};', 'does not return the plugin'],
    ] as const) {
      await write({ [extension]: `module.exports = (plugin) => { ${body} };` });
      await expect(load({})).rejects.toMatchObject({
        code: 'strapi/invalid-extension',
        message: expect.stringContaining(reason) as string,
      });
    }
  });

  it('come from the plugins that the project enables, and all others are reported', async () => {
    await write({
      'package.json': JSON.stringify({
        dependencies: { 'strapi-plugin-old': '1', 'strapi-plugin-gone': '1', '@strapi/plugin-cloud': '5' },
        devDependencies: { 'strapi-plugin-dev': '1' },
      }),
      'node_modules/strapi-plugin-old/package.json': JSON.stringify({
        strapi: { kind: 'plugin', name: 'old' },
        peerDependencies: { '@strapi/strapi': '^4.0.0' },
      }),
      'node_modules/strapi-plugin-old/strapi-server.js': 'module.exports = {};',
      'src/plugins/shop/dist/server/index.js': 'module.exports = {};',
      'src/plugins/idle/strapi-server.js': '',
      'src/plugins/unsaid/strapi-server.js': '',
    });
    const listed = listPlugins(root, { ...SHOP, unsaid: { resolve: './src/plugins/unsaid' }, upload: {} });
    expect(listed.map(({ name, state, reason }) => `${name} ${state}: ${reason}`)).toEqual([
      'shop runs: the server part of ./src/plugins/shop, compiled: src/plugins/shop/dist/server/index.js',
      expect.stringMatching(/^unsaid off: .*enabled: true/),
      'upload built-in: built in',
      'old runs: the server part of strapi-plugin-old, which is for Strapi ^4.0.0',
      'gone missing: strapi-plugin-gone is not installed',
      "cloud admin-only: only serves Strapi's admin panel",
      expect.stringMatching(/^dev off: .*devDependencies/),
      expect.stringMatching(/^idle off: config\/plugins does not name it/),
    ]);
    await expect(load({ x: { enabled: true, resolve: './nowhere' } })).rejects.toMatchObject({
      code: 'strapi/unknown-plugin',
    });
  });

  it('are not what code adds in register, which is reported', () => {
    const messages: string[] = [];
    const attributes: Record<string, unknown> = { title: {} };
    const tell = watchAttributes({ 'api::a.a': { attributes } }, {
      warn: (message: unknown) => void messages.push(String(message)),
    } as Parameters<typeof watchAttributes>[1]);
    tell();
    attributes['slug'] = { type: 'string' };
    tell();
    expect(messages).toEqual([expect.stringMatching(/api::a\.a in register, .*: slug\./)]);
  });

  it('and other code may use the aliases of tsconfig.json', async () => {
    await write({
      'tsconfig.json': `{ // with comments
        "extends": "@strapi/typescript-utils/tsconfigs/server",
        "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./src/*"], "data": ["./src/data.json"] } },
      }`,
      'src/data.json': '{ "n": 3 }',
      'src/up.ts': 'export interface Up {} export const up = (text: string): string => text.toUpperCase();',
      'src/main.ts': `
        import type { Nothing } from 'nowhere';
        import { up, type Up } from '@/up';
        import { up as same } from 'src/up';
        import data from 'data';
        enum Kind { A = 'a' }
        class Holder { constructor(readonly kind: Kind) {} }
        export default [up('x'), same === up, data.n, new Holder(Kind.A).kind];`,
      'src/main.js': "module.exports = require('@/up').up('y');",
    });
    const { load: evaluate } = createModuleLoader({ root });
    expect(await evaluate(join(root, 'src/main.ts'))).toEqual(['X', true, 3, 'a']);
    expect(await evaluate(join(root, 'src/main.js'))).toBe('Y');
  });
});
