import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentDiff from '../../../src/commands/content/diff.js';
import ContentPublish from '../../../src/commands/content/publish.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentPush from '../../../src/commands/content/push.js';
import ContentShow from '../../../src/commands/content/show.js';
import ContentUnpublish from '../../../src/commands/content/unpublish.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import { createSharedSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const i18n = { pluginOptions: { i18n: { localized: true } } };

const POST = {
  kind: 'collectionType',
  collectionName: 'posts',
  info: { singularName: 'post', pluralName: 'posts', displayName: 'Post' },
  options: { draftAndPublish: true },
  ...i18n,
  attributes: {
    title: { type: 'string', ...i18n },
    slug: { type: 'uid', targetField: 'title', generate: true },
    price: { type: 'integer' },
    body: { type: 'richtext', ...i18n },
    makers: { type: 'relation', relation: 'manyToMany', target: 'api::maker.maker' },
    seo: { type: 'component', component: 'shared.seo', ...i18n },
  },
};

const MAKER = {
  kind: 'collectionType',
  collectionName: 'makers',
  info: { singularName: 'maker', pluralName: 'makers', displayName: 'Maker' },
  attributes: { name: { type: 'string', unique: true }, motto: { type: 'text' } },
};

const SEO = {
  collectionName: 'components_shared_seos',
  info: { displayName: 'seo' },
  attributes: { label: { type: 'string' }, note: { type: 'string' } },
};

const BODY = 'one\ntwo\nthree\nfour\nfive';

describe('a push and a pull merge changes of both sides', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: site.root });
  const succeed = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
    const result = await run(command, ...argv);
    expect({ argv, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    return result;
  };
  const save = async (name: string | null, data: object, ...argv: readonly string[]) => {
    writeFileSync(join(site.root, 'data.json'), JSON.stringify(data));
    if (name === null) await succeed(ContentCreate, 'post', '--from', 'data.json', ...argv);
    else await succeed(ContentUpdate, 'post', name, '--from', 'data.json', ...argv);
  };
  const path = (name: string) => join(site.root, 'content', name);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  const edit = (name: string, from: string, to: string) => {
    expect(read(name)).toContain(from);
    writeFileSync(path(name), read(name).replace(from, to));
  };
  const stored = async (name: string, ...argv: readonly string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await succeed(ContentShow, 'post', name, '--format', 'json', ...argv)).stdout) as Record<
      string,
      unknown
    >;
  const removeBases = () => rmSync(path('.base'), { recursive: true, force: true });
  const database = () => readdirSync(path('.base'))[0] ?? '';
  const FILE = 'post/bread.en.md';

  beforeEach(async () => {
    site = await createSharedSite({
      'src/api/post/content-types/post/schema.json': POST,
      'src/api/maker/content-types/maker/schema.json': MAKER,
      'src/components/shared/seo.json': SEO,
    });
    await succeed(LocaleAdd, 'fr');
    for (const name of ['ada', 'bo', 'cy']) await succeed(ContentCreate, 'maker', '--set', `name=${name}`);
    await save(null, {
      title: 'Bread',
      price: 1,
      body: BODY,
      makers: ['ada', 'bo'],
      seo: { label: 'L', note: 'N' },
    });
    await succeed(ContentPull);
  });

  it('keeps changes of the database that a stale checkout lacks, and writes them into the file', async () => {
    await save('bread', { price: 2, body: BODY.replace('one', 'ONE'), makers: ['ada', 'bo', 'cy'] });
    await save('bread', { seo: { label: 'L2', note: 'N' } });
    edit(FILE, 'title: Bread', 'title: Rye');
    edit(FILE, 'five', 'FIVE');
    edit(FILE, '  - ada\n', '');
    edit(FILE, 'note: N', 'note: N2');
    const { stdout, stderr } = await succeed(ContentPush, '--yes');
    expect(stdout).toBe('Wrote 1 change. Updated 1 file.\n');
    expect(stderr).toContain(`merge ${FILE}\n  from the database: price, body, makers, seo\n`);
    expect(await stored('bread')).toMatchObject({
      title: 'Rye',
      price: 2,
      body: 'ONE\ntwo\nthree\nfour\nFIVE',
      seo: { label: 'L2', note: 'N2' },
      makers: [{ name: 'bo' }, { name: 'cy' }],
    });
    expect(read(FILE)).toMatch(/title: Rye\n.*price: 2\n.*- bo\n {2}- cy\n/s);
    expect(read(FILE)).toContain('ONE\ntwo\nthree\nfour\nFIVE');
    expect(await run(ContentDiff, '--exit-code')).toMatchObject({ stdout: '', exitCode: 0 });
    expect((await succeed(ContentPull)).stdout).toBe('');
  });

  it('updates files that only the database has changed, without a write', async () => {
    await save('bread', { title: 'Rye' }, '--publish');
    expect((await succeed(ContentPush, '--yes')).stdout).toBe('Wrote 0 changes. Updated 1 file.\n');
    expect(read(FILE)).toContain('$status: published\ntitle: Rye');
    expect(await run(ContentDiff, '--exit-code')).toMatchObject({ stdout: '', exitCode: 0 });
  });

  it('marks conflicts in the file, and writes nothing until they are resolved', async () => {
    await save('bread', { title: 'Database', body: BODY.replace('two', 'DB'), price: 2 });
    edit(FILE, 'title: Bread', 'title: File');
    edit(FILE, 'two', 'FILE');
    const before = read(FILE);
    const base = read(`.base/${database()}/post/bread.en.json`);
    const dryRun = await run(ContentPush, '--dry-run', '--json');
    expect(dryRun.exitCode).toBe(1);
    expect(dryRun.stdout).toContain('content/conflict');
    const diff = await run(ContentDiff, '--exit-code');
    expect(diff).toMatchObject({ exitCode: 1 });
    expect(diff.stdout).toContain(`conflict ${FILE}:5: title\n`);
    expect(JSON.parse((await run(ContentDiff, '--json')).stdout)).toMatchObject({
      conflicts: [
        { file: FILE, line: 5, attribute: 'title' },
        { file: FILE, attribute: 'body' },
      ],
    });
    expect([read(FILE), read(`.base/${database()}/post/bread.en.json`)]).toEqual([before, base]);

    const push = await run(ContentPush, '--yes');
    expect(push.exitCode).toBe(1);
    const line = read(FILE).split('\n').lastIndexOf('<<<<<<< file') + 1;
    expect(push.stderr).toContain(
      `Conflicts between files and database: 2\n  ${FILE}:5: title\n  ${FILE}:${line}: body\n`,
    );
    expect(read(FILE)).toContain('<<<<<<< file\ntitle: File\n=======\ntitle: Database\n>>>>>>> database\n');
    expect(read(FILE)).toContain('one\n<<<<<<< file\nFILE\n=======\nDB\n>>>>>>> database\nthree\n');
    expect(await stored('bread')).toMatchObject({ title: 'Database', price: 2 });

    for (const command of [ContentPush, ContentDiff, ContentPull])
      expect((await run(command, ...(command === ContentDiff ? [] : ['--yes']))).stderr).toContain(
        `${FILE}:5: The conflict is unresolved.`,
      );
    edit(FILE, '<<<<<<< file\ntitle: File\n=======\ntitle: Database\n>>>>>>> database\n', 'title: Both\n');
    edit(FILE, '<<<<<<< file\nFILE\n=======\nDB\n>>>>>>> database\n', 'FILE and DB\n');
    await succeed(ContentPush, '--yes');
    expect(await stored('bread')).toMatchObject({
      title: 'Both',
      price: 2,
      body: BODY.replace('two', 'FILE and DB'),
    });
  });

  it.each([
    ['--ours', 'File'],
    ['--theirs', 'Database'],
  ])('resolves conflicts with %s, and keeps the changes of both sides', async (flag, title) => {
    await save('bread', { title: 'Database', price: 2 });
    edit(FILE, 'title: Bread', 'title: File');
    edit(FILE, 'four', 'FOUR');
    await succeed(ContentPush, '--yes', flag);
    expect(await stored('bread')).toMatchObject({ title, price: 2, body: BODY.replace('four', 'FOUR') });
    expect(read(FILE)).toContain(`title: ${title}\n`);
    expect(await run(ContentDiff, '--exit-code')).toMatchObject({ stdout: '', exitCode: 0 });
  });

  it('merges the status, and reports a version that one side unpublishes and the other changes', async () => {
    await succeed(ContentPublish, 'post', 'bread');
    await succeed(ContentPull, '--yes');
    await save('bread', { title: 'Draft of the database' });
    edit(FILE, 'price: 1', 'price: 3');
    await succeed(ContentPush, '--yes');
    expect(read(FILE)).toMatch(/\$status: modified\ntitle: Draft of the database\n.*price: 3/s);
    expect(read('post/bread.en.published.md')).toMatch(/title: Bread\n.*price: 3/s);
    expect(await stored('bread', '--status', 'published')).toMatchObject({ title: 'Bread', price: 3 });

    await succeed(ContentUnpublish, 'post', 'bread');
    edit('post/bread.en.published.md', 'title: Bread', 'title: Live');
    const push = await run(ContentPush, '--yes');
    expect(push.stderr).toContain(`${FILE}:4: $status\n`);
    expect(read(FILE)).toContain(
      '<<<<<<< file\n$status: modified\n=======\n$status: draft\n>>>>>>> database\n',
    );
    edit(
      FILE,
      '<<<<<<< file\n$status: modified\n=======\n$status: draft\n>>>>>>> database\n',
      '$status: draft\n',
    );
    rmSync(path('post/bread.en.published.md'));
    expect((await succeed(ContentPush, '--yes')).stdout).toBe('Nothing to push.\n');
  });

  it('does not create deleted documents again, and removes their unedited files with --delete', async () => {
    await succeed(ContentDelete, 'maker', 'cy', '--yes');
    const skipped = await succeed(ContentPush, '--yes');
    expect(skipped.stdout).toBe('Nothing to push.\n');
    expect(skipped.stderr).toContain('1 document was deleted from the database. --delete removes its file');
    expect((await succeed(ContentPush, '--yes', '--delete')).stderr).toContain('remove file maker/cy.yaml');
    expect(existsSync(path('maker/cy.yaml'))).toBe(false);
    expect(existsSync(path(`.base/${database()}/maker/cy.json`))).toBe(false);
    expect((await succeed(ContentPush, '--yes')).stderr).not.toContain('deleted');
  });

  it('reports documents that one side deletes and the other changes', async () => {
    await succeed(ContentDelete, 'maker', 'cy', '--yes');
    edit('maker/cy.yaml', 'name: cy', 'name: cy\nmotto: Alive');
    rmSync(path('maker/bo.yaml'));
    await succeed(ContentUpdate, 'maker', 'bo', '--set', 'motto=Changed');
    rmSync(path('maker/ada.yaml'));
    const push = await run(ContentPush, '--yes', '--delete');
    expect(push.stderr).toContain('\n  maker/cy.yaml:1: $documentId\n  maker/bo.yaml:1: $documentId\n');
    expect(read('maker/cy.yaml')).toMatch(
      /^<<<<<<< file\n\$documentId: \w+\n\$new: true\nname: cy\nmotto: Alive\n=======\n>>>>>>> database\n$/,
    );
    expect(read('maker/bo.yaml')).toMatch(
      /^<<<<<<< file\n=======\n\$documentId: \w+\nname: bo\nmotto: Changed\n>>>>>>> database\n$/,
    );
    // Ada is unchanged, but nothing is written while there are conflicts.
    await succeed(ContentShow, 'maker', 'ada');
    rmSync(path('maker/bo.yaml'));
    writeFileSync(path('maker/cy.yaml'), read('maker/cy.yaml').replace(/^[<=>]{7}.*\n/gm, ''));
    await succeed(ContentPush, '--yes', '--delete');
    expect((await run(ContentShow, 'maker', 'ada')).exitCode).toBe(1);
    expect((await run(ContentShow, 'maker', 'bo')).exitCode).toBe(1);
    expect((await succeed(ContentShow, 'maker', 'cy')).stdout).toContain('motto: Alive');
  });

  it('applies an edit of a shared value to all locales, and rejects two different ones', async () => {
    await save('bread', { title: 'Pain' }, '--locale', 'fr');
    await succeed(ContentPull, '--yes');
    edit(FILE, 'price: 1', 'price: 5');
    await succeed(ContentPush, '--yes');
    expect(await stored('bread', '--locale', 'fr')).toMatchObject({ title: 'Pain', price: 5 });
    const [french = ''] = readdirSync(path('post')).filter((name) => name.endsWith('.fr.md'));
    expect(read(`post/${french}`)).toContain('price: 5');
    expect(await run(ContentDiff, '--exit-code')).toMatchObject({ stdout: '', exitCode: 0 });
    edit(FILE, 'price: 5', 'price: 6');
    edit(`post/${french}`, 'price: 5', 'price: 7');
    expect((await run(ContentPush, '--yes')).stderr).toContain('price is shared by all locales, but ');
  });

  it('pushes a folder without bases as before, and says so', async () => {
    removeBases();
    await save('bread', { price: 2 });
    edit(FILE, 'title: Bread', 'title: Rye');
    const { stderr } = await succeed(ContentPush, '--yes');
    expect(stderr).toContain('1 changed file has no base of this database.');
    expect(await stored('bread')).toMatchObject({ title: 'Rye', price: 1 });
    await save('bread', { price: 2 });
    await succeed(ContentPush, '--yes');
    expect(read(FILE)).toContain('price: 2');
  });

  it('merges edits of files in a pull', async () => {
    edit(FILE, 'title: Bread', 'title: Rye');
    await save('bread', { price: 2 });
    expect((await succeed(ContentPull, '--yes')).stdout).toBe(`merge ${FILE}\n`);
    expect(read(FILE)).toMatch(/title: Rye\n.*price: 2/s);
    expect((await succeed(ContentPull, '--yes')).stdout).toBe('');
    await save('bread', { title: 'Database' });
    const pull = await run(ContentPull, '--yes');
    expect(pull.exitCode).toBe(1);
    expect(pull.stderr).toContain(`${FILE}:5: title`);
    expect(read(FILE)).toContain('<<<<<<< file\ntitle: Rye\n=======\ntitle: Database\n>>>>>>> database\n');
    expect((await run(ContentPull, '--yes')).stderr).toContain('The conflict is unresolved.');
    await succeed(ContentPull, '--yes', '--overwrite');
    expect(read(FILE)).toContain('title: Database\n');
    rmSync(path('maker/ada.yaml'));
    expect((await succeed(ContentPull, '--yes')).stderr).toContain('1 document has no file any more.');
    expect(existsSync(path('maker/ada.yaml'))).toBe(false);
    await succeed(ContentPull, '--yes', '--overwrite');
    expect(existsSync(path('maker/ada.yaml'))).toBe(true);
  });
});
