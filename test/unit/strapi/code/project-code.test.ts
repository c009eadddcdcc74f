import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModuleLoader } from '../../../../src/config/module-loader.js';
import { createRegistries } from '../../../../src/strapi/registry.js';
import type { Registries } from '../../../../src/strapi/registry.js';
import { loadProjectCode } from '../../../../src/strapi/code/project-code.js';
import type { ProjectCode } from '../../../../src/strapi/code/project-code.js';
import { strapiPackages } from '../../../../src/strapi/package/packages.js';
import type { Strapi } from '../../../../src/strapi/strapi.js';

const API = 'src/api/book';
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "dependencies": { "helper": "1" } }',
  'node_modules/helper/package.json': '{ "name": "helper", "main": "index.js" }',
  'node_modules/helper/index.js': 'module.exports = { twice: (text) => text + text };',
  'src/utils/index.ts': 'export const calls: string[] = [];',
  [`${API}/services/book.ts`]: `
    import type { Core } from '@strapi/strapi';
    import { calls } from '../../../utils';
    export default ({ strapi }: { strapi: Core.Strapi }) => ({
      name: () => { calls.push('a'); return strapi; },
    });`,
  [`${API}/services/loanService.js`]: `
    const { twice } = require('helper');
    const { calls } = require('../../../utils');
    module.exports = { lend: () => twice(String(calls.length)) };`,
  [`${API}/controllers/book.js`]: `
    'use strict';
    const { errors } = require('@strapi/utils');
    module.exports = { refuse() { throw new errors.ApplicationError('Lent out'); } };`,
  [`${API}/policies/isOwner.cjs`]: 'module.exports = (ctx, config) => config.allowed === true;',
  [`${API}/middlewares/count.mjs`]: 'export default (config) => async (ctx, next) => next(config);',
  [`${API}/routes/custom.js`]:
    "module.exports = { routes: [{ method: 'GET', path: '/books/top', handler: 'book.top' }] };",
  [`${API}/content-types/book/lifecycles.ts`]: 'export function beforeCreate() {}',
  [`${API}/index.js`]: 'module.exports = { register() {} };',
  'src/policies/signed-in.js': 'module.exports = () => true;',
  'src/extensions/users-permissions/strapi-server.js': 'module.exports = (plugin) => plugin;',
  'src/middlewares/slow.ts': 'export default "typescript";',
  'src/middlewares/slow.js': 'module.exports = "javascript";',
};

describe('the server code of a project', () => {
  let root = '';
  const strapi = { name: 'the application' } as unknown as Strapi;
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const load = async (): Promise<{ readonly code: ProjectCode; readonly registries: Registries }> => {
    const registries = createRegistries(() => strapi);
    const loader = createModuleLoader({ root, packages: strapiPackages(root) });
    return { code: await loadProjectCode({ root, loader, registries }), registries };
  };
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'strapi-code-'));
    for (const [path, text] of Object.entries(FILES)) await write(path, text);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('is registered by its places, however it is exported', async () => {
    const { code, registries } = await load();
    expect(registries.services.keys()).toEqual(['api::book.book', 'api::book.loan-service']);
    expect(registries.policies.keys()).toEqual(['global::signed-in', 'api::book.is-owner']);
    expect(registries.middlewares.keys()).toEqual(['global::slow', 'api::book.count']);
    expect(registries.routes.get('api::book.custom')).toMatchObject({ routes: [{ path: '/books/top' }] });
    expect([...code.lifecycles.keys()]).toEqual(['api::book.book']);
    expect([...code.extensions.keys()]).toEqual(['users-permissions']);
    expect([...code.apis.keys()]).toEqual(['book']);
    expect(code.lifecycles.get('api::book.book')?.exported).toHaveProperty('beforeCreate');
    expect(registries.controllers.get('api::book.missing')).toBeUndefined();
  });

  it('shares modules, gets strapi, and imports packages that are not installed', async () => {
    const { registries } = await load();
    const book = registries.services.get('api::book.book') as { name: () => unknown };
    const loans = registries.services.get('api::book.loanService') as { lend: () => string };
    expect(book.name()).toBe(strapi);
    expect(registries.services.get('api::book.book')).toBe(book);
    expect(loans.lend()).toBe('11');
    const controller = registries.controllers.get('api::book.book') as { refuse: () => void };
    expect(controller.refuse).toThrow(
      expect.objectContaining({ name: 'ApplicationError', message: 'Lent out' }),
    );
    const policy = registries.policies.get('api::book.isOwner') as (ctx: unknown, config: unknown) => unknown;
    expect(policy({}, { allowed: true })).toBe(true);
  });

  it('is TypeScript where the project is one of TypeScript, and is read again each time', async () => {
    expect((await load()).registries.middlewares.get('global::slow')).toBe('javascript');
    await write('tsconfig.json', '{}');
    expect((await load()).registries.middlewares.get('global::slow')).toBe('typescript');
    await write('src/middlewares/slow.ts', 'export default "changed";');
    expect((await load()).registries.middlewares.get('global::slow')).toBe('changed');
    await rm(join(root, 'tsconfig.json'));
  });

  it.each([
    ["const a = 1;\nthrow new Error('broken');", 'src/policies/bad.js:2 could not be loaded: broken'],
    [
      "\n\nrequire('not-there');",
      "src/policies/bad.js:3 could not be loaded: Cannot find module 'not-there'",
    ],
    ["\nimport x from 'not-there';\nx();", "could not be loaded: Cannot find module 'not-there'"],
    ['export default (', 'src/policies/bad.js:1 could not be loaded: ParseError'],
  ])('names file and line of what cannot be loaded: %s', async (text, message) => {
    await write('src/policies/bad.js', text);
    await expect(load()).rejects.toThrow(message);
    await rm(join(root, 'src/policies/bad.js'));
  });
});
