import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentDiscard from '../../../src/commands/content/discard.js';
import ContentDuplicate from '../../../src/commands/content/duplicate.js';
import ContentEdit from '../../../src/commands/content/edit.js';
import ContentHistory from '../../../src/commands/content/history.js';
import ContentList from '../../../src/commands/content/list.js';
import ContentPublish from '../../../src/commands/content/publish.js';
import ContentRestore from '../../../src/commands/content/restore.js';
import ContentSearch from '../../../src/commands/content/search.js';
import ContentShow from '../../../src/commands/content/show.js';
import ContentUnpublish from '../../../src/commands/content/unpublish.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import Import from '../../../src/commands/import.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import { createSharedSite, typeFile } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const i18n = { pluginOptions: { i18n: { localized: true } } };

const LAMP = {
  kind: 'collectionType',
  collectionName: 'lamps',
  info: { singularName: 'lamp', pluralName: 'lamps', displayName: 'Lamp' },
  options: { draftAndPublish: true },
  ...i18n,
  attributes: {
    title: { type: 'string', required: true, ...i18n },
    slug: { type: 'uid', targetField: 'title', generate: true },
    price: { type: 'decimal', min: 0 },
    isBright: { type: 'boolean' },
    colour: { type: 'enumeration', enum: ['red', 'blue'] },
    data: { type: 'json' },
    body: { type: 'richtext' },
    maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker' },
    makers: { type: 'relation', relation: 'manyToMany', target: 'api::maker.maker' },
    seo: { type: 'component', component: 'shared.seo' },
  },
};

const MAKER = {
  kind: 'collectionType',
  collectionName: 'makers',
  info: { singularName: 'maker', pluralName: 'makers', displayName: 'Maker' },
  attributes: { name: { type: 'string', unique: true }, motto: { type: 'string' } },
};

const SEO = {
  collectionName: 'components_shared_seos',
  info: { displayName: 'Seo' },
  attributes: {
    metaTitle: { type: 'string', maxLength: 20 },
    by: { type: 'relation', relation: 'oneToOne', target: 'api::maker.maker' },
  },
};

describe('cms content', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: site.root });
  const created = async (...argv: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await run(ContentCreate, ...argv);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return stdout.trim();
  };
  const shown = async (...argv: readonly string[]) =>
    (await run(ContentShow, ...argv, '--json')).json<{ document: Readonly<Record<string, unknown>> }>()
      .document;

  beforeAll(async () => {
    site = await createSharedSite({
      'src/api/lamp/content-types/lamp/schema.json': LAMP,
      'src/api/maker/content-types/maker/schema.json': MAKER,
      'src/components/shared/seo.json': SEO,
      ...typeFile('about', { kind: 'singleType' }),
    });
    await run(LocaleAdd, 'fr');
    await created('maker', '--set', 'name=Ada', '--set', 'motto=One');
    await created('maker', '--set', 'name=Bo', '--set', 'motto=One');
  });

  it('creates a document from assignments and prints its documentId', async () => {
    const values = ['title=A lamp', 'price=19.5', 'isBright=true', 'colour=red', 'data={"a": [1]}'];
    const links = ['maker=Ada', 'makers=Bo,Ada', 'seo.metaTitle=Lamp', 'seo.by=Bo'];
    const assignments = [...values, ...links].flatMap((assignment) => ['--set', assignment]);
    const documentId = await created('lamp', ...assignments, '--publish');
    expect(documentId).toMatch(/^[a-z][a-z0-9]{23}$/);
    expect(await shown('lamp', 'a-lamp', '--status', 'published')).toMatchObject({
      documentId,
      title: 'A lamp',
      price: 19.5,
      isBright: true,
      colour: 'red',
      data: { a: [1] },
      maker: { name: 'Ada' },
      makers: [{ name: 'Bo' }, { name: 'Ada' }],
      seo: { metaTitle: 'Lamp' },
    });
  });

  it('changes what is named and keeps the rest, in each locale', async () => {
    const documentId = await created('lamp', '--set', 'title=Kept', '--set', 'price=3');
    expect((await run(ContentUpdate, 'lamp', documentId, '--set', 'price:=null')).exitCode).toBe(0);
    expect(await shown('lamp', documentId)).toMatchObject({ title: 'Kept', price: null });
    await run(ContentUpdate, 'lamp', 'kept', '--set', 'title=Gardé', '--locale', 'fr');
    expect(await shown('lamp', documentId, '--locale', 'fr')).toMatchObject({ title: 'Gardé' });
    expect(await shown('lamp', documentId)).toMatchObject({ title: 'Kept' });
  });

  it('reads values from Markdown with front matter, YAML and JSON, and from standard input', async () => {
    writeFileSync(join(site.root, 'a.md'), '---\ntitle: From Markdown\nmaker: Bo\n---\n\n# Hello\n\nText\n');
    writeFileSync(join(site.root, 'b.yaml'), 'title: From YAML\nmakers: [Ada]\n');
    const fromMarkdown = await created('lamp', '--from', 'a.md', '--set', 'price=1');
    expect(await shown('lamp', fromMarkdown)).toMatchObject({
      title: 'From Markdown',
      body: '# Hello\n\nText',
      price: 1,
      maker: { name: 'Bo' },
    });
    expect(await shown('lamp', await created('lamp', '--from', 'b.yaml'))).toMatchObject({
      title: 'From YAML',
      makers: [{ name: 'Ada' }],
    });
    const { stdout } = await runCommand(ContentCreate, ['lamp', '--from', '-'], {
      cwd: site.root,
      stdin: '{"title": "From JSON"}',
    });
    expect(await shown('lamp', stdout.trim())).toMatchObject({ title: 'From JSON' });
  });

  it('writes a single type with or without content', async () => {
    expect((await run(ContentShow, 'about')).stderr).toContain('about has no content yet');
    await run(ContentUpdate, 'about', '--set', 'title=First');
    await run(ContentUpdate, 'about', '--set', 'title=Second');
    expect(await shown('about')).toMatchObject({ title: 'Second' });
    expect((await run(ContentList, 'about', '--format', 'count')).stdout).toBe('1\n');
  });

  it('lists by filter, order and limit, in all formats', async () => {
    for (const name of ['Red one', 'Red, "two"', 'Blue'])
      await created('lamp', '--set', `title=${name}`, '--set', `price=${name.length}`);
    const list = async (...argv: readonly string[]) =>
      (await run(ContentList, 'lamp', '--filter', 'title:startsWith=Red', '--sort', 'title', ...argv)).stdout;
    const fields = ['--fields', 'title,price'];
    expect(await list('--format', 'count')).toBe('2\n');
    expect(await list('--filter', 'price:gt=7', '--format', 'count')).toBe('1\n');
    expect(await list('--query', 'filters[price][$lte]=7', '--format', 'count')).toBe('1\n');
    expect((await list('--format', 'ids')).trim().split('\n')).toHaveLength(2);
    expect(await list('--format', 'csv', ...fields)).toMatch(
      /^id,documentId,title,price\n\d+,\w+,Red one,7\n\d+,\w+,"Red, ""two""",10\n$/,
    );
    expect(JSON.parse((await list('--format', 'jsonl', ...fields, '--limit', '1')).trim())).toMatchObject({
      title: 'Red one',
    });
    expect(await list('--format', 'yaml', ...fields)).toContain('title: Red one\n');
    expect(await list(...fields)).toMatch(
      /^ID +TITLE +PRICE +STATUS +LOCALE +UPDATED\n\w+ +Red one +7 +draft/,
    );
  });

  it('shows what components link, the status and the schedule', async () => {
    const documentId = await created(
      'lamp',
      ...['title=Shown', 'seo.by=Bo'].flatMap((text) => ['--set', text]),
    );
    expect((await run(ContentShow, 'lamp', documentId)).stdout).toMatch(
      /^\$status: draft\nid: [\s\S]*\nseo:\n[\s\S]*\n {2}by:\n[\s\S]*\n {4}name: Bo\n/,
    );
    const listed = await run(ContentList, 'lamp', '--filter', 'title=Shown', '--populate', 'seo', '--json');
    expect(listed.json()).toMatchObject({ documents: [{ seo: { by: { name: 'Bo' } } }] });
    await run(ContentPublish, 'lamp', documentId);
    await run(ContentUpdate, 'lamp', documentId, '--set', 'title=Shown, changed');
    await run(ContentPublish, 'lamp', documentId, '--at', '2999-01-02T03:04Z');
    const schedule = [{ action: 'publish', at: '2999-01-02T03:04:00.000Z' }];
    expect((await run(ContentShow, 'lamp', documentId, '--json')).json()).toMatchObject({
      status: 'modified',
      schedule,
      document: { title: 'Shown, changed' },
    });
    const published = await run(ContentShow, 'lamp', documentId, '--status', 'published', '--format', 'json');
    expect(JSON.parse(published.stdout)).toMatchObject({
      $status: 'modified',
      $schedule: schedule,
      title: 'Shown',
    });
    await run(ContentUpdate, 'lamp', documentId, '--set', 'title=Montré', '--locale', 'fr');
    const french = (await run(ContentShow, 'lamp', documentId, '--locale', 'fr')).stdout;
    expect(french).toMatch(/^\$status: draft\nid: /);
    expect((await run(ContentShow, 'maker', 'Ada')).stdout).toMatch(/^id: /);
  });

  it('refuses an unknown locale in every command that takes one', async () => {
    const documentId = await created('lamp', '--set', 'title=Somewhere');
    const named = ['lamp', documentId];
    const commands: readonly (readonly [
      command: Parameters<typeof runCommand>[0],
      ...argv: readonly string[],
    ])[] = [
      [ContentList, 'lamp'],
      [ContentSearch, 'x'],
      [ContentShow, ...named],
      [ContentCreate, 'lamp', '--set', 'title=x'],
      [ContentUpdate, ...named, '--set', 'title=x'],
      [ContentEdit, ...named],
      [ContentDelete, ...named, '--yes'],
      [ContentPublish, ...named],
      [ContentPublish, ...named, '--at', '2h'],
      [ContentUnpublish, ...named],
      [ContentDiscard, ...named],
      [ContentDuplicate, ...named],
      [ContentHistory, ...named],
      [ContentRestore, ...named, '--version', '1'],
      [Import, 'rows.csv', '--type', 'lamp', '--yes'],
    ];
    writeFileSync(join(site.root, 'rows.csv'), 'title\nx\n');
    for (const [command, ...argv] of commands) {
      const { exitCode, stderr } = await run(command, ...argv, '--locale', 'fx');
      expect({ argv, exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('There is no locale fx.\nHint: Did you mean fr?') as string,
      });
    }
    expect((await run(ContentList, 'lamp', '--locale', '*')).exitCode).toBe(0);
    expect((await run(ContentList, 'maker', '--locale', 'fr')).stderr).toContain('maker is not localised.');
  });

  it('distinguishes drafts, published and modified ones', async () => {
    const documentId = await created('lamp', '--set', 'title=Told apart');
    const status = async () =>
      (await run(ContentList, 'lamp', '--filter', `documentId=${documentId}`, '--fields', 'title')).stdout;
    expect(await status()).toContain('draft');
    await run(ContentPublish, 'lamp', documentId);
    expect(await status()).toContain('published');
    await run(ContentUpdate, 'lamp', documentId, '--set', 'title=Changed');
    expect(await status()).toContain('modified');
    await run(ContentDiscard, 'lamp', documentId);
    expect(await status()).toMatch(/Told apart +published/);
  });

  it('writes nothing with --if-match if the document has changed', async () => {
    const documentId = await created('lamp', '--set', 'title=Opened');
    const shownDraft = async () =>
      (await run(ContentShow, 'lamp', documentId, '--json')).json<{
        document: { readonly title: string; readonly updatedAt: string };
      }>().document;
    const { updatedAt: ifMatch } = await shownDraft();
    const stale = ['lamp', documentId, '--if-match', ifMatch];
    expect((await run(ContentUpdate, ...stale, '--set', 'title=Saved')).exitCode).toBe(0);
    for (const [command, ...argv] of [
      [ContentUpdate, '--set', 'title=Lost'],
      [ContentUpdate, '--set', 'title=Lost', '--dry-run'],
      [ContentPublish],
      [ContentUnpublish],
      [ContentDiscard],
      [ContentDelete, '--yes'],
    ] as const) {
      const { exitCode, stdout, stderr } = await run(command, ...stale, ...argv);
      expect({ exitCode, stdout, stderr }).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringContaining(
          'This lamp was changed or deleted since you read it. Nothing was written.',
        ) as string,
      });
    }
    expect(await run(ContentUpdate, 'lamp', documentId, '--if-match', 'today')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('ifMatch') as string,
    });
    const filtered = await run(
      ContentDelete,
      'lamp',
      '--filter',
      'title=Saved',
      '--if-match',
      ifMatch,
      '--yes',
    );
    expect(filtered).toMatchObject({ exitCode: 2 });
    const { title, updatedAt } = await shownDraft();
    expect(title).toBe('Saved');
    expect((await run(ContentPublish, 'lamp', documentId, '--if-match', updatedAt)).exitCode).toBe(0);
    const current = (await shownDraft()).updatedAt;
    const scheduled = await run(ContentPublish, 'lamp', documentId, '--if-match', current, '--at', '2h');
    expect(scheduled.exitCode).toBe(2);
    expect((await run(ContentDelete, 'lamp', documentId, '--if-match', current, '--yes')).exitCode).toBe(0);
  });

  it('deletes what is confirmed, by name or by filter', async () => {
    const documentId = await created('lamp', '--set', 'title=Gone');
    await run(ContentUpdate, 'lamp', documentId, '--set', 'title=Parti', '--locale', 'fr');
    const isThere = async () => (await run(ContentShow, 'lamp', documentId)).exitCode === 0;
    expect(await run(ContentDelete, 'lamp', 'gone')).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await run(ContentDelete, 'lamp', 'gone', '--dry-run')).stdout).toContain('Would delete 1');
    expect(await isThere()).toBe(true);
    await run(ContentDelete, 'lamp', 'gone', '--locale', 'fr', '--yes');
    expect((await run(ContentShow, 'lamp', documentId, '--locale', 'fr')).exitCode).toBe(1);
    expect(await isThere()).toBe(true);
    expect((await run(ContentDelete, 'lamp', '--filter', 'title=Gone', '--yes')).stdout).toBe(
      'Deleted 1 document of api::lamp.lamp.\n',
    );
    expect(await isThere()).toBe(false);
  });

  it('says what is wrong and writes nothing', async () => {
    const count = async () => (await run(ContentList, 'lamp', '--format', 'count')).stdout;
    const before = await count();
    writeFileSync(join(site.root, 'bad.md'), '---\ntitle: a\nseo: [\n---\n');
    const refused: readonly (readonly [argv: readonly string[], message: string])[] = [
      [['--set', 'titel=x'], 'Did you mean title?'],
      [['--set', 'title'], '--set title: it has no value'],
      [['--set', 'data={'], '--set data={: the value is not JSON'],
      [['--set', 'title=x', '--set', 'maker=Nobody'], 'maker: maker has no document Nobody'],
      [['--set', 'title=x', '--set', 'makers=Ada,Nobody'], 'makers.1: maker has no document Nobody'],
      [['--set', 'title=x', '--set', 'seo.by=Nobody'], 'seo.by: maker has no document Nobody'],
      [['--set', 'title=x', '--set', 'price=cheap'], 'price'],
      [['--set', 'title=x', '--set', 'colour=green'], 'colour'],
      [['--set', 'title=x', '--set', 'price=-1', '--publish'], 'price'],
      [['--set', 'title=x', '--locale', 'xx'], 'Locales are en, fr. Add others with: cms locale add'],
      [['--from', 'bad.md'], 'bad.md:'],
      [['--from', 'none.md'], 'none.md'],
    ];
    for (const [argv, message] of refused) {
      const { exitCode, stdout, stderr } = await run(ContentCreate, 'lamp', ...argv);
      expect({ argv, stdout, isRefused: exitCode !== 0, stderr }).toMatchObject({
        stdout: '',
        isRefused: true,
        stderr: expect.stringContaining(message) as string,
      });
    }
    expect((await run(ContentCreate, 'lamp', '--set', 'title=x', '--dry-run')).stderr).toContain(
      'Would create api::lamp.lamp. All checks have passed.',
    );
    for (const command of [ContentUpdate, ContentDelete])
      expect(await run(command, 'maker', 'Ada', '--locale', 'en', '--yes')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('maker is not localised.') as string,
      });
    expect((await run(ContentList, 'lamp', '--filter', 'titel=x')).stderr).toContain('Did you mean title?');
    expect((await run(ContentList, 'lamp', '--filter', 'title:conains=x')).stderr).toContain(
      'Did you mean contains?',
    );
    expect(await count()).toBe(before);
  });

  it('duplicates a document, without what has to be unique', async () => {
    const assignments = ['title=Twin', 'maker=Bo', 'makers=Bo,Ada', 'seo.by=Ada'];
    const documentId = await created('lamp', ...assignments.flatMap((text) => ['--set', text]));
    const { stdout } = await run(ContentDuplicate, 'lamp', 'twin', '--set', 'price=2');
    expect(stdout.trim()).not.toBe(documentId);
    expect(await shown('lamp', stdout.trim(), '--populate', 'maker,makers,seo.by')).toMatchObject({
      title: 'Twin',
      slug: 'twin-1',
      price: 2,
      maker: { name: 'Bo' },
      makers: [{ name: 'Bo' }, { name: 'Ada' }],
      seo: { by: { name: 'Ada' } },
    });
  });

  it('finds documents of all types by what they contain', async () => {
    await created('maker', '--set', 'name=Zephyr');
    await created('lamp', '--set', 'title=The zephyr lamp');
    const found = async (...argv: readonly string[]) =>
      (await run(ContentSearch, 'ZEPHYR', ...argv, '--json')).json<{ documents: { type: string }[] }>()
        .documents;
    expect((await found()).map(({ type }) => type)).toEqual(['api::lamp.lamp', 'api::maker.maker']);
    expect((await found('--type', 'maker')).map(({ type }) => type)).toEqual(['api::maker.maker']);
    expect((await run(ContentSearch, 'nowhere')).stderr).toContain('No documents contain this text.');
  });
});
