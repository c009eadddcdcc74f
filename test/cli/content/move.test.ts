import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDiff from '../../../src/commands/content/diff.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentPush from '../../../src/commands/content/push.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import MediaAdd from '../../../src/commands/media/add.js';
import MediaShow from '../../../src/commands/media/show.js';
import { createImage } from '../../api/media/support/client.js';
import { databases } from '../../support/databases.js';
import { contentTree } from '../support/file-tree.js';
import { createSharedSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const text = (value: string, marks: object = {}) => ({ type: 'text', text: value, ...marks });

/** Ten components with attributes of all kinds, and a value for each. */
const COMPONENTS: Readonly<Record<string, readonly [attributes: object, value: object]>> = {
  texts: [
    { heading: { type: 'string' }, lead: { type: 'text' }, mail: { type: 'email' } },
    { heading: 'yes', lead: ' two\nlines ', mail: 'a@example.org' },
  ],
  markdown: [{ body: { type: 'richtext' } }, { body: '# a\n\n---\n\nb\n' }],
  blocks: [
    { body: { type: 'blocks' } },
    { body: [{ type: 'paragraph', children: [text('a'), text('b', { bold: true })] }] },
  ],
  numbers: [
    {
      count: { type: 'integer' },
      big: { type: 'biginteger' },
      price: { type: 'decimal' },
      ratio: { type: 'float' },
    },
    { count: -3, big: '12345678901234567', price: 10.5, ratio: 0.1 },
  ],
  times: [
    { day: { type: 'date' }, at: { type: 'time' }, moment: { type: 'datetime' } },
    { day: '2024-02-29', at: '10:20:30.000', moment: '2024-02-29T10:20:30.400Z' },
  ],
  choices: [
    { isOn: { type: 'boolean' }, size: { type: 'enumeration', enum: ['small', 'large'] } },
    { isOn: false, size: 'large' },
  ],
  data: [{ json: { type: 'json' } }, { json: { b: [1, null, { a: 'true' }], a: {} } }],
  files: [
    { one: { type: 'media', multiple: false }, many: { type: 'media', multiple: true } },
    { one: 'boat.png', many: ['notes.txt', 'boat.png'] },
  ],
  links: [
    {
      page: { type: 'relation', relation: 'oneToOne', target: 'api::page.page' },
      pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
    },
    { page: 'first', pages: ['first'] },
  ],
  nested: [
    {
      title: { type: 'string' },
      secret: { type: 'string', private: true },
      inner: { type: 'component', component: 'zone.nested' },
      list: { type: 'component', component: 'zone.choices', repeatable: true },
    },
    { title: 'a', inner: { title: 'b', inner: { title: 'c' } }, list: [{ size: 'small' }, { isOn: true }] },
  ],
};

const PAGE = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title', generate: true },
    cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
    zone: { type: 'dynamiczone', components: Object.keys(COMPONENTS).map((name) => `zone.${name}`) },
    body: { type: 'blocks' },
  },
};

const FILES = {
  'src/api/page/content-types/page/schema.json': PAGE,
  ...Object.fromEntries(
    Object.entries(COMPONENTS).map(([name, [attributes]]) => [
      `src/components/zone/${name}.json`,
      { collectionName: `components_zone_${name}`, info: { displayName: name }, attributes },
    ]),
  ),
};

describe('content and files that move between projects', () => {
  let site: TempProject;
  let other: TempProject;
  const run = (root: string, command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: root });
  const succeed = async (
    root: string,
    command: Parameters<typeof runCommand>[0],
    ...argv: readonly string[]
  ) => {
    const result = await run(root, command, ...argv);
    expect({ argv, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    return result.stdout;
  };
  const write = async (
    command: typeof ContentCreate | typeof ContentUpdate,
    argv: readonly string[],
    data: object,
  ) => {
    writeFileSync(join(site.root, 'data.json'), JSON.stringify(data));
    await succeed(site.root, command, ...argv, '--from', 'data.json');
  };
  const content = (path = '') => join(site.root, 'content', path);
  const mediaFile = (start: string): string => {
    const name = readdirSync(content('media')).find(
      (entry) => entry.startsWith(start) && !entry.endsWith('.yaml'),
    );
    if (name === undefined) throw new TypeError(`No file ${start}.`);
    return `media/${name}`;
  };

  beforeAll(async () => {
    site = await createSharedSite(FILES);
    // PostgreSQL, where it is not left out.
    const { url } = (await databases.at(-1)?.create()) ?? { url: '' };
    other = await createSharedSite({ ...FILES, '.env': `${SECRETS}DATABASE_URL=${url}\n` });
    writeFileSync(join(site.root, 'boat.png'), await createImage(300, 200));
    writeFileSync(join(site.root, 'notes.txt'), 'Notes.');
    writeFileSync(join(site.root, 'unused.txt'), 'Unused.');
    await succeed(site.root, MediaAdd, 'boat.png', '--alt', 'A "boat"', '--caption', 'true');
    await succeed(site.root, MediaAdd, 'notes.txt', 'unused.txt');
    const { file } = (await run(site.root, MediaShow, 'notes.txt', '--json')).json<{
      file: { url: string };
    }>();
    await write(ContentCreate, ['page', '--publish'], { title: 'First', cover: 'boat.png' });
    const body = [
      { type: 'heading', level: 2, children: [text('Notes')] },
      {
        type: 'paragraph',
        children: [text('See '), { type: 'link', url: file.url, children: [text('these')] }],
      },
    ];
    const zone = Object.entries(COMPONENTS).map(([name, [, value]]) => ({
      __component: `zone.${name}`,
      ...value,
    }));
    await write(ContentCreate, ['page', '--publish'], { title: 'Second', zone, body });
    await write(ContentUpdate, ['page', 'second'], { title: 'Second, changed', zone: zone.toReversed() });
  });

  it('pulls, pushes into an empty project, and pulls there: the same files, byte for byte', async () => {
    await succeed(site.root, ContentPull);
    const before = contentTree(content());
    const second = before['page/second.md'] ?? '';
    expect(second).toMatch(/\n---\n\n## Notes\n\nSee \[these\]\(\/uploads\/notes_\w+\.txt\)\n$/);
    for (const name of Object.keys(COMPONENTS)) expect(second).toContain(`__component: zone.${name}\n`);
    expect(before[`${mediaFile('boat')}.yaml`]).toMatch(
      /^\$documentId: \w+\n\$hash: boat_\w+\nname: boat\.png\nalternativeText: A "boat"\ncaption: "true"\n$/,
    );
    expect(Object.keys(before).filter((path) => path.includes('unused'))).toEqual([]);
    expect(await succeed(site.root, ContentPull)).toBe('');
    expect(await succeed(site.root, ContentPush)).toBe('Nothing to push.\n');

    const from = ['--from', content()];
    expect(await succeed(other.root, ContentPush, ...from, '--dry-run')).toBe('Would write 4 changes.\n');
    expect((await run(other.root, ContentDiff, ...from, '--exit-code')).exitCode).toBe(1);
    await succeed(other.root, ContentPush, ...from, '--yes');
    await succeed(other.root, ContentPull);
    expect(contentTree(join(other.root, 'content'))).toEqual(before);
    expect(readFileSync(join(other.root, 'content', mediaFile('boat')))).toEqual(
      readFileSync(join(site.root, 'boat.png')),
    );
    expect(await succeed(other.root, ContentPush)).toBe('Nothing to push.\n');
  });

  it('uploads files that are put beside the content, describes and replaces them', async () => {
    writeFileSync(content('media/new.png'), await createImage(20, 10));
    writeFileSync(content('page/new.md'), '---\ntitle: New\ncover: new.png\n---\n');
    const boat = mediaFile('boat');
    writeFileSync(
      content(`${boat}.yaml`),
      readFileSync(content(`${boat}.yaml`), 'utf8').replace('A "boat"', 'Boat'),
    );
    const notes = mediaFile('notes');
    writeFileSync(content(notes), 'Other notes, and longer.');
    expect(await succeed(site.root, ContentDiff)).toMatch(
      new RegExp(
        String.raw`^update media/boat_\w+\.png\nadd media/new\.png\n` +
          String.raw`replace media/notes_\w+\.txt\ncreate page/new\.md\n`,
      ),
    );
    expect(await succeed(site.root, ContentPush, '--yes')).toBe('Wrote 4 changes.\n');
    expect(mediaFile('new')).toMatch(/^media\/new_\w+\.png$/);
    expect(mediaFile('notes')).not.toBe(notes);
    expect(await succeed(site.root, MediaShow, 'boat.png')).toContain('Boat');
    await succeed(site.root, ContentPull, '--yes');
    expect(await succeed(site.root, ContentPush)).toBe('Nothing to push.\n');
    expect(readFileSync(content('page/new.md'), 'utf8')).toContain('cover: new.png\n');

    writeFileSync(content('media/late.png'), await createImage(20, 12));
    writeFileSync(content('page/late.md'), '---\ntitle: [1]\ncover: late.png\n---\n');
    const refused = await run(site.root, ContentPush, '--yes', '--atomic');
    expect(refused.stderr).toContain('page/late.md:2: ');
    expect(refused.stderr).not.toContain('Written before the error');
    expect((await run(site.root, MediaShow, 'late.png')).exitCode).toBe(1);
    writeFileSync(content('page/late.md'), '---\ntitle: Late\ncover: late.png\n---\n');
    expect(await succeed(site.root, ContentPush, '--yes', '--atomic')).toBe('Wrote 2 changes.\n');
    expect((await run(site.root, MediaShow, 'late.png')).exitCode).toBe(0);
  });

  it('removes files that nothing uses when all is pulled, and leaves them out on demand', async () => {
    await succeed(site.root, ContentUpdate, 'page', 'new', '--set', 'cover:=null');
    await succeed(site.root, ContentPull, 'page', '--yes');
    expect(mediaFile('new')).toMatch(/^media/);
    await succeed(site.root, ContentPull, '--yes');
    expect(() => mediaFile('new')).toThrow(TypeError);
    await succeed(site.root, ContentPull, '--to', 'text', '--no-media');
    expect(readdirSync(join(site.root, 'text'))).toEqual(['.base', 'page']);
  });

  it('refuses what it cannot store, with file and line, and writes nothing', async () => {
    const boat = mediaFile('boat');
    const note = readFileSync(content(`${boat}.yaml`), 'utf8');
    for (const [line, message] of [
      ['size: 3', `${boat}.yaml:6: `],
      ['focalPoint: 3', `${boat}.yaml:6: `],
      ['caption: [', `${boat}.yaml:`],
    ] as const) {
      writeFileSync(content(`${boat}.yaml`), `${note}${line}\n`);
      expect((await run(site.root, ContentPush, '--yes')).stderr).toContain(message);
    }
    writeFileSync(content(`${boat}.yaml`), note);
    writeFileSync(content('media/no.png'), 'This is no image.');
    writeFileSync(content('page/refused.md'), '---\ntitle: Refused\ncover: no.png\n---\n');
    for (const flag of ['--dry-run', '--yes'])
      expect((await run(site.root, ContentPush, flag)).stderr).toContain('media/no.png: ');
    rmSync(content('media/no.png'));
    renameSync(content('page/refused.md'), content('page/dangling.md'));
    expect((await run(site.root, ContentPush, '--yes')).stderr).toContain('page/dangling.md:3: cover: ');
    rmSync(content('page/dangling.md'));
    expect(await succeed(site.root, ContentPush)).toBe('Nothing to push.\n');
  });
});
