import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateProject } from '../../support/migrate-project.js';
import { openProject } from '../../../src/project/open/open-project.js';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentList from '../../../src/commands/content/list.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import Export from '../../../src/commands/export.js';
import Import from '../../../src/commands/import.js';
import MediaAdd from '../../../src/commands/media/add.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import TokenCreate from '../../../src/commands/token/create.js';
import Transfer from '../../../src/commands/transfer.js';
import UserCreate from '../../../src/commands/user/create.js';
import UserList from '../../../src/commands/user/list.js';
import { fileTree } from '../../cli/support/file-tree.js';
import { runCommand } from '../../cli/support/run-command.js';
import { databases } from '../../support/databases.js';
import { createSite, createSiteFolder } from '../support/site.js';
import type { Site } from '../support/site.js';

type Command = Parameters<typeof runCommand>[0];
type Json = Readonly<Record<string, unknown>>;

/** Returns pulled files by path, without the bases of merges, which name their database. */
const contentFiles = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fileTree(join(root, 'content'))).filter(([path]) => !path.startsWith('.base/')),
  );

describe.each(databases)('a transfer on $name', (database) => {
  let site: Site;
  let home: Awaited<ReturnType<typeof createSiteFolder>>;
  const runIn = (cwd: string, command: Command, argv: readonly string[], stdin = '') =>
    runCommand(command, argv, { cwd, stdin });
  const here = (command: Command, ...argv: readonly string[]) => runIn(home.root, command, argv);
  const there = (command: Command, ...argv: readonly string[]) => runIn(site.root, command, argv);
  const namesHere = async (): Promise<readonly unknown[]> =>
    (await here(ContentList, 'tag', '--sort', 'name', '--json'))
      .json<{ documents: readonly Json[] }>()
      .documents.map(({ name }) => name);
  const leftOver = (): readonly string[] => {
    const folder = join(home.root, '.galley', 'transfers');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { transfer: { enabled: true } } });
    home = await createSiteFolder({ project: 'magazine', database });
    await migrateProject(await openProject(home.root), { label: 'model' });
    await runIn(home.root, RemoteAdd, ['live', site.server.url, '--token', '-'], site.tokens['full']);
    await there(ContentCreate, 'tag', '--set', 'name=sea');
    await there(ContentCreate, 'tag', '--set', 'name=slow');
    await there(ContentCreate, 'article', '--set', 'title=A ferry', '--set', 'tags=sea,slow', '--publish');
    // Its stored name has more than 100 characters, which the header of a tar entry has no room for.
    const note = `${'note'.repeat(25)}.txt`;
    writeFileSync(join(site.root, note), 'a note');
    await there(MediaAdd, note);
    await there(UserCreate, 'ann', '--email', 'ann@example.com', '--password', 'correct horse');
  });
  afterAll(async () => {
    await site.close();
    await home.remove();
  });

  it('says what it would bring, and brings nothing in a dry run', async () => {
    const planned = await here(Transfer, '--from', 'live', '--dry-run', '--json');
    expect(planned).toMatchObject({ exitCode: 0 });
    expect(planned.json()).toMatchObject({ dryRun: true, files: { rows: 1, objects: 1 } });
    expect(await namesHere()).toEqual([]);
    expect(leftOver()).toEqual([]);
  });

  it('brings documents, their links and files here, and no users', async () => {
    expect(await here(Transfer, '--from', 'live', '--yes')).toMatchObject({ exitCode: 0 });
    expect(leftOver()).toEqual([]);
    await here(ContentPull, '--to', 'content');
    await there(ContentPull, '--to', 'content');
    expect(await namesHere()).toEqual(['sea', 'slow']);
    expect(contentFiles(home.root)).toEqual(contentFiles(site.root));
    expect((await here(UserList, '--json')).json()).toEqual([]);
  });

  it('goes on with what was fetched where it was interrupted', async () => {
    const file = join(home.root, '.galley', 'transfers', 'live.here.tar.gz');
    await here(Export, file, '--remote', 'live');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await there(ContentCreate, 'tag', '--set', 'name=new');
    const again = await here(Transfer, '--from', 'live', '--yes');
    expect(again.stderr).toContain('Resuming with the data fetched before');
    expect(await namesHere()).toEqual(['sea', 'slow']);
    await here(Transfer, '--from', 'live', '--yes');
    expect(await namesHere()).toEqual(['new', 'sea', 'slow']);
  });

  it('brings content to a server, whose readers see it', async () => {
    await here(ContentUpdate, 'tag', (await documentIdOf('sea')) ?? '', '--set', 'label=blue');
    await here(ContentCreate, 'tag', '--set', 'name=here');
    const sent = await here(Transfer, '--to', 'live', '--only', 'content', '--type', 'tag', '--yes');
    expect(sent).toMatchObject({ exitCode: 0 });
    const listed = await here(ContentList, 'tag', '--remote', 'live', '--sort', 'name', '--json');
    expect(listed.json<{ documents: Json[] }>().documents).toMatchObject([
      { name: 'here' },
      { name: 'new' },
      { name: 'sea', label: 'blue' },
      { name: 'slow' },
    ]);
  });

  it('leaves out the content-types that flags exclude', async () => {
    const typesOf = async (command: Command, ...argv: readonly string[]): Promise<readonly unknown[]> => {
      const planned = await here(command, ...argv, '--dry-run', '--json');
      expect(planned).toMatchObject({ exitCode: 0 });
      return planned.json<{ types: readonly Json[] }>().types.map(({ uid }) => uid);
    };
    const excluded = ['--exclude-type', 'tag', '--exclude-type', 'plugin::upload.file'];
    const remaining = (types: readonly unknown[]): boolean =>
      types.includes('api::article.article') &&
      !types.includes('api::tag.tag') &&
      !types.includes('plugin::upload.file');
    expect(remaining(await typesOf(Transfer, '--from', 'live', ...excluded))).toBe(true);
    expect(remaining(await typesOf(Export, ...excluded))).toBe(true);
    await here(Export, 'all.tar.gz', '--remote', 'live');
    await here(Export, 'rest.tar.gz', '--remote', 'live', ...excluded);
    expect(await typesOf(Import, 'all.tar.gz', '--existing', 'replace')).toContain('api::tag.tag');
    expect(remaining(await typesOf(Import, 'all.tar.gz', '--existing', 'replace', ...excluded))).toBe(true);
    expect(remaining(await typesOf(Import, 'rest.tar.gz', '--existing', 'replace'))).toBe(true);
    const sent = ['all.tar.gz', '--remote', 'live', '--existing', 'replace', ...excluded];
    expect(remaining(await typesOf(Import, ...sent))).toBe(true);
    expect((await here(Export, '--exclude-type', 'tag', '--type', 'article')).exitCode).toBe(2);
    expect((await here(Export, '--exclude-type', 'tag', '--format', 'strapi')).exitCode).toBe(2);
    expect((await here(Export, '--exclude-type', 'tga')).stderr).toContain('tag');
  });

  const documentIdOf = async (name: string): Promise<string | undefined> =>
    (await here(ContentList, 'tag', '--filter', `name=${name}`, '--format', 'ids')).stdout.trim();

  it('writes missing local schema files first, if a flag requests it', async () => {
    const path = 'src/api/tag/content-types/tag/schema.json';
    const blank = await createSiteFolder({ project: 'magazine', database });
    const run = (...argv: readonly string[]) => runIn(blank.root, Transfer, ['--from', 'live', ...argv]);
    rmSync(join(blank.root, 'src/api'), { recursive: true });
    await migrateProject(await openProject(blank.root), { label: 'model' });
    await runIn(blank.root, RemoteAdd, ['live', site.server.url, '--token', '-'], site.tokens['full']);
    const planned = await run('--schemas', '--dry-run');
    expect(planned.stdout).toContain(`Would write first:\n`);
    expect(planned.stdout).toContain(path);
    expect(existsSync(join(blank.root, path))).toBe(false);
    expect(await run('--schemas', '--yes')).toMatchObject({ exitCode: 0 });
    const count = ['tag', '--format', 'count'];
    const arrived = await runIn(blank.root, ContentList, count);
    expect(arrived.stdout).toBe((await there(ContentList, ...count)).stdout);
    expect((await here(Transfer, '--to', 'live', '--schemas')).exitCode).toBe(2);
    await blank.remove();
  });

  it('is also an archive that is fetched, and one that is sent', async () => {
    expect(await here(Export, 'tags.tar.gz', '--type', 'tag', '--remote', 'live')).toMatchObject({
      exitCode: 0,
    });
    const refused = await here(Import, 'tags.tar.gz', '--remote', 'live', '--yes');
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('The database already contains 4 documents of the import');
    const taken = await here(Import, 'tags.tar.gz', '--remote', 'live', '--existing', 'skip', '--yes');
    expect(taken).toMatchObject({ exitCode: 0 });
    writeFileSync(join(home.root, 'broken.tar.gz'), 'no archive');
    const broken = await here(Import, 'broken.tar.gz', '--remote', 'live', '--yes');
    expect(broken.stderr).toContain('neither a Galley archive nor a Strapi export');
  });

  it('needs a token with full access', async () => {
    const { accessKey } = (
      await there(TokenCreate, '--name', 'reader', '--type', 'read-only', '--json')
    ).json<{ accessKey: string }>();
    await runIn(home.root, RemoteAdd, ['reader', site.server.url, '--token', '-'], accessKey);
    const refused = await here(Transfer, '--from', 'reader', '--yes');
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('a token of type full-access');
    expect(leftOver()).toEqual([]);
  });
});
