import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentDiff from '../../../src/commands/content/diff.js';
import ContentPublish from '../../../src/commands/content/publish.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentPush from '../../../src/commands/content/push.js';
import ContentShow from '../../../src/commands/content/show.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import { fileTree } from '../support/file-tree.js';
import { interruptNext } from '../support/interrupt.js';
import { createSharedSite, typeFile } from '../support/migrated-project.js';
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
    title: { type: 'string', required: true, ...i18n },
    slug: { type: 'uid', targetField: 'title', generate: true },
    price: { type: 'decimal', default: 5 },
    day: { type: 'date' },
    big: { type: 'biginteger' },
    data: { type: 'json' },
    body: { type: 'richtext', ...i18n },
    next: { type: 'relation', relation: 'oneToOne', target: 'api::post.post' },
    maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker', inversedBy: 'posts' },
    makers: { type: 'relation', relation: 'manyToMany', target: 'api::maker.maker' },
    seo: { type: 'component', component: 'shared.seo', ...i18n },
    zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.list'], ...i18n },
  },
};

const MAKER = {
  kind: 'collectionType',
  collectionName: 'makers',
  info: { singularName: 'maker', pluralName: 'makers', displayName: 'Maker' },
  attributes: {
    name: { type: 'string', unique: true },
    motto: { type: 'text', default: 'None' },
    best: { type: 'relation', relation: 'oneToOne', target: 'api::post.post' },
    posts: { type: 'relation', relation: 'oneToMany', target: 'api::post.post', mappedBy: 'maker' },
  },
};

const component = (name: string, attributes: object) => ({
  [`src/components/shared/${name}.json`]: {
    collectionName: `components_shared_${name}s`,
    info: { displayName: name },
    attributes,
  },
});

/** Texts that YAML or Markdown could change. */
const TEXTS = [
  'true',
  ' leading and trailing ',
  'two\nlines\n',
  'a\r\nb',
  '---\n',
  '# no comment: "quoted" \\ \t tab',
  `${'long '.repeat(40)}end`,
  '\n\nblank lines\n\n\n',
  'null',
];

describe('content as files', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: site.root });
  const succeed = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
    const result = await run(command, ...argv);
    expect({ argv, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    return result.stdout;
  };
  const create = async (type: string, data: object, ...argv: readonly string[]): Promise<string> => {
    writeFileSync(join(site.root, 'data.json'), JSON.stringify(data));
    return (await succeed(ContentCreate, type, '--from', 'data.json', ...argv)).trim();
  };
  const update = async (name: string, data: object, ...argv: readonly string[]) => {
    writeFileSync(join(site.root, 'data.json'), JSON.stringify(data));
    await succeed(ContentUpdate, 'post', name, '--from', 'data.json', ...argv);
  };
  const file = (path: string) => join(site.root, 'content', path);
  const edit = (path: string, from: string, to: string) => {
    const text = readFileSync(file(path), 'utf8');
    expect(text).toContain(from);
    writeFileSync(file(path), text.replace(from, to));
  };
  const pull = async (to: string) => {
    await succeed(ContentPull, '--to', to, '--yes');
    return fileTree(join(site.root, to));
  };
  /** A second pull, into an empty folder. */
  const pullAgain = () => pull(mkdtempSync(join(site.root, 'again-')).slice(site.root.length + 1));

  beforeAll(async () => {
    site = await createSharedSite({
      'src/api/post/content-types/post/schema.json': POST,
      'src/api/maker/content-types/maker/schema.json': MAKER,
      ...component('seo', {
        metaTitle: { type: 'string', default: 'Title' },
        by: { type: 'relation', relation: 'oneToOne', target: 'api::maker.maker' },
      }),
      ...component('list', {
        items: { type: 'component', component: 'shared.seo', repeatable: true },
        text: { type: 'richtext' },
      }),
      ...typeFile('about', { kind: 'singleType' }),
    });
    await run(LocaleAdd, 'fr');
    await create('maker', { name: 'ada' });
    await create('maker', { name: 'Bo with spaces', motto: null });
    await create('post', { title: 'First', big: '12345678901234567', day: '2024-02-03', maker: 'ada' });
    await create('post', {
      title: 'Second',
      price: null,
      data: { b: [1, null, 'x'], a: {} },
      body: '# Hello\n\nText\n\n---\n\nmore\n',
      next: 'first',
      makers: ['Bo with spaces', 'ada'],
      seo: { metaTitle: null, by: 'ada' },
      zone: [
        { __component: 'shared.list', items: [{ by: 'ada' }, { metaTitle: 'x' }], text: 'a\nb\n' },
        { __component: 'shared.seo', metaTitle: 'true' },
      ],
    });
    await update('first', { next: 'second' }, '--publish');
    await update('second', { title: 'Deuxième', body: '\n\nBonjour' }, '--locale', 'fr');
    await succeed(ContentPublish, 'post', 'second');
    await update('second', { title: 'Second, changed' });
    await succeed(ContentUpdate, 'maker', 'ada', '--set', 'best=first');
    await succeed(ContentUpdate, 'about', '--set', 'title=About us');
    for (const [index, text] of TEXTS.entries())
      await create('post', { title: `Text ${index}`, body: text, data: { text } });
  });

  it('pulls, shows no difference, and restores the same files into an empty database', async () => {
    const before = await pull('content');
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'about/about.yaml',
        'maker/ada.yaml',
        'post/first.en.md',
        'post/second.en.md',
        'post/second.en.published.md',
        'post/second.fr.md',
      ]),
    );
    expect(before['post/first.en.md']).toMatch(
      /^---\n\$documentId: \w+\n\$locale: en\n\$status: published\ntitle: First\nslug: first\nprice: 5\n/,
    );
    expect(await succeed(ContentPull, '--to', 'content')).toBe('');
    expect((await run(ContentDiff, '--exit-code')).stdout).toBe('');
    expect(await succeed(ContentPush, '--yes')).toBe('Nothing to push.\n');
    for (const type of ['post', 'maker', 'about'])
      await succeed(ContentDelete, type, ...(type === 'about' ? [] : ['--filter', 'id:gt=0']), '--yes');
    expect((await run(ContentDiff, '--exit-code', '--ours')).exitCode).toBe(1);
    expect(await succeed(ContentPush, '--dry-run', '--ours')).toMatch(/^Would write \d+ changes\.\n$/);
    await succeed(ContentPush, '--yes', '--ours');
    expect(await pullAgain()).toEqual(before);
  });

  it('leaves the files to a pull that is writing them', async () => {
    site.write({ 'twice/.galley-push': String(process.ppid) });
    const pullTwice = () => runCommand(ContentPull, ['--to', 'twice'], { cwd: site.root });
    const busy = await pullTwice();
    expect(busy).toMatchObject({ exitCode: 1 });
    expect(busy.stderr).toContain('Another pull or push is writing the files of');
    expect(fileTree(join(site.root, 'twice'))).toEqual({});
    rmSync(join(site.root, 'twice/.galley-push'));
    expect(await pullTwice()).toMatchObject({ exitCode: 0 });
    rmSync(join(site.root, 'twice'), { recursive: true });
  });

  it('plans and applies edits, field by field', async () => {
    edit('post/first.en.md', 'price: 5', 'price: 7');
    edit('post/second.fr.md', 'Bonjour', 'Bonsoir');
    edit('post/second.en.published.md', 'title: Second', 'title: Live');
    edit('post/text-0.en.md', '$status: draft', '$status: published');
    const { stdout, exitCode } = await run(ContentDiff, '--exit-code');
    expect({ stdout, exitCode }).toEqual({
      exitCode: 1,
      stdout: [
        'update, publish post/first.en.md',
        '  price: 5 → 7',
        'update, publish post/second.en.md',
        '  title (published): "Second" → "Live"',
        '  title (draft): "Second, changed" → "Second, changed"',
        'update post/second.fr.md',
        '  body: "\\n\\nBonjour" → "\\n\\nBonsoir"',
        'publish post/text-0.en.md',
        '',
      ].join('\n'),
    });
    await succeed(ContentPush, '--atomic', '--yes');
    expect(await pullAgain()).toEqual(fileTree(join(site.root, 'content')));
  });

  it('creates documents that refer to each other, and gives their files documentIds', async () => {
    writeFileSync(
      file('post/new-one.en.md'),
      '---\ntitle: New one\nslug: new-one\nnext: new-two\n---\n\nText\n',
    );
    writeFileSync(
      file('post/new-two.en.md'),
      '---\n$status: published\ntitle: New two\nslug: new-two\nnext: new-one\nmaker: Cy\n---\n',
    );
    writeFileSync(file('maker/Cy.yaml'), 'name: Cy\nbest: new-two\n');
    await succeed(ContentPush, '--yes');
    expect(readFileSync(file('post/new-one.en.md'), 'utf8')).toMatch(
      new RegExp(
        String.raw`^---\n\$documentId: \w+\n\$locale: en\n\$status: draft\ntitle: New one\n` +
          String.raw`slug: new-one\nprice: 5\nnext: new-two\n---\n\nText\n$`,
      ),
    );
    expect(await succeed(ContentShow, 'maker', 'Cy')).toContain('motto: None');
    expect((await run(ContentDiff, '--exit-code')).stdout).toBe('');
  });

  it('applies defaults in components, and generates uids of new documents and locales', async () => {
    const path = 'post/filled.en.md';
    writeFileSync(
      file(path),
      '---\n$documentId: filled\n$locale: en\ntitle: Filled\nday: 2024-05-06\nseo: {}\n' +
        'zone:\n  - __component: shared.list\n    items: [{}, { metaTitle: null }]\n---\n',
    );
    await succeed(ContentPush, '--yes');
    const shown = async (...argv: readonly string[]): Promise<unknown> =>
      JSON.parse(await succeed(ContentShow, 'post', 'filled', '--format', 'json', ...argv));
    expect(await shown()).toMatchObject({
      slug: 'filled',
      price: 5,
      seo: { metaTitle: 'Title' },
      zone: [{ items: [{ metaTitle: 'Title' }, { metaTitle: null }] }],
    });
    expect((await run(ContentDiff, '--exit-code')).stdout).toBe('');
    writeFileSync(file('post/filled.fr.md'), '---\n$documentId: filled\n$locale: fr\ntitle: Plein\n---\n');
    await succeed(ContentPush, '--yes');
    expect(await shown('--locale', 'fr')).toMatchObject({
      slug: 'plein',
      day: '2024-05-06',
      title: 'Plein',
    });
    expect(await shown()).toMatchObject({ slug: 'filled', day: '2024-05-06', title: 'Filled' });
    expect((await run(ContentDiff, '--exit-code')).stdout).toBe('');
    edit(path, 'day: 2024-05-06\n', 'day: 2024-05-06\nprice: null\n');
    edit('post/filled.fr.md', 'price: 5', 'price: null');
    await succeed(ContentPush, '--yes');
    expect(await shown()).toMatchObject({ price: null });
    await succeed(ContentDelete, 'post', 'filled', '--yes');
    await succeed(ContentPull, '--yes');
  });

  it('goes on with a new document whose push was interrupted', async () => {
    const before = '---\n$documentId: interrupted\n$new: true\ntitle: Cut\n---\n';
    writeFileSync(file('post/cut.en.md'), before);
    await succeed(ContentPush, '--yes');
    // As if the process had ended before it wrote the file again.
    writeFileSync(file('post/cut.en.md'), before);
    expect(await succeed(ContentPush, '--yes')).toBe('Nothing to push.\n');
    expect(await succeed(ContentShow, 'post', 'interrupted')).toContain('slug: cut\n');
    expect(readFileSync(file('post/cut.en.md'), 'utf8')).toBe(
      '---\n$documentId: interrupted\n$locale: en\n$status: draft\ntitle: Cut\nslug: cut\nprice: 5\n---\n',
    );
    await succeed(ContentPull, '--yes');
  });

  it('deletes with --delete only', async () => {
    rmSync(file('post/second.fr.md'));
    rmSync(file('maker/Cy.yaml'));
    edit('post/new-two.en.md', 'maker: Cy\n', '');
    const { stdout, stderr } = await run(ContentPush, '--yes');
    expect({ stdout, stderr }).toMatchObject({
      stdout: 'Wrote 1 change.\n',
      stderr: expect.stringContaining('2 versions in the database have no file') as string,
    });
    expect(await run(ContentPush, '--delete', '--yes', '--from', 'contnt')).toMatchObject({
      stderr: expect.stringContaining('There is no folder') as string,
    });
    const diff = await run(ContentDiff, '--exit-code');
    expect(diff).toMatchObject({ stdout: '', exitCode: 0 });
    expect(diff.stderr).toContain('2 versions in the database have no file. --delete deletes them.');
    const deleting = await run(ContentDiff, '--exit-code', '--delete');
    expect(deleting).toMatchObject({ stdout: expect.stringMatching(/^(delete .*\n){2}$/), exitCode: 1 });
    expect(await succeed(ContentPush, '--delete', '--yes')).toBe('Wrote 2 changes.\n');
    expect((await run(ContentShow, 'post', 'second', '--locale', 'fr')).exitCode).toBe(1);
    expect((await run(ContentShow, 'post', 'second')).exitCode).toBe(0);
  });

  it('names file and line of what is wrong, keeps what was written, and goes on where it was', async () => {
    const refused: readonly (readonly [path: string, from: string, to: string, message: string])[] = [
      ['post/first.en.md', 'price: 7', 'prize: 7', 'post/first.en.md:7: post has no attribute prize.'],
      ['post/first.en.md', 'price: 7', 'price: dear', 'post/first.en.md:7: '],
      [
        'post/first.en.md',
        'next: second',
        'next: nobody',
        'post/first.en.md:10: next: post has no document nobody',
      ],
      [
        'post/first.en.md',
        '$status: published',
        '$status: live',
        'post/first.en.md:4: $status must be one of',
      ],
      ['maker/ada.yaml', 'motto: None', 'posts: [first]', 'maker/ada.yaml:3: Files do not hold posts'],
      ['maker/ada.yaml', 'motto: None', 'motto: [', 'maker/ada.yaml:'],
    ];
    for (const [path, from, to, message] of refused) {
      edit(path, from, to);
      expect((await run(ContentPush, '--yes')).stderr).toContain(message);
      edit(path, to, from);
    }
    const refusedText = '---\ntitle: Refused\nprice: dear\n---\n';
    writeFileSync(file('post/refused.md'), refusedText);
    for (const flags of [['--dry-run'], ['--yes'], ['--yes', '--atomic']]) {
      expect((await run(ContentPush, ...flags)).stderr).toContain('post/refused.md:3: price');
      expect(readFileSync(file('post/refused.md'), 'utf8')).toBe(refusedText);
    }
    writeFileSync(file('post/refused.md'), '---\ntitle: [a]\nprice: dear\n---\n');
    expect((await run(ContentPush, '--yes')).stderr).toMatch(
      /Files contain 2 errors:\n {2}post\/refused\.md:2: title .*\n {2}post\/refused\.md:3: price /,
    );
    rmSync(file('post/refused.md'));
    edit('maker/ada.yaml', 'motto: None', 'motto: Kept');
    edit('post/first.en.md', 'price: 7', 'price: dear');
    expect((await run(ContentPush, '--yes', '--atomic')).exitCode).toBe(1);
    expect(await succeed(ContentShow, 'maker', 'ada')).toContain('motto: None');
    expect((await run(ContentPush, '--yes')).stderr).toContain('Written before the error: maker/ada.yaml.');
    expect(await succeed(ContentShow, 'maker', 'ada')).toContain('motto: Kept');
    edit('post/first.en.md', 'price: dear', 'price: 8');
    expect(await succeed(ContentPush, '--yes')).toBe('Wrote 1 change.\n');
  });

  it('ends after the file that is being written when it is interrupted', async () => {
    edit('maker/ada.yaml', 'motto: Kept', 'motto: Interrupted');
    edit('post/first.en.md', 'price: 8', 'price: 9');
    interruptNext();
    const atomic = await run(ContentPush, '--yes', '--atomic');
    expect(atomic.exitCode).toBe(130);
    expect(atomic.stderr).toContain('The push was interrupted after 0 of 2 changes.');
    interruptNext();
    const interrupted = await run(ContentPush, '--yes');
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.stderr).toContain('Written: maker/ada.yaml.\n');
    expect(interrupted.stderr).toContain('The push was interrupted after 1 of 2 changes.');
    expect(await succeed(ContentPush, '--yes')).toBe('Wrote 1 change.\n');
  });

  it('ends a pull after the file that is being written, and does the rest the next time', async () => {
    interruptNext();
    const interrupted = await run(ContentPull, '--to', 'fresh');
    expect(interrupted).toMatchObject({ exitCode: 130, stdout: '' });
    expect(interrupted.stderr).toMatch(
      /The pull was interrupted after 1 of \d+ files\.\nHint: Run the command again/,
    );
    // The file and its base.
    expect(Object.keys(fileTree(join(site.root, 'fresh')))).toHaveLength(2);
    expect(await pull('fresh')).toEqual(await pullAgain());
  });
});
