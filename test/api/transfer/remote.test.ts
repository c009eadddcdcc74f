import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { remoteContentStore } from '../../../src/project/open/content-stores.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { openRemote } from '../../../src/cli/project/command-target.js';
import ContentCheck from '../../../src/commands/content/check.js';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentDiff from '../../../src/commands/content/diff.js';
import ContentDuplicate from '../../../src/commands/content/duplicate.js';
import ContentEdit from '../../../src/commands/content/edit.js';
import ContentExport from '../../../src/commands/content/export.js';
import ContentImport from '../../../src/commands/content/import.js';
import ContentList from '../../../src/commands/content/list.js';
import ContentPublish from '../../../src/commands/content/publish.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentPush from '../../../src/commands/content/push.js';
import ContentSearch from '../../../src/commands/content/search.js';
import ContentShow from '../../../src/commands/content/show.js';
import ContentUnpublish from '../../../src/commands/content/unpublish.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import LocaleRemove from '../../../src/commands/locale/remove.js';
import LocaleStatus from '../../../src/commands/locale/status.js';
import MediaPrune from '../../../src/commands/media/prune.js';
import Import from '../../../src/commands/import.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import RemoteCheck from '../../../src/commands/remote/check.js';
import RemoteList from '../../../src/commands/remote/list.js';
import RemoteRemove from '../../../src/commands/remote/remove.js';
import TokenCreate from '../../../src/commands/token/create.js';
import { contentTree } from '../../cli/support/file-tree.js';
import { runCommand } from '../../cli/support/run-command.js';
import { databases } from '../../support/databases.js';
import { freePort } from '../../support/free-port.js';
import { importUntilKilled } from '../../support/import-until-killed.js';
import { fixtureProject } from '../../support/models.js';
import { remoteMediaCases } from './remote-media-cases.js';
import { remoteVersionCases } from './remote-version-cases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

type Command = Parameters<typeof runCommand>[0];
type Json = Readonly<Record<string, unknown>>;

/** A clone of the project that has no database. */
const createClone = (): string => {
  const root = mkdtempSync(join(inject('runFolder'), 'clone-'));
  cpSync(join(fixtureProject('magazine'), 'src'), join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'cms.config.mjs'), 'export default {};\n');
  return root;
};

describe.each(databases)('the content of a remote server on $name', (database) => {
  let site: Site;
  let clone: string;
  const runIn = (cwd: string, command: Command, argv: readonly string[], stdin?: string) =>
    runCommand(command, argv, { cwd, ...(stdin === undefined ? {} : { stdin }) });
  const run = (command: Command, ...argv: readonly string[]) => runIn(clone, command, argv);
  /** Runs a command that works with the server, and has to succeed. */
  const there = async (command: Command, ...argv: readonly string[]) => {
    const result = await run(command, ...argv, '--remote', 'live');
    expect(result).toMatchObject({ exitCode: 0 });
    return result;
  };
  const shown = async (...argv: readonly string[]) =>
    (await there(ContentShow, ...argv, '--json')).json<{ document: Json }>().document;
  const add = (name: string, token: string, ...argv: readonly string[]) =>
    runIn(clone, RemoteAdd, [name, site.server.url, '--token', '-', ...argv], `${token}\n`);

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { api: { rest: { maxLimit: 3 } } } });
    clone = createClone();
    await add('live', site.tokens['full'] ?? '');
  });
  afterAll(() => site.close());

  it('is named by an address and a token that only its owner may read', async () => {
    const file = join(clone, '.galley', 'remotes.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ live: { url: `${site.server.url}/api` } });
    const listed = await run(RemoteList, '--json');
    expect(listed.json()).toEqual([{ name: 'live', url: `${site.server.url}/api`, token: 'file' }]);
    const checked = await run(RemoteCheck, 'live');
    expect(checked.stdout).toContain('The token full may read and write everything.');
    expect(listed.stdout + checked.stdout + checked.stderr).not.toContain(site.tokens['full']);
    chmodSync(file, 0o644);
    expect(await run(RemoteList)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('chmod 600') as string,
    });
    chmodSync(file, 0o600);
  });

  it('reports errors in an address or a token', async () => {
    const add2 = (...argv: readonly string[]) => runIn(clone, RemoteAdd, ['other', ...argv], 'secret-text\n');
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[site.server.url, '--token', 'secret-text'], 'can see a token in the arguments'],
      [[site.server.url, '--token', '-'], 'rejected the token'],
      [[`http://127.0.0.1:${await freePort()}`, '--token', '-'], 'cannot be reached'],
      [[`${site.server.url}/elsewhere`, '--token', '-'], 'no API is there'],
      [['ftp://example.com', '--token', '-'], 'must begin with https://'],
      [['https://ann:pw@example.com', '--token', '-'], 'it contains a password'],
    ];
    for (const [argv, text] of cases) {
      const { exitCode, stderr, stdout } = await add2(...argv);
      expect({ argv, exitCode, isTold: stderr.includes(text) ? text : stderr }).toMatchObject({
        isTold: text,
      });
      expect(exitCode).not.toBe(0);
      expect(stderr + stdout).not.toContain('secret-text');
    }
    const inTheClear = await add2('http://cms.example.com', '--token', '-', '--no-check', '--dry-run');
    expect(inTheClear).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('no TLS') as string });
    expect(await add('live', 'x')).toMatchObject({ exitCode: 1 });
    expect(await run(ContentList, 'tag', '--remote', 'liev')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Did you mean live?') as string,
    });
  });

  it('is written and read by the same commands', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      await there(ContentCreate, 'tag', '--set', `name=${name}`);
    expect((await there(ContentList, 'tag', '--format', 'count')).stdout.trim()).toBe('5');
    const all = (await there(ContentList, 'tag', '--limit', '0', '--json')).json<{ documents: Json[] }>();
    expect(all.documents.map(({ name }) => name)).toEqual(['one', 'two', 'three', 'four', 'five']);
    const four = (await there(ContentList, 'tag', '--limit', '4', '--sort', 'name', '--json')).json<{
      documents: Json[];
    }>();
    expect(four.documents.map(({ name }) => name)).toEqual(['five', 'four', 'one', 'three']);
    await there(ContentUpdate, 'tag', 'one', '--set', 'weight=7');
    expect(await shown('tag', 'one')).toMatchObject({ name: 'one', weight: 7 });
    const articleId = (
      await there(
        ContentCreate,
        'article',
        '--set',
        'title=A lamp',
        '--set',
        'slug=a-lamp',
        '--set',
        'tags=one,two',
      )
    ).stdout.trim();
    expect(await shown('article', 'a-lamp')).toMatchObject({
      documentId: articleId,
      tags: [{ name: 'one' }, { name: 'two' }],
    });
    await there(ContentPublish, 'article', 'a-lamp');
    expect(await shown('article', 'a-lamp', '--status', 'published')).toMatchObject({ title: 'A lamp' });
    expect((await there(ContentList, 'article')).stdout).toContain('published');
    await there(ContentUnpublish, 'article', 'a-lamp');
    await there(ContentDuplicate, 'article', 'a-lamp', '--set', 'title=Another');
    const found = (await there(ContentSearch, 'anoth', '--json')).json<{ documents: { document: Json }[] }>();
    expect(found.documents).toMatchObject([{ document: { title: 'Another' } }]);
    await there(ContentDelete, 'tag', '--filter', 'name:startsWith=f', '--yes');
    expect((await there(ContentList, 'tag', '--format', 'count')).stdout.trim()).toBe('3');
  });

  it('is checked and translated by the same commands', async () => {
    await there(LocaleAdd, 'pt');
    await there(ContentCreate, 'article', '--set', 'title=A desk', '--set', 'slug=a-desk');
    const check = await run(
      ContentCheck,
      '--type',
      'article',
      '--locale',
      'pt',
      '--remote',
      'live',
      '--json',
    );
    expect(check.json<{ counts: Json }>().counts).toMatchObject({
      'missing-translation': expect.any(Number),
    });
    const xliff = ['--xliff', 'article.xlf'];
    await there(ContentExport, 'article', ...xliff, '--locale', 'pt');
    const file = join(clone, 'article.xlf');
    const source = '<source>A desk</source>';
    writeFileSync(file, readFileSync(file, 'utf8').replace(source, `${source}<target>Uma mesa</target>`));
    expect((await there(ContentImport, ...xliff, '--yes')).stdout).toBe('Wrote 1 document in pt.\n');
    expect(await shown('article', 'a-desk', '--locale', 'pt')).toMatchObject({ title: 'Uma mesa' });
    const counts = (await there(LocaleStatus, '--locale', 'pt', '--json')).json<readonly Json[]>();
    expect(counts.find(({ type }) => type === 'api::article.article')).toMatchObject({ complete: 1 });
    await there(ContentExport, 'article', ...xliff, '--locale', 'pt');
    expect((await there(ContentImport, ...xliff, '--yes')).stdout).toBe('Nothing to import.\n');
    await there(ContentDelete, 'article', 'a-desk', '--yes');
    await there(LocaleRemove, 'pt', '--yes');
  });

  it('has single types', async () => {
    await there(ContentUpdate, 'homepage', '--set', 'headline=Hello', '--publish');
    await there(ContentUpdate, 'homepage', '--set', 'headline=Bonjour', '--locale', 'fr');
    expect(await shown('homepage', '--locale', 'fr')).toMatchObject({ headline: 'Bonjour' });
    expect(await shown('homepage', '--status', 'published')).toMatchObject({ headline: 'Hello' });
  });

  it('is not overwritten if it has changed since it was read', async () => {
    await there(ContentCreate, 'tag', '--set', 'name=seen');
    const { updatedAt } = await shown('tag', 'seen');
    const stale = ['tag', 'seen', '--if-match', String(updatedAt), '--remote', 'live'];
    expect((await run(ContentUpdate, ...stale, '--set', 'weight=1')).exitCode).toBe(0);
    for (const [command, ...argv] of [
      [ContentUpdate, '--set', 'weight=2'],
      [ContentDelete, '--yes'],
    ] as const)
      expect(await run(command, ...stale, ...argv)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('This tag was changed or deleted since you read it.') as string,
      });
    expect(await shown('tag', 'seen')).toMatchObject({ weight: 1 });
    const editor = join(clone, 'editor.cjs');
    const tags = JSON.stringify(`${site.server.url}/api/tags/`);
    const put = `fetch(${tags} + process.argv[2].split('.').at(-2), {
      method: 'PUT',
      headers: { authorization: 'Bearer ${site.tokens['full']}', 'content-type': 'application/json' },
      body: JSON.stringify({ data: { weight: 5 } }),
    })`;
    writeFileSync(
      editor,
      `const fs = require('node:fs'); const path = process.argv[2];
       fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('weight: 1', 'weight: 3'));
       ${put};`,
    );
    const env = { EDITOR: `${process.execPath} ${editor}`, PATH: process.env['PATH'] ?? '' };
    const edited = await runCommand(ContentEdit, ['tag', 'seen', '--remote', 'live'], { cwd: clone, env });
    expect(edited).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Another user changed api::tag.tag') as string,
    });
    expect(await shown('tag', 'seen')).toMatchObject({ weight: 5 });
    await there(ContentDelete, 'tag', 'seen', '--yes');
  });

  it('is not written with --if-match if the server cannot compare revisions', async () => {
    const earlier = createServer((request, response) => {
      const forward = async (): Promise<void> => {
        const { method = 'GET', url = '', headers } = request;
        const answer = await fetch(`${site.server.url}${url}`, {
          method,
          headers: { authorization: String(headers.authorization), 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body: await readText(request) }),
        });
        const text = (await answer.text()).replace('"comparesRevisions":true,', '');
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      };
      void forward();
    });
    await new Promise<void>((resolve) => earlier.listen(0, '127.0.0.1', resolve));
    const { port } = earlier.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    await runIn(clone, RemoteAdd, ['earlier', url, '--token', '-'], `${site.tokens['full']}\n`);
    const update = ['homepage', '--set', 'headline=x', '--if-match', '2026-01-01', '--remote', 'earlier'];
    const refused = await run(ContentUpdate, ...update);
    earlier.close();
    expect(refused.stderr).toContain('which cannot check that a document is unchanged');
    expect(refused.exitCode).toBe(1);
    await run(RemoteRemove, 'earlier', '--yes');
  });

  remoteVersionCases({ run, there, shown });

  it('is not changed by a dry run, which reports what would be refused', async () => {
    const before = (await there(ContentList, 'tag', '--format', 'count')).stdout;
    expect((await there(ContentCreate, 'tag', '--set', 'name=new', '--dry-run')).stderr).toContain(
      'Would create',
    );
    expect((await there(ContentList, 'tag', '--format', 'count')).stdout).toBe(before);
    const env = { EDITOR: 'sed -i.bak -e s/Hello/Hi/', PATH: process.env['PATH'] ?? '' };
    const edit = ['homepage', '--dry-run', '--remote', 'live'];
    expect(await runCommand(ContentEdit, edit, { cwd: clone, env })).toMatchObject({
      exitCode: 0,
      stdout: 'headline: "Hello" → "Hi"\n',
    });
    expect(await shown('homepage')).toMatchObject({ headline: 'Hello' });
    const refused = await run(
      ContentCreate,
      'tag',
      '--set',
      'weight=1',
      '--dry-run',
      '--remote',
      'live',
      '--json',
    );
    expect(refused.exitCode).toBe(1);
    expect(refused.json()).toMatchObject({
      error: { code: 'remote/refused', message: 'name must be set' },
    });
  });

  it('is pulled into the files that the project itself would write', async () => {
    await there(ContentPull, '--to', 'content');
    await runIn(site.root, ContentPull, ['--to', 'content']);
    const pulled = contentTree(join(clone, 'content'));
    expect(Object.keys(pulled).length).toBeGreaterThan(5);
    expect(pulled).toEqual(contentTree(join(site.root, 'content')));
    expect((await there(ContentDiff, '--from', 'content', '--exit-code')).stdout.trim()).toBe('');
  });

  it('is merged with files, whose conflicts are marked', async () => {
    const file = (name: string): string => join(clone, 'content', 'tag', `${name}.yaml`);
    const original = readFileSync(file('three'), 'utf8');
    await there(ContentUpdate, 'tag', 'two', '--set', 'weight=3');
    await there(ContentUpdate, 'tag', 'three', '--set', 'weight=4');
    writeFileSync(file('three'), `${original}weight: 5\n`);
    const push = await run(ContentPush, '--from', 'content', '--yes', '--remote', 'live');
    expect(push.exitCode).toBe(1);
    expect(push.stderr).toContain('\n  tag/three.yaml:3: weight\n');
    expect(readFileSync(file('three'), 'utf8')).toBe(
      `${original}<<<<<<< file\nweight: 5\n=======\nweight: 4\n>>>>>>> database\n`,
    );
    writeFileSync(file('three'), `${original}weight: 6\n`);
    expect((await there(ContentPush, '--from', 'content', '--yes')).stdout).toBe(
      'Wrote 1 change. Updated 1 file.\n',
    );
    expect(readFileSync(file('two'), 'utf8')).toContain('weight: 3\n');
    expect(await shown('tag', 'three')).toMatchObject({ weight: 6 });
    for (const name of ['two', 'three']) await there(ContentUpdate, 'tag', name, '--set', 'weight:=null');
    await there(ContentPull, '--to', 'content', '--yes');
  });

  it.each([[[]], [['--atomic']]])('keeps what others write during a push with %j', async (flags) => {
    const file = join(clone, 'content/tag/three.yaml');
    await there(ContentPull, '--to', 'content', '--yes');
    const original = readFileSync(file, 'utf8');
    writeFileSync(file, `${original}weight: 7\n`);
    const send = globalThis.fetch;
    let isFirst = true;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (isFirst && url.includes('/cms/bulk')) {
        isFirst = false;
        await there(ContentUpdate, 'tag', 'three', '--set', 'weight=8');
      }
      return send(input, init);
    });
    const push = await run(ContentPush, 'tag', '--from', 'content', '--yes', '--remote', 'live', ...flags);
    vi.mocked(globalThis.fetch).mockRestore();
    expect([push.exitCode, isFirst]).toEqual([1, false]);
    expect(push.stderr).toMatch(/tag\/three.yaml: tag \w+ was changed in the database during the push\./);
    expect(await shown('tag', 'three')).toMatchObject({ weight: 8 });
    await there(ContentUpdate, 'tag', 'three', '--set', 'weight:=null');
    writeFileSync(file, original);
  });

  it('is pushed to, one file after the other, up to the first that is refused', async () => {
    const folder = join(clone, 'content');
    const author = join(folder, 'author', 'ada.yaml');
    mkdirSync(join(folder, 'author'), { recursive: true });
    writeFileSync(join(folder, 'author', 'ann.yaml'), 'name: Ann\n');
    writeFileSync(author, 'name: Ada\nage: many\n');
    const refused = await run(ContentPush, 'author', '--from', 'content', '--yes', '--remote', 'live');
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('author/ada.yaml:2');
    writeFileSync(author, 'name: Ada\nage: 36\n');
    await there(ContentPush, 'author', '--from', 'content', '--yes');
    const authors = (await there(ContentList, 'author', '--sort', 'name', '--json')).json<{
      documents: Json[];
    }>().documents;
    expect(authors.map(({ name }) => name)).toEqual(['Ada', 'Ann']);
    expect((await there(ContentDiff, 'author', '--from', 'content', '--exit-code')).stdout.trim()).toBe('');
  });

  it('goes on with a table after what was committed when the command was killed', async () => {
    const names = Array.from({ length: 510 }, (_, index) => `killed ${index}`);
    const text = `name\n${names.join('\n')}\n`;
    writeFileSync(join(clone, 'killed.csv'), text);
    const access = await openRemote(clone, 'live', { info: () => undefined, warn: () => undefined });
    const { model } = await openProject(clone);
    const store = await remoteContentStore(model, access, () => undefined);
    await importUntilKilled(store, { type: 'api::author.author', file: 'killed.csv', text, after: 1 });
    const imported = await run(
      Import,
      'killed.csv',
      '--type',
      'author',
      '--remote',
      'live',
      '--json',
      '--yes',
    );
    expect(imported.stderr).toMatch(/Continuing after \d+ imported rows/);
    expect(imported.json()).toMatchObject({ rows: 510, rejected: 0 });
    const killed = ['author', '--filter', 'name:startsWith=killed'];
    const listed = await there(ContentList, ...killed, '--format', 'count');
    expect(listed.stdout.trim()).toBe('510');
    await there(ContentDelete, ...killed, '--yes');
  });

  it('takes the rows of tables, and gives those back that it refuses', async () => {
    writeFileSync(join(clone, 'people.csv'), 'name,age\nCy,7\nDi,many\n,8\n');
    const importing = (...argv: readonly string[]) =>
      run(Import, 'people.csv', '--type', 'author', '--key', 'name', '--remote', 'live', '--json', ...argv);
    const total = async () => (await there(ContentList, 'author', '--format', 'count')).stdout.trim();
    const before = await total();
    const counts = { created: 1, rejected: 2 };
    expect((await importing('--dry-run')).json()).toMatchObject({ ...counts, dryRun: true });
    expect(await total()).toBe(before);
    const imported = await importing('--yes');
    expect(imported).toMatchObject({ exitCode: 1 });
    expect(imported.json()).toMatchObject(counts);
    expect(imported.stderr).toContain('line 3: age: must be an integer');
    expect(readFileSync(join(clone, 'people.rejected.csv'), 'utf8')).toContain('it has no name,,8\n');
    expect((await importing('--yes')).json()).toMatchObject({ created: 0, skipped: 1, rejected: 2 });
    expect(Number(await total())).toBe(Number(before) + 1);
    const schemas = await run(Import, 'site.tar.gz', '--schemas', '--remote', 'live');
    expect(schemas).toMatchObject({ exitCode: 2 });
    expect(schemas.stderr).toContain('deploy');
  });

  it('is pushed to as a whole, or not at all', async () => {
    const folder = join(clone, 'content');
    const [good, bad] = [join(folder, 'tag', 'good.yaml'), join(folder, 'profile', 'bad.yaml')];
    mkdirSync(join(folder, 'profile'), { recursive: true });
    writeFileSync(good, 'name: good\n');
    writeFileSync(bad, 'nickname: x\nwebsite: 5\n');
    const push = (...argv: readonly string[]) =>
      run(ContentPush, 'tag', 'profile', '--from', 'content', '--yes', '--remote', 'live', ...argv);
    for (const flags of [['--atomic'], ['--dry-run']]) {
      const refused = await push(...flags);
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.stderr).toContain('profile/bad.yaml:2');
      expect(readFileSync(good, 'utf8')).toBe('name: good\n');
    }
    expect(
      (await there(ContentList, 'tag', '--filter', 'name=good', '--format', 'count')).stdout.trim(),
    ).toBe('0');
    writeFileSync(bad, 'nickname: x\n');
    expect(await push('--atomic')).toMatchObject({ exitCode: 0 });
    expect(
      (await there(ContentList, 'tag', '--filter', 'name=good', '--format', 'count')).stdout.trim(),
    ).toBe('1');
    rmSync(good);
    await there(ContentPull, 'tag', '--to', 'content', '--yes');
  });

  remoteMediaCases({ site: () => site, clone: () => clone, run, there, shown });

  it('may only be read with a token that may only read', async () => {
    const { accessKey } = (
      await runIn(site.root, TokenCreate, ['--name', 'reader', '--type', 'read-only', '--json'])
    ).json<{ accessKey: string }>();
    await add('reader', accessKey);
    const reading = await run(ContentList, 'tag', '--remote', 'reader');
    expect(reading).toMatchObject({ exitCode: 0 });
    const writing = await run(ContentCreate, 'tag', '--set', 'name=no', '--remote', 'reader');
    expect(writing).toMatchObject({ exitCode: 1 });
    expect(writing.stderr).toContain('a token of type full-access');
    const pruning = await run(MediaPrune, '--older-than', '0', '--yes', '--remote', 'reader');
    expect(pruning).toMatchObject({ exitCode: 1 });
    expect(pruning.stderr).toContain('a token of type full-access');
    expect((await run(RemoteCheck, 'reader')).stdout).toContain('The token reader may read.');
    expect(await run(RemoteRemove, 'reader')).toMatchObject({ exitCode: 0 });
  });

  it('reports where its types differ', async () => {
    const other = createClone();
    const path = join(other, 'src/api/tag/content-types/tag/schema.json');
    const schema = JSON.parse(readFileSync(path, 'utf8')) as { attributes: Record<string, Json> };
    schema.attributes = { ...schema.attributes, weight: { type: 'decimal' }, colour: { type: 'string' } };
    writeFileSync(path, JSON.stringify(schema));
    const article = join(other, 'src/api/article/content-types/article/schema.json');
    writeFileSync(article, readFileSync(article, 'utf8').replace('"localized": true', '"localized": false'));
    const variables = { CMS_REMOTE_LIVE_TOKEN: site.tokens['full'] ?? '' };
    writeFileSync(join(other, '.env'), `CMS_REMOTE_LIVE_TOKEN=${variables.CMS_REMOTE_LIVE_TOKEN}\n`);
    await runIn(other, RemoteAdd, ['live', site.server.url]);
    expect((await runIn(other, RemoteList, ['--json'])).json()).toMatchObject([{ token: 'environment' }]);
    const listed = await runIn(other, ContentList, ['tag', '--remote', 'live']);
    expect(listed).toMatchObject({ exitCode: 0 });
    expect(listed.stderr).toContain('weight is decimal here and integer there, colour is missing there');
    const refused = await runIn(other, ContentList, ['article', '--remote', 'live']);
    expect(refused.stderr).toContain('api::article.article is defined differently at live');
    expect((await runIn(other, RemoteCheck, ['live'])).stdout).toContain(
      'api::tag.tag: weight is decimal here',
    );
  });
});
