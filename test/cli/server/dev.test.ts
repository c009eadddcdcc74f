import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Dev from '../../../src/commands/dev.js';
import { printLogLine } from '../../../src/cli/project/with-app.js';
import { styleFor } from '../../../src/cli/terminal/terminal.js';
import MigrateNew from '../../../src/commands/migrate/new.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import { binaryPath, runBinary } from '../support/binary.js';
import { createMigratedSite, createSite, rowsOf, typeFile } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { hasPty, runInPty } from '../support/pty.js';
import { runCommand } from '../support/run-command.js';
import { startProcess, waitFor } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-project.js';
import type { TempProject } from '../support/temp-project.js';

const statusOf = async (url: string): Promise<number> => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};

const TAG = 'src/api/tag/content-types/tag/schema.json';

/** A plugin with a content-type, which adds an attribute to one of the project's. */
const PLUGIN = `
module.exports = {
  register({ strapi }) {
    strapi.contentType('api::note.note').attributes.shade = { type: 'string' };
  },
  contentTypes: { item: { schema: {
    collectionName: 'shop_items',
    info: { singularName: 'item', pluralName: 'items', displayName: 'Item' },
    options: { draftAndPublish: false },
    attributes: { label: { type: 'string' } },
  } } },
};
`;

const tagSchemaWithoutTitle = (site: TempProject): Readonly<Record<string, unknown>> => ({
  ...(JSON.parse(site.read(TAG)) as Readonly<Record<string, unknown>>),
  attributes: { name: { type: 'string' } },
});

/** One tag with a title, which dropping the attribute would lose. */
const insertTag = (site: TempProject): void => {
  insertVersion(site, 'tags', 'one', { title: 'red' });
};

describe('cms dev', () => {
  it('creates the database, prints addresses, follows the files, and ends with 0 at Ctrl-C', async () => {
    const site = createSite();
    const server = await startProcess(['dev', '--port', '0'], { cwd: site.root });
    await server.waitForText('Serving after');
    expect(server.stdout()).toBe(`${server.url}\n`);
    for (const text of [
      `${server.url}/api`,
      `${server.url}/graphql (in a browser: the playground)`,
      'article /api/articles',
      'home-page /api/home-page',
      'prisma/migrations/',
      'cms token create',
      'cms permissions set public article find findOne',
      'cms permissions set public home-page find\n',
    ])
      expect(server.stderr()).toContain(text);
    expect(await statusOf(`${server.url}/api/tags`)).toBe(403);
    await server.waitForText(' GET /api/tags 403 ');
    const page = await fetch(server.url, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<a href="./api/home-page">');
    await runCommand(PermissionsSet, ['public', 'tag', 'find'], { cwd: site.root });
    await waitFor('the public', async () =>
      (await statusOf(`${server.url}/api/tags`)) === 200 ? true : undefined,
    );

    site.write(typeFile('note'));
    await server.waitForText('New API after');
    expect(server.stderr()).toMatch(/ New API after \d+ ms \(src\/api\/note\/…\/schema\.json\)\n/);
    expect(server.stderr()).toMatch(/\n {2}\+ note \(title string\)\n {2}prisma\/migrations\/\d+_/);
    expect(server.stderr()).toContain('  Make it public: cms permissions set public note find findOne');
    expect(await statusOf(`${server.url}/api/notes`)).toBe(403);

    site.write({
      'src/plugins/shop/strapi-server.js': PLUGIN,
      'config/plugins.js': "module.exports = { shop: { enabled: true, resolve: './src/plugins/shop' } };",
    });
    await server.waitForText('+ item (label string)');
    await server.waitForText('+ note.shade string');
    site.write({ 'src/plugins/shop/strapi-server.js': PLUGIN.replace('label', 'price') });
    await server.waitForText('+ item.price string');
    site.write({ 'config/plugins.js': 'module.exports = { shop: { enabled: false } };' });
    await server.waitForText('- note.shade string');
    expect(server.stderr()).toContain('  - item\n');

    site.write({ [TAG]: '{ "kind": "collectionType",' });
    await server.waitForText(`${TAG}:1`);
    await server.waitForText('The previous API is still served.');
    expect(await statusOf(`${server.url}/api/tags`)).toBe(200);
    server.signal('SIGINT');
    expect(await server.ended).toBe(0);
  });

  it('prints rejections and errors that nothing handles once, and serves on', async () => {
    const site = await createMigratedSite();
    const server = await startProcess(['dev', '--port', '0'], { cwd: site.root });
    await server.waitForText('Serving after');
    site.write({
      'src/index.js': `
        export const bootstrap = () => {
          void Promise.reject(new Error('a stray promise'));
          void Promise.reject('a stray text');
          setTimeout(() => { throw new Error('a stray timer'); }, 0);
        };
      `,
    });
    await server.waitForText('Uncaught error: a stray timer (src/index.js:5)');
    await server.waitForText('Unhandled promise rejection: a stray promise (src/index.js:3)');
    await server.waitForText('Unhandled promise rejection: a stray text');
    expect(server.stderr().split('a stray')).toHaveLength(4);
    expect(await statusOf(`${server.url}/_health`)).toBe(204);
    server.signal('SIGINT');
    expect(await server.ended).toBe(0);
  });

  it('holds a change that would lose data, and applies it once it is accepted', async () => {
    const site = await createMigratedSite();
    insertTag(site);
    await runCommand(PermissionsSet, ['public', 'home-page', 'find'], { cwd: site.root });
    const server = await startProcess(['dev', '--port', '0'], { cwd: site.root });
    await server.waitForText('Serving after');
    expect(server.stderr()).toContain('cms permissions set public tag');
    expect(server.stderr()).not.toContain('cms permissions set public home-page');
    site.write({ [TAG]: tagSchemaWithoutTitle(site) });
    await server.waitForText('Held:');
    expect(server.stderr()).toContain('api::tag.tag title: the attribute is removed (1 value');
    expect(server.stderr()).toContain('cms migrate --accept-data-loss');
    expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'red' }]);
    expect(await statusOf(`${server.url}/api/tags`)).toBe(403);
    const { exitCode } = await runBinary(['migrate', '--accept-data-loss'], { cwd: site.root });
    expect(exitCode).toBe(0);
    await server.waitForText('New API after');
    await server.waitForText('  - tag.title string\n  + tag.name string\n');
    expect(Object.keys(rowsOf(site, 'SELECT * FROM tags')[0] ?? {})).not.toContain('title');
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('starts on files with mistakes, and serves once they are right', async () => {
    const site = createSite({ [TAG]: '{' });
    const server = await startProcess(['dev', '--port', '0'], { cwd: site.root });
    await server.waitForText('Nothing is served until you fix this.');
    expect(await statusOf(`${server.url}/api/tags`)).toBe(503);
    site.write(typeFile('tag'));
    await server.waitForText('Serving after');
    expect(await statusOf(`${server.url}/api/tags`)).toBe(403);
  });

  it('ends immediately if the database cannot be used', async () => {
    const site = createSite({
      '.env': 'DATABASE_URL=file:./absent\n',
      absent: { 'is-a': 'file, not a database' },
    });
    const { exitCode, stderr } = await runBinary(['dev', '--port', '0'], { cwd: site.root });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it is damaged or not a database')]);
  });

  it('reports missing secrets, and adopts a change of a command once', async () => {
    const site = createSite({ '.env': '' });
    const server = await startProcess(['dev', '--port', '0'], { cwd: site.root });
    await server.waitForText('Serving after');
    expect(server.stderr()).toContain('JWT_SECRET is missing, so nobody can sign in.');
    expect(server.stderr()).toContain('API_TOKEN_SALT is missing, so API tokens do not work.');
    insertTag(site);
    const migrations = (): readonly string[] => readdirSync(join(site.root, 'prisma/migrations'));
    const before = migrations();
    const renamed = await runBinary(['field', 'rename', 'tag', 'title', 'label'], { cwd: site.root });
    expect(renamed).toMatchObject({ exitCode: 0 });
    const added = await runBinary(['field', 'add', 'tag', 'size:integer'], { cwd: site.root });
    expect(added).toMatchObject({ exitCode: 0 });
    expect(migrations()).toHaveLength(before.length + 2);
    await waitFor('both changes', () => (/New API after/.exec(server.stderr()) === null ? undefined : true));
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stderr()).not.toContain('Held:');
    expect(server.stderr()).toContain('  ~ tag.title → label\n');
    expect(server.stderr().match(/New API after/g)?.length).toBeLessThanOrEqual(2);
    expect(migrations()).toHaveLength(before.length + 2);
    expect(rowsOf(site, 'SELECT label, size FROM tags')).toEqual([{ label: 'red', size: null }]);
  });

  it('leaves a migration alone while it is a draft, and runs it once that is over', async () => {
    const site = await createMigratedSite();
    insertTag(site);
    const server = await startProcess(['dev', '--port', '0'], { cwd: site.root });
    await server.waitForText('Serving after');
    const { stdout } = await runCommand(MigrateNew, ['shout'], { cwd: site.root });
    const folder = stdout.trim();
    await server.waitForText('_shout is still a draft');
    expect(await statusOf(`${server.url}/api/tags`)).toBe(403);
    site.write({
      [`${folder}/migrate.ts`]: `export default async ({ batches, documents, log }) => {
        await batches('api::tag.tag', {}, async (tags) => {
          for (const { documentId, title } of tags)
            await documents('api::tag.tag').update({ documentId, data: { title: title.toUpperCase() } });
        });
        log('done');
      };`,
      [`${folder}/migration.sql`]: '',
    });
    await server.waitForText('New API after');
    expect(server.stderr()).toContain('_shout: done');
    expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'RED' }]);
  });

  it('is refused outside of a project, on wrong flags and on a broken configuration', async () => {
    expect((await runCommand(Dev, [], { cwd: createTempFolder() })).stderr).toContain('cms new');
    expect((await runCommand(Dev, ['--port', '-1'], { cwd: createSite().root })).exitCode).toBe(2);
    const broken = await runCommand(Dev, ['--port', '0'], {
      cwd: createSite({ 'cms.config.js': 'export default { server: { prot: 1 } };' }).root,
    });
    expect({ exitCode: broken.exitCode, stdout: broken.stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(broken.stderr).toContain('did you mean port?');
  });
});

describe.skipIf(!hasPty)(
  "cms dev in a real terminal (skipped where util-linux's script is not installed)",
  () => {
    const cms = `exec '${process.execPath}' '${binaryPath}'`;

    it('asks before data is lost; Ctrl-C in the question ends the server and changes nothing', async () => {
      const site = await createMigratedSite();
      insertTag(site);
      site.write({ [TAG]: tagSchemaWithoutTitle(site) });
      const { screen, exitCode } = await runInPty(
        `${cms} dev --port 0`,
        [
          { when: 'renamed', type: 'n\r' },
          { when: 'Lose this data?', type: '\u0003' },
        ],
        { cwd: site.root },
      );
      expect(exitCode).toBe(0);
      expect(screen).toContain('api::tag.tag title: the attribute is removed (1 value');
      expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'red' }]);
    });

    it('takes the question back where the file is restored', async () => {
      const site = await createMigratedSite();
      insertTag(site);
      const good = site.read(TAG);
      const { screen, exitCode } = await runInPty(
        `${cms} dev --port 0`,
        [
          { when: 'Serving after', type: () => site.write({ [TAG]: tagSchemaWithoutTitle(site) }) },
          { when: 'renamed', type: 'n\r' },
          { when: 'Lose this data?', type: () => site.write({ [TAG]: good }) },
          { when: 'New API after', type: '\u0003' },
        ],
        { cwd: site.root },
      );
      expect(exitCode).toBe(0);
      expect(screen).toContain('The files have changed, so this question is obsolete.');
      expect(screen.match(/Held:/g)).toHaveLength(1);
      expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'red' }]);
    });

    it('keeps the data where it was a rename', async () => {
      const site = await createMigratedSite();
      insertTag(site);
      site.write({ [TAG]: tagSchemaWithoutTitle(site) });
      const { exitCode } = await runInPty(
        `${cms} dev --port 0`,
        [
          { when: 'renamed', type: 'y\r' },
          { when: 'Serving after', type: '\u0003' },
        ],
        { cwd: site.root },
      );
      expect(exitCode).toBe(0);
      expect(rowsOf(site, 'SELECT name FROM tags')).toEqual([{ name: 'red' }]);
    });
  },
);

describe('a line of the log', () => {
  const style = styleFor(false);

  it('is described in words', () => {
    expect(
      printLogLine(
        `${JSON.stringify({
          level: 30,
          time: '2026-01-31T09:30:12.000Z',
          method: 'GET',
          path: '/api/tags',
          status: 200,
          ms: 3,
          msg: 'request',
        })}\n`,
        style,
      ),
    ).toBe('09:30:12 GET /api/tags 200 3 ms');
    expect(
      printLogLine(
        JSON.stringify({
          level: 30,
          time: '2026-01-31T09:30:12.000Z',
          method: 'POST',
          path: '/graphql',
          operation: 'query Brands',
          status: 200,
          ms: 3,
        }),
        style,
      ),
    ).toBe('09:30:12 POST /graphql query Brands 200 3 ms');
    expect(
      printLogLine(
        JSON.stringify({
          level: 50,
          time: '2026-01-31T09:30:12.000Z',
          err: { message: 'no space' },
          msg: 'in the background',
        }),
        style,
      ),
    ).toBe('09:30:12 error in the background: no space');
  });

  it('stays as it is where it is no such line', () => {
    expect(printLogLine('plain', style)).toBe('plain');
    expect(printLogLine('7', style)).toBe('7');
  });
});
