import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import Export from '../../../src/commands/export.js';
import Import from '../../../src/commands/import.js';
import New from '../../../src/commands/new.js';
import { isRecord } from '../../../src/lib/records.js';
import { openArchive } from '../../../src/transfer/archive/open-archive.js';
import { openLiveSource } from '../../../src/transfer/strapi/open-live-source.js';
import type { ContentSource } from '../../../src/transfer/source.js';
import { fillStrapiDatabase, STRAPI_FILES } from '../../support/strapi-database.js';
import { openSqlite } from '../../support/sqlite.js';
import { runCommand } from '../support/run-command.js';
import { createTempFolder } from '../support/temp-project.js';

const BOOK = {
  kind: 'collectionType',
  collectionName: 'books',
  info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
  attributes: { title: { type: 'string' } },
};

const FILES = {
  'package.json': {
    dependencies: {
      '@strapi/strapi': '5.44.0',
      '@strapi/provider-upload-cloudinary': '5.44.0',
      '@strapi/provider-email-nodemailer': '5.44.0',
      react: '18.0.0',
      lodash: '^4.17.0',
      '@shop/shared': 'workspace:*',
    },
    scripts: { develop: 'strapi develop', check: 'strapi check', report: 'node report.js' },
  },
  '.env':
    'JWT_SECRET=old-secret\nAPI_TOKEN_SALT="old salt"\nDATABASE_CLIENT=sqlite\nSHOP=https://shop.test\n',
  'src/api/book/content-types/book/schema.json': BOOK,
  'src/api/book/controllers/book.js': 'module.exports = {};',
  'src/admin/app.tsx': 'export default {};',
  'config/server.js': 'module.exports = {};',
  'database/migrations/.gitkeep': '',
  'public/robots.txt': 'User-agent: *',
  'public/uploads/a.png': 'image',
  'scripts/once.js': '',
};

const writeProject = (root: string, files: Readonly<Record<string, unknown>>): string => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
};

/** Component ids may change. */
const withoutComponentIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, item: unknown) =>
      isRecord(item) && !('documentId' in item) && !('type' in item) && 'id' in item
        ? { ...item, id: undefined }
        : item,
    ),
  );

const collect = async <T>(records: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
};

/** The books of a source with their components, all links but those of roles, and the stored files. */
const describeSource = async (source: ContentSource): Promise<unknown> => {
  const entities = (await collect(source.entities()))
    .filter(({ type }) => type === 'api::book.book')
    .map(({ id, data: { createdAt: _created, updatedAt: _updated, ...data } }) => ({ id, data }));
  const links = (await collect(source.links()))
    // The one of the draft to a published version is seen by nobody, and so is not imported.
    .filter(({ left }) => left.field !== 'role' && left.field !== 'sequelOf')
    .map(({ relation, left, right }) => {
      const isComponent = left.type.startsWith('shared.');
      return [relation, left.type, left.field, isComponent || left.ref, right.type, right.ref].join(' ');
    });
  const assets = (await collect(source.assets())).map(({ name, size }) => `${name} ${size}`);
  await source.close();
  return { entities: entities.map(withoutComponentIds), links: links.toSorted(), assets };
};

/** An encrypted export, read again, has what the Strapi database has. */
const expectSameExport = async (old: string, root: string): Promise<void> => {
  const argv = ['--format', 'strapi', '--to', 'out.tar.gz.enc', '--key', 'secret'];
  expect(await runCommand(Export, argv, { cwd: root })).toMatchObject({ exitCode: 0 });
  const live = await openLiveSource({
    url: `file:${join(old, '.tmp/data.db')}`,
    project: old,
    uploads: join(old, 'public/uploads'),
    root,
  });
  const archive = await openArchive(join(root, 'out.tar.gz.enc'), root, () => Promise.resolve('secret'));
  expect(await describeSource(archive)).toEqual(await describeSource(live));
};

const SETUP = ['--yes', '--no-install', '--no-git'];

describe('cms new --from-strapi', () => {
  let cwd: string;
  const read = (path: string): string => readFileSync(join(cwd, 'site', path), 'utf8');

  beforeEach(() => {
    cwd = createTempFolder();
    writeProject(join(cwd, 'old'), FILES);
  });

  it('adopts the model, the code, the secrets and the packages, and migrates', async () => {
    const { exitCode, stderr } = await runCommand(New, ['site', '--from-strapi', 'old', ...SETUP], { cwd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(read('src/api/book/controllers/book.js')).toBe('module.exports = {};');
    expect(read('public/robots.txt')).toBe('User-agent: *');
    expect(read('config/server.js')).toBe('module.exports = {};');
    expect(read('prisma/schema.prisma')).toContain('model Book');
    expect(existsSync(join(cwd, 'site', 'data.db'))).toBe(true);
    for (const path of ['src/admin', 'src/index.ts', 'database', 'public/uploads/a.png', 'scripts'])
      expect(existsSync(join(cwd, 'site', path)), path).toBe(false);
    const manifest: unknown = JSON.parse(read('package.json'));
    expect(manifest).toMatchObject({
      dependencies: {
        lodash: '^4.17.0',
        '@strapi/provider-upload-cloudinary': '5.44.0',
        galley: expect.any(String),
      },
      scripts: { report: 'node report.js', dev: 'cms dev' },
    });
    expect(JSON.stringify(manifest)).not.toMatch(/@strapi\/strapi|email-nodemailer|react|workspace|"type"/);
    expect(read('.env')).toContain("JWT_SECRET='old-secret'\nAPI_TOKEN_SALT='old salt'\nSHOP=");
    expect(read('.env')).not.toContain('DATABASE_CLIENT');
    expect(stderr).toMatch(/Omitted:\n {2}database\/: .*\n {2}src\/admin: .*\n/);
    expect(stderr).toMatch(/: @strapi\/strapi, @strapi\/provider-email-nodemailer, react\n/);
    expect(stderr).toMatch(/of the workspace .* by folder\): @shop\/shared\n/);
    expect(stderr).toMatch(/unknown files .*: scripts\n/);
  });

  it('adds packages that code imports and only Strapi lists, and keeps variables that are read', async () => {
    writeProject(join(cwd, 'old'), {
      '.env': 'DATABASE_NAME=shop\nDATABASE_URL=postgres://old\nADMIN_JWT_SECRET=a\nENCRYPTION_KEY=b\n',
      'src/api/book/controllers/book.js':
        "const fp = require('lodash/fp');\nconst axios = require('axios');\nmodule.exports = { fp, axios };",
      'src/api/book/services/book.ts':
        "import type { Context } from 'koa';\nimport { yup } from '@strapi/utils';\n" +
        "import pg from 'pg';\nexport default () => ({ yup, pg });",
      'src/api/book/services/own.js':
        "require('../../../../lib/rates');\nmodule.exports = require('own-package');",
      'lib/rates.js': "module.exports = require('../data/rates.json');",
      'data/rates.json': '[1]',
      'node_modules/own-package/package.json': { name: 'own-package', version: '3.2.1' },
      'src/plugins/a/package.json': { dependencies: { 'of-plugin': '~2.0.0' } },
      'src/plugins/a/server/index.js': "module.exports = require('of-plugin');",
      'src/index.js':
        "module.exports = { register: () => [process.env.DATABASE_NAME, process.env['ADMIN_JWT_SECRET']] };",
      'config/database.js': "module.exports = ({ env }) => ({ key: env('ENCRYPTION_KEY') });",
      'package.json': { dependencies: { lodash: '^4.17.0', pg: '^8.1.0' } },
    });
    const { exitCode, stderr } = await runCommand(New, ['site', '--from-strapi', 'old', ...SETUP], { cwd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    expect(dependencies).toMatchObject({
      lodash: '^4.17.0',
      axios: '1.19.0',
      yup: '0.32.9',
      pg: '^8.1.0',
      'own-package': '^3.2.1',
      'of-plugin': '~2.0.0',
    });
    expect(Object.keys(dependencies)).not.toContain('koa');
    expect(stderr).toContain('Added to package.json, since the code imports it: axios,');
    expect(read('.env')).toContain("DATABASE_NAME='shop'");
    expect(read('.env')).toContain("ADMIN_JWT_SECRET='a'");
    expect(read('.env')).not.toMatch(/postgres:|ENCRYPTION_KEY/);
    expect([read('lib/rates.js'), read('data/rates.json')]).toEqual([expect.any(String), '[1]']);
    expect(stderr).toContain('variables of Strapi in .env: DATABASE_URL, ENCRYPTION_KEY');
  });

  it('keeps a project whose configuration imports a package that is not installed', async () => {
    writeProject(join(cwd, 'old'), {
      'config/plugins.js': "module.exports = () => ({ upload: { config: require('limits-package') } });",
      'package.json': { dependencies: { 'limits-package': '1.0.0' } },
    });
    const { exitCode, stderr } = await runCommand(New, ['site', '--from-strapi', 'old', ...SETUP], { cwd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toMatch(/npm install\n {2}\S* ?cms migrate\n/);
    expect(read('package.json')).toContain('"limits-package": "1.0.0"');
    const check = await runCommand(Import, ['old', '--check'], { cwd });
    expect(check).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('limits-package is not installed in'),
    });
  });

  it('evaluates configuration that imports code of the project', async () => {
    writeProject(join(cwd, 'old'), {
      'src/api/book/services/book.js':
        "const { factories } = require('@strapi/strapi');\n" +
        "module.exports = factories.createCoreService('api::book.book');",
      'config/server.js':
        "const book = require('../src/api/book/services/book');\nmodule.exports = { port: 1400, " +
        "cron: { tasks: { a: { task: () => book, options: { rule: '0 3 * * *' } } } } };",
    });
    const { exitCode, stderr } = await runCommand(New, ['site', '--from-strapi', 'old', ...SETUP], { cwd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  it('imports the content of its SQLite database, with the files and API tokens', async () => {
    const old = writeProject(join(cwd, 'with-content'), {
      ...STRAPI_FILES,
      '.env': 'API_TOKEN_SALT=salt\n',
      'public/uploads/a_1.png': 'image',
      '.tmp/.gitkeep': '',
    });
    await fillStrapiDatabase(`file:${join(old, '.tmp/data.db')}`);
    const argv = ['site', '--from-strapi', 'with-content', '--json', ...SETUP];
    const { exitCode, stdout, stderr } = await runCommand(New, argv, { cwd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const { imported } = JSON.parse(stdout) as { imported: { types: unknown } };
    expect(imported.types).toContainEqual({ uid: 'api::book.book', documents: 1, versions: 2, existing: 0 });
    const database = openSqlite(join(cwd, 'site', 'data.db'), { mode: 'read' });
    expect(database.prepare('select name, key_hash from cms_api_tokens').records()).toEqual([
      { name: 'shop', key_hash: 'abc' },
    ]);
    expect(database.prepare('select title, status from books order by id').records()).toEqual([
      { title: 'A draft', status: 'draft' },
      { title: 'Published', status: 'published' },
    ]);
    database.close();
    expect(read('public/uploads/a_1.png')).toBe('image');

    const again = [
      '--from-database',
      '../with-content/.tmp/data.db',
      '--project',
      '../with-content',
      '--yes',
    ];
    const root = join(cwd, 'site');
    expect(await runCommand(Import, again, { cwd: root })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('The database already contains'),
    });
    expect(await runCommand(Import, ['x.tar', ...again], { cwd: root })).toMatchObject({ exitCode: 2 });
    await expectSameExport(old, root);
  });

  it('refuses projects of Strapi 4, other folders, and content-types with errors', async () => {
    const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
      ['four', { ...FILES, 'package.json': { dependencies: { '@strapi/strapi': '^4.25.6' } } }, /4\.25\.6/],
      ['other', { 'package.json': {} }, /not a Strapi project/],
      ['broken', { ...FILES, 'src/api/book/content-types/book/schema.json': '{' }, /schema\.json/],
    ];
    for (const [name, files, message] of refused) {
      writeProject(join(cwd, name), files);
      const target = `from-${name}`;
      const { exitCode, stderr } = await runCommand(New, [target, '--from-strapi', name, ...SETUP], { cwd });
      expect(exitCode).not.toBe(0);
      expect(stderr).toMatch(message);
      expect(existsSync(join(cwd, target))).toBe(false);
    }
  });

  it('refuses to say what of a project of Strapi 4 would run', async () => {
    writeProject(join(cwd, 'four'), { 'package.json': { dependencies: { '@strapi/strapi': '^4.25.6' } } });
    expect(await runCommand(Import, ['four', '--check'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('4.25.6'),
    });
  });
});
