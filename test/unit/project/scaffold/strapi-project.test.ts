import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStrapiProject } from '../../../../src/project/scaffold/strapi-project.js';
import type { StrapiCheck } from '../../../../src/project/scaffold/strapi-project.js';
import { describeCheck } from '../../../../src/cli/import/describe-import.js';
import { styleFor } from '../../../../src/cli/terminal/terminal.js';

const FACTORY = (kind: string): string =>
  `import { factories } from '@strapi/strapi';\nexport default factories.create${kind}('api::book.book');`;

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    dependencies: { '@strapi/plugin-seo': '5', 'strapi-plugin-menus': '1', 'left-out': '1' },
    devDependencies: { typescript: '5' },
  }),
  'src/api/book/content-types/book/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'books',
    info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
    attributes: {
      title: { type: 'string' },
      author: { type: 'relation', relation: 'oneToOne', target: 'api::a.a' },
    },
  }),
  'src/api/book/content-types/book/lifecycles.ts':
    "import { slug } from '../../../../utils';\nexport default { beforeCreate: slug };",
  'src/api/book/controllers/book.ts': FACTORY('CoreController'),
  'src/api/book/controllers/book.js': 'module.exports = {};',
  'src/api/book/services/book.ts': FACTORY('CoreService'),
  'src/api/book/routes/book.ts': FACTORY('CoreRouter'),
  'src/api/book/routes/custom.ts': `export default { routes: [
    // { method: 'GET', path: '/commented', handler: 'book.none' },
    { method: 'get', path: '/books/top', handler: 'book.top' },
    { path: '/books/:id/lend', method: 'POST', handler: 'book.lend' },
  ] };`,
  'src/utils/index.ts':
    "import type { X } from 'only-types';\nimport _ from 'left-out';\nexport const slug = () => {};",
  'src/utils/forgotten.ts': 'export const unused = 1;',
  'src/index.ts': `import axios from 'axios';
export default { bootstrap: ({ strapi }) => { strapi.admin.services.user.count();
    strapi.container.get('services');
    strapi.documents('api::gone.gone').count();
    } };`,
  'src/admin/app.tsx': 'export default {};',
  'src/plugins/lending/strapi-server.js': "module.exports = require('./server');",
  'src/plugins/lending/server/index.js': 'module.exports = {};',
  'src/plugins/lending/admin/index.js': 'module.exports = {};',
  'database/migrations/2024.01.01T00.00.00.rename.js': 'module.exports = { up() {} };',
  'config/admin.ts': "import passport from 'passport-x';\nexport default {};",
  'config/plugins.ts': `export default () => ({
    lending: { enabled: true, resolve: './src/plugins/lending' },
    sentry: { enabled: true },
    email: { config: { provider: 'sendgrid' } },
    upload: { config: { provider: '@shop/bucket' } },
  });`,
};

const writeFiles = async (root: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
};

describe('the check of a Strapi project', () => {
  let root = '';
  let check: StrapiCheck;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'strapi-report-'));
    await writeFiles(root, FILES);
    check = await checkStrapiProject(root);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('counts the files that run, with what they import, and reports why others do not', () => {
    expect(check.files).toEqual({ running: 9, total: 10 });
    expect(check.notRunning).toEqual([
      { place: 'src/api/book/controllers/book.js', reason: 'src/api/book/controllers/book.ts runs instead' },
      { place: 'src/utils/forgotten.ts', reason: 'no file that runs imports it' },
      { place: 'database/migrations/2024.01.01T00.00.00.rename.js', reason: expect.any(String) as string },
      {
        place: 'config: plugins.email.config.provider',
        reason: '"sendgrid" is not installed: npm install @strapi/provider-email-sendgrid',
      },
      {
        place: 'config: plugins.upload.config.provider',
        reason: '"@shop/bucket" is not installed: npm install @shop/bucket',
      },
    ]);
  });

  it('lists its own routes with their lines', () => {
    expect(check.routes).toEqual([
      { method: 'GET', path: '/books/top', place: 'src/api/book/routes/custom.ts:3' },
      { method: 'POST', path: '/books/:id/lend', place: 'src/api/book/routes/custom.ts:4' },
    ]);
  });

  it('reports which plugins run, which are missing, and which only serve the admin panel', () => {
    expect(check.plugins.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'email built-in',
      'lending runs',
      'menus missing',
      'sentry missing',
      'seo admin-only',
      'upload built-in',
    ]);
  });

  it('warns of what strapi lacks here, and of schemas', () => {
    expect(check.warnings.map(({ place, reason }) => `${place} ${reason}`)).toEqual([
      expect.stringMatching(/^src\/index.ts:2 there is no strapi.admin/),
      expect.stringMatching(/^src\/index.ts:3 there is no strapi.container/),
      expect.stringMatching(/^src\/index.ts:4 .*there is no content-type api::gone.gone/),
      expect.stringMatching(/^src\/api\/book\/content-types\/book\/schema.json:1 author: /),
    ]);
    expect(check.notNeeded.map(({ place }) => place)).toEqual(['src/admin', 'config/admin.ts']);
    expect(check.errors).toEqual([]);
  });

  it('resolves packages where the project will be, and counts no file that cannot be loaded', async () => {
    const files = {
      'package.json': JSON.stringify({
        dependencies: { '@strapi/strapi': '5.54.0', listed: '1', react: '18' },
      }),
      'src/api/a/controllers/a.ts': `import { Context } from 'koa-types';
        import fp from 'lodash/fp';
        import listed from 'listed';
        import { version } from '@strapi/strapi/package.json';
        export default { a: (ctx: Context) => fp.id(listed, version) };`,
      'src/api/a/services/a.js': "const gone = require('gone-package');\nmodule.exports = () => ({ gone });",
      'src/api/b/services/b.js': "module.exports = require('../../a/services/a');",
      'src/api/b/services/gone.js': "module.exports = require('../../../lib/gone');",
      'src/api/c/services/c.js': "module.exports = () => ({ run: () => require('later-package') });",
      'src/api/d/services/d.ts':
        "import { X } from '@strapi/plugin-i18n/dist/x';\nimport { Y } from '@strapi/types';\n" +
        'export const y: Y = X;',
      'src/api/e/services/e.js': "module.exports = { type: 'admin', routes: [] };",
    };
    const folder = await mkdtemp(join(tmpdir(), 'strapi-packages-'));
    await writeFiles(folder, files);
    const found = await checkStrapiProject(folder);
    expect(found.files).toEqual({ running: 3, total: 7 });
    expect(found.errors.map(({ place, reason }) => `${place} ${reason}`)).toEqual([
      expect.stringMatching(
        /^src\/api\/a\/services\/a.js:1 gone-package is not installed; package.json does not/,
      ),
      'src/api/b/services/gone.js:1 there is no file ../../../lib/gone',
      expect.stringMatching(/^src\/api\/d\/services\/d.ts:1 Galley has no @strapi\/plugin-i18n\/dist\/x/),
    ]);
    expect(found.warnings.map(({ place }) => place)).toEqual([
      'src/api/c/services/c.js:1',
      'src/api/e/services/e.js:1',
    ]);
    expect(describeCheck(found, styleFor(false)).exitCode).toBe(1);
    await rm(folder, { recursive: true });
  });

  it('names the modules that are missing once the project is one of Galley', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-packages-'));
    await writeFiles(folder, {
      'package.json': JSON.stringify({ dependencies: { galley: '1', lodash: '4' } }),
      'src/api/a/services/a.js': "const _ = require('lodash');\nmodule.exports = () => ({ _ });",
    });
    expect((await checkStrapiProject(folder)).errors).toEqual([
      { place: 'src/api/a/services/a.js:1', reason: 'lodash is not installed; run npm install' },
    ]);
    await rm(folder, { recursive: true });
  });

  it('prints all of it', () => {
    const { text, exitCode } = describeCheck(check, styleFor(false));
    expect(exitCode).toBe(0);
    expect(text).toContain('1 content-type, 0 components\n9 of 10 files of server code run');
    for (const title of ['Custom routes', 'Plugins', 'Does not run', 'Warnings', 'Not needed'])
      expect(text).toContain(`\n\n${title}\n`);
  });

  it('refuses a folder that is no project', async () => {
    await expect(checkStrapiProject(join(root, 'nowhere'))).rejects.toMatchObject({
      code: 'project/no-strapi-project',
    });
  });
});
