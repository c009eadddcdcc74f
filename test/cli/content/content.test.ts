import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import ContentPublish from '../../../src/commands/content/publish.js';
import ContentUnpublish from '../../../src/commands/content/unpublish.js';
import { loadedModules } from '../support/loaded-modules.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const publish = (site: TempProject, ...argv: readonly string[]) =>
  runCommand(ContentPublish, argv, { cwd: site.root });
const unpublish = (site: TempProject, ...argv: readonly string[]) =>
  runCommand(ContentUnpublish, argv, { cwd: site.root });
const versions = (site: TempProject) => rowsOf(site, 'SELECT status, title FROM articles ORDER BY status');

const siteWithDraft = async (title: string | null): Promise<TempProject> => {
  const site = await createMigratedSite();
  insertVersion(site, 'articles', 'one', { locale: 'en', status: 'draft', title });
  return site;
};

describe('cms content', () => {
  it('is listed without loading Prisma Client, the server and request handlers', async () => {
    const site = await siteWithDraft('Hello');
    // The first command that opens a database writes to it.
    await publish(site, 'article', 'one');
    const loaded = loadedModules(['content', 'list', 'article'], site.root);
    expect(loaded).toContain('src/transfer/store/content-store.ts');
    const needless = [
      /node_modules\/(@prisma\/|fastify|mercurius|graphql|koa|pino|sharp|nodemailer)/,
      /^src\/(server|api\/graphql)\/|^src\/access\/mail-|^src\/project\/open\/open-app/,
    ];
    expect(loaded.filter((name) => needless.some((pattern) => pattern.test(name)))).toEqual([]);
  });

  it('writes without routes, which only requests need', async () => {
    const site = await siteWithDraft('Hello');
    const loaded = loadedModules(['content', 'publish', 'article', 'one'], site.root);
    expect(loaded).toContain('src/project/open/open-app.ts');
    const needless = [
      /node_modules\/(mercurius|graphql|@fastify\/(compress|multipart|static))/,
      /^src\/api\/(graphql\/(http|schema)|mcp\/create-|rest\/upload)/,
      /file-type|mime-db|nodemailer/,
    ];
    // The type of locales is plain data.
    const isNeedless = (name: string): boolean => needless.some((pattern) => pattern.test(name));
    expect(loaded.filter((name) => isNeedless(name) && !name.endsWith('locale-type.ts'))).toEqual([]);
  });

  it('writes with routes if register uses the server', async () => {
    const site = await siteWithDraft('Hello');
    site.write({
      'src/index.js': `export const register = ({ fastify, documents }) => {
        documents.after('publish', async () => {
          const { statusCode } = await fastify.inject('/api/articles');
          if (statusCode !== 403) throw new Error('/api/articles returns ' + statusCode);
          const payload = { query: '{ nothing }' };
          const graphql = await fastify.inject({ method: 'POST', url: '/graphql', payload });
          throw new Error('routes respond: ' + graphql.statusCode);
        });
      };`,
    });
    const { exitCode, stderr } = await publish(site, 'article', 'one');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('routes respond: 400') as string,
    });
  });

  it('publishes a draft and takes it back', async () => {
    const site = await siteWithDraft('Hello');
    const { exitCode, stdout } = await publish(site, 'article', 'one');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Published api::article.article one.\n' });
    expect(versions(site)).toEqual([
      { status: 'draft', title: 'Hello' },
      { status: 'published', title: 'Hello' },
    ]);
    const { json } = await unpublish(site, 'api::article.article', 'one', '--json');
    expect(json()).toMatchObject({
      action: 'unpublish',
      type: 'api::article.article',
      document: { documentId: 'one', publishedAt: null },
    });
    expect(versions(site)).toEqual([{ status: 'draft', title: 'Hello' }]);
  });

  it('runs the hooks of the project, which may refuse', async () => {
    const site = await siteWithDraft('Hello');
    const log = join(site.root, 'published.txt');
    mkdirSync(join(site.root, 'src'), { recursive: true });
    const entry = (body: string): void =>
      writeFileSync(
        join(site.root, 'src', 'index.ts'),
        `
          import { writeFileSync } from 'node:fs';
          export const register = ({ documents }) => {
            documents.before('publish', (event) => { ${body} });
          };
        `,
      );
    entry("throw new Error('not today');");
    expect(await publish(site, 'article', 'one')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('Error: not today (src/index.ts:4)') as string,
    });
    expect(versions(site)).toEqual([{ status: 'draft', title: 'Hello' }]);
    entry(`writeFileSync(${JSON.stringify(log)}, event.documentId);`);
    expect(await publish(site, 'article', 'one')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(log, 'utf8')).toBe('one');
  });

  it('only checks with --dry-run, without project code', async () => {
    const site = await siteWithDraft('Hello');
    mkdirSync(join(site.root, 'src'), { recursive: true });
    writeFileSync(join(site.root, 'src', 'index.ts'), "throw new Error('was run');");
    expect(await publish(site, 'article', 'one', '--dry-run')).toMatchObject({
      exitCode: 0,
      stdout: 'Would publish api::article.article one.\n',
    });
    expect((await unpublish(site, 'article', 'one', '--dry-run', '--json')).json()).toEqual({
      action: 'unpublish',
      type: 'api::article.article',
      documentId: 'one',
      dryRun: true,
    });
    expect(await publish(site, 'article', 'two', '--dry-run')).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await publish(site, 'article', 'one', '--locale', 'zz', '--dry-run')).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
    expect(versions(site)).toEqual([{ status: 'draft', title: 'Hello' }]);
  });

  it('warns of what a hook throws once the document is published', async () => {
    const site = await siteWithDraft('Hello');
    mkdirSync(join(site.root, 'src'), { recursive: true });
    writeFileSync(
      join(site.root, 'src', 'index.ts'),
      `
        export const register = ({ documents }) => {
          const fail = () => { throw new Error('no feed'); };
          for (const action of ['publish', 'unpublish']) documents.after(action, fail);
        };
      `,
    );
    for (const change of [publish, unpublish]) {
      const { exitCode, stderr } = await change(site, 'article', 'one');
      expect(exitCode).toBe(0);
      expect(stderr).toContain('Warning: A hook failed after the write: no feed (src/index.ts:3)');
    }
  });

  it('unpublishes what is not published without a word, so that scripts can run twice', async () => {
    const site = await siteWithDraft('Hello');
    expect((await unpublish(site, 'article', 'one')).exitCode).toBe(0);
    expect(versions(site)).toEqual([{ status: 'draft', title: 'Hello' }]);
  });

  it('names what is wrong and changes nothing', async () => {
    const site = await siteWithDraft('Hello');
    const missing = await publish(site, 'article', 'two');
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
    expect(missing.stderr).toContain('api::article.article has no document two');
    expect((await publish(site, 'artcle', 'one')).stderr).toContain('Did you mean article?');
    expect((await publish(site, 'article', 'one', '--locale', 'xx')).stderr).toContain(
      'There is no locale xx.',
    );
    expect(versions(site)).toEqual([{ status: 'draft', title: 'Hello' }]);
  });
});
