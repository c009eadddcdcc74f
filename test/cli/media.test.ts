import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../src/commands/content/create.js';
import ContentDelete from '../../src/commands/content/delete.js';
import ContentShow from '../../src/commands/content/show.js';
import ContentUpdate from '../../src/commands/content/update.js';
import MediaAdd from '../../src/commands/media/add.js';
import MediaDelete from '../../src/commands/media/delete.js';
import MediaList from '../../src/commands/media/list.js';
import MediaPrune from '../../src/commands/media/prune.js';
import MediaRegenerate from '../../src/commands/media/regenerate.js';
import MediaReplace from '../../src/commands/media/replace.js';
import MediaShow from '../../src/commands/media/show.js';
import MediaUpdate from '../../src/commands/media/update.js';
import { defined } from '../../src/lib/assert.js';
import { createImage } from '../api/media/support/client.js';
import { interruptNext } from './support/interrupt.js';
import { createSharedSite } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import type { TempProject } from './support/temp-project.js';

const LAMP = {
  kind: 'collectionType',
  collectionName: 'lamps',
  info: { singularName: 'lamp', pluralName: 'lamps', displayName: 'Lamp' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title', generate: true },
    body: { type: 'richtext' },
    cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
    secret: { type: 'media', multiple: true, private: true },
    photos: { type: 'component', component: 'shared.photo', repeatable: true },
    zone: { type: 'dynamiczone', components: ['shared.photo'] },
  },
};

const PHOTO = {
  collectionName: 'components_shared_photos',
  info: { displayName: 'Photo' },
  attributes: { file: { type: 'media', multiple: false }, note: { type: 'text' } },
};

interface FileJson {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly url: string;
  readonly alternativeText: string | null;
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
  readonly formats: Readonly<Record<string, { readonly url: string; readonly width: number }>> | null;
}

describe('cms media', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: site.root });
  const stored = (): readonly string[] =>
    readdirSync(join(site.root, 'public/uploads')).filter((name) => !name.startsWith('.'));
  const put = (name: string, content: string | Buffer): string => {
    writeFileSync(join(site.root, name), content);
    return name;
  };
  const added = async (...argv: readonly string[]): Promise<readonly FileJson[]> => {
    const result = await run(MediaAdd, ...argv, '--json');
    expect(result).toMatchObject({ exitCode: 0 });
    return result.json<{ files: readonly FileJson[] }>().files;
  };
  const addedOne = async (...argv: readonly string[]): Promise<FileJson> => {
    const [file] = await added(...argv);
    if (file === undefined) throw new TypeError('No file was added.');
    return file;
  };
  const shown = async (name: string) =>
    (await run(MediaShow, name, '--json')).json<{
      file: FileJson;
      usages: readonly { type: string; attribute: string; by: string; status: string }[];
    }>();

  beforeAll(async () => {
    site = await createSharedSite({
      'src/api/lamp/content-types/lamp/schema.json': LAMP,
      'src/components/shared/photo.json': PHOTO,
    });
    // Deleted files leave no stored objects then.
    site.write({ '.env': `${site.read('.env')}TRASH_DAYS=0\n` });
    put('big.png', await createImage(700, 400));
    put('small.png', await createImage(20, 10));
    await run(ContentCreate, 'lamp', '--set', 'title=First');
  });

  it('adds files with texts, and links them to a document', async () => {
    const file = await addedOne('big.png', '--alt', 'A lamp', '--link', 'lamp first cover', '--publish');
    expect(file).toMatchObject({ name: 'big.png', alternativeText: 'A lamp' });
    expect(Object.keys(file.formats ?? {}).toSorted()).toEqual(['small', 'thumbnail']);
    const { json } = await run(ContentShow, 'lamp', 'first', '--status', 'published', '--json');
    expect(json()).toMatchObject({ document: { cover: { documentId: file.documentId } } });
    const { usages } = await shown('big.png');
    expect(usages.map(({ attribute, by, status }) => [attribute, by, status].join(' ')).toSorted()).toEqual([
      'cover link draft',
      'cover link published',
    ]);
  });

  it('prints documentIds, and goes on where one of several files is refused', async () => {
    put('empty.txt', '');
    put('note.txt', 'Hello');
    const { stdout, stderr, exitCode } = await run(MediaAdd, 'empty.txt', 'note.txt');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^[a-z][a-z0-9]{23}\n$/);
    expect(stderr).toContain('Not added: empty.txt is empty.');
    await run(MediaDelete, stdout.trim(), '--yes');
  });

  it('stores nothing that an upload would refuse, nor where the link is refused', async () => {
    put('fake.png', 'This is no image.');
    const before = stored();
    const cases = [
      [['fake.png'], 1, 'upload/type-mismatch'],
      [['missing.png'], 1, 'file/missing'],
      [['small.png', 'missing.png'], 1, 'file/missing'],
      [['public'], 1, 'upload/no-file'],
      [['small.png', '--link', 'lamp none cover'], 1, 'content/unknown-document'],
      [['small.png', '--link', 'lamp first title'], 2, 'cli/invalid-usage'],
      [['small.png', 'big.png', '--link', 'lamp first cover'], 2, 'cli/invalid-usage'],
      [['small.png', 'big.png', '--name', 'both.png'], 2, 'cli/invalid-usage'],
    ] as const;
    for (const [argv, exitCode, code] of cases) {
      const result = await run(MediaAdd, ...argv, '--json');
      expect([result.exitCode, result.json<{ error: { code: string } }>().error.code]).toEqual([
        exitCode,
        code,
      ]);
    }
    put('words.txt', 'Words');
    const refused = await run(MediaAdd, 'words.txt', '--link', 'lamp first cover', '--json');
    expect(refused.exitCode).toBe(1);
    expect(stored()).toEqual(before);
  });

  it('checks files without storing them with --dry-run', async () => {
    const before = stored();
    const { exitCode, stderr } = await run(MediaAdd, 'small.png', '--dry-run');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: 'Would add 1 of 1.\n' });
    expect((await run(MediaAdd, 'fake.png', '--dry-run')).exitCode).toBe(1);
    expect(stored()).toEqual(before);
  });

  it('lists files as a table, for programs, and by filters', async () => {
    const file = await addedOne('small.png', '--caption', 'Small');
    expect((await run(MediaList)).stdout).toMatch(/small\.png +image\/png .*20 × 10/);
    expect((await run(MediaList, '--filter', 'name=small.png', '--format', 'ids')).stdout.trim()).toBe(
      file.documentId,
    );
    expect((await run(MediaList, '--filter', 'caption=Small', '--format', 'count')).stdout).toBe('1\n');
    expect((await run(MediaList, '--fields', 'name', '--format', 'jsonl')).stdout).toContain('"small.png"');
    await run(MediaDelete, String(file.id), '--yes');
  });

  it('changes texts and replaces the content, which gets another address', async () => {
    const file = await addedOne('small.png');
    expect((await run(MediaUpdate, 'small.png', '--alt', 'New')).stdout.trim()).toBe(file.documentId);
    expect((await run(MediaUpdate, 'small.png')).exitCode).toBe(2);
    await run(MediaUpdate, 'small.png', '--focal-point', '50, 20.5');
    expect((await shown('small.png')).file.focalPoint).toEqual({ x: 50, y: 20.5 });
    for (const point of ['50', '50,101', '50,20,3', 'middle', '50,'])
      expect((await run(MediaUpdate, 'small.png', '--focal-point', point)).stderr).toContain(
        'focalPoint must hold x and y from 0 to 100',
      );
    await run(MediaUpdate, 'small.png', '--focal-point', '');
    expect((await shown('small.png')).file.focalPoint).toBeNull();
    put('other.png', await createImage(30, 30));
    await run(MediaReplace, 'small.png', 'other.png', '--dry-run');
    expect((await shown('small.png')).file.url).toBe(file.url);
    expect((await run(MediaReplace, 'small.png', 'other.png')).exitCode).toBe(0);
    const { file: replaced } = await shown(file.documentId);
    expect(replaced).toMatchObject({ id: file.id, name: 'other.png', alternativeText: 'New' });
    expect(replaced.url).not.toBe(file.url);
    // Texts that hold the former address name the file still.
    await run(ContentCreate, 'lamp', '--set', `title=See ${file.url}`);
    const mentions = async (...flags: readonly string[]) =>
      (await run(MediaReplace, file.documentId, 'other.png', '--json', ...flags)).json<{
        mentions: readonly object[];
      }>().mentions;
    expect(await mentions('--dry-run')).toMatchObject([{ attribute: 'title', by: 'address' }]);
    const mismatched = await run(MediaReplace, file.documentId, 'other.png');
    expect(mismatched.stderr).toMatch(
      /Texts that contain its address:\n {2}api::lamp\.lamp \w+ title \(in its text\)/,
    );
    expect(await mentions()).toHaveLength(1);
    expect(existsSync(join(site.root, 'public', file.url))).toBe(false);
    expect((await run(MediaReplace, 'nothing.png', 'other.png')).stderr).toContain('has no file nothing.png');
    await run(MediaDelete, file.documentId, '--yes');
  });

  it('says who refers to a file before it is deleted, and deletes only when that is confirmed', async () => {
    const { json, stderr } = await run(MediaDelete, 'big.png', '--json');
    expect(json()).toMatchObject({ error: { code: 'cli/not-confirmed' } });
    expect(stderr).toMatch(/big\.png is used by:\n {2}api::lamp\.lamp [a-z0-9]{24} cover/);
    expect((await run(MediaDelete, 'big.png', '--dry-run')).stdout).toBe('Would delete 1 file.\n');
    expect((await shown('big.png')).file.name).toBe('big.png');
  });

  it('prunes only what no version of any document refers to', async () => {
    const names = ['link', 'secret', 'inside', 'zone', 'markdown', 'small-copy', 'note', 'unused'];
    const image = await createImage(700, 400);
    const files = await added(...names.map((name) => put(`${name}.png`, image)));
    const of = (name: string): FileJson => defined(files[names.indexOf(name)], name);
    const values = {
      title: 'User',
      cover: 'link.png',
      secret: ['secret.png'],
      photos: [{ file: 'inside.png', note: `See http://elsewhere/x${of('note').url}?v=1` }],
      zone: [{ __component: 'shared.photo', file: 'zone.png' }],
      body: `![a](${of('markdown').url})\n<img src="${of('small-copy').formats?.['small']?.url ?? ''}">`,
    };
    put('user.json', JSON.stringify(values));
    const created = await run(ContentCreate, 'lamp', '--from', 'user.json', '--publish');
    expect(created).toMatchObject({ exitCode: 0 });
    // What only the published version refers to is used, too.
    await run(ContentUpdate, 'lamp', 'user', '--set', 'cover:=null');
    put('public/uploads/stray.png', 'left behind');
    const recent = await run(MediaPrune, '--dry-run', '--json');
    expect(recent.json()).toMatchObject({ files: [], strays: [{ name: 'stray.png', bytes: 11 }] });
    const dry = await run(MediaPrune, '--older-than', '0', '--dry-run');
    expect(dry.stdout).toBe('Would delete 1 unused file and 1 orphaned object.\n');
    expect(stored()).toContain('stray.png');
    const { json } = await run(MediaPrune, '--older-than', '0', '--yes', '--json');
    expect(json()).toMatchObject({ files: [{ name: 'unused.png' }], strays: [{ name: 'stray.png' }] });
    expect(stored()).not.toContain('stray.png');
    expect((await run(MediaPrune, '--older-than', '0')).stdout).toBe('Nothing to delete.\n');
    expect((await run(MediaList, '--format', 'count')).stdout).toBe('8\n');
    await run(ContentDelete, 'lamp', 'user', '--yes');
    await run(MediaPrune, '--older-than', '0', '--yes');
    expect((await run(MediaList, '--format', 'count')).stdout).toBe('1\n');
  });

  it('regenerates the copies of images under new addresses', async () => {
    const { file: before } = await shown('big.png');
    // Modules that were loaded are not read again, and so the configuration gets another file.
    rmSync(join(site.root, 'cms.config.js'));
    site.write({
      'cms.config.mjs':
        'export default { upload: { breakpoints: { tiny: 100 }, formats: ["webp", "avif"] } };\n',
    });
    const dry = await run(MediaRegenerate, '--dry-run');
    expect(dry.stdout).toBe('Would regenerate the formats of 1 image.\n');
    const { json } = await run(MediaRegenerate, '--yes', '--json');
    expect(json()).toEqual({ regenerated: 1, withoutFormats: 0, otherProvider: 0, failed: 0 });
    const { file } = await shown('big.png');
    expect(file.url).toBe(before.url);
    expect(file.formats).toMatchObject({ tiny: { width: 100 } });
    expect(file.formats).toMatchObject({
      tiny_webp: { name: 'tiny_big.webp', ext: '.webp', mime: 'image/webp', width: 100 },
      thumbnail_avif: { ext: '.avif', mime: 'image/avif', width: before.formats?.['thumbnail']?.width },
    });
    const names = ['thumbnail', 'thumbnail_avif', 'thumbnail_webp', 'tiny', 'tiny_avif', 'tiny_webp'];
    expect(Object.keys(file.formats ?? {}).toSorted()).toEqual(names);
    const { url: avif = '' } = file.formats?.['tiny_avif'] ?? {};
    const encoded = readFileSync(join(site.root, 'public', avif));
    expect(encoded.toString('latin1', 4, 12)).toBe('ftypavif');
    const urls = [file.url, ...Object.values(file.formats ?? {}).map(({ url }) => url)];
    expect(stored().toSorted()).toEqual(urls.map((url) => url.replace('/uploads/', '')).toSorted());
  });

  it('ends after the file at hand when it is interrupted, and says how to do the rest', async () => {
    const interrupted = async (...[command, ...argv]: Parameters<typeof run>) => {
      interruptNext();
      return run(command, ...argv);
    };
    const add = await interrupted(MediaAdd, 'small.png', 'words.txt', 'note.txt');
    expect(add).toMatchObject({ exitCode: 130, stdout: '' });
    expect(add.stderr).toMatch(/Added: small\.png \(\w+\)\.\n/);
    expect(add.stderr).toContain('The upload was interrupted after 1 of 3 files.');
    await added('words.txt');
    const regenerate = await interrupted(MediaRegenerate, '--yes');
    expect(regenerate).toMatchObject({ exitCode: 130 });
    const [, next = ''] = /Continue with: cms media regenerate --from (\w+)/.exec(regenerate.stderr) ?? [];
    expect((await run(MediaRegenerate, '--from', next, '--yes', '--json')).json()).toMatchObject({
      regenerated: 1,
    });
    const replaced = await interrupted(MediaReplace, 'words.txt', 'note.txt', '--name', 'words.txt');
    expect(replaced).toMatchObject({ exitCode: 0 });
    const removed = await interrupted(MediaDelete, 'small.png', 'words.txt', '--yes');
    expect(removed).toMatchObject({ exitCode: 130 });
    expect(removed.stderr).toContain('Deleted: small.png.\n');
    await added('small.png');
    const pruned = await interrupted(MediaPrune, '--older-than', '0', '--yes');
    expect(pruned.stderr).toContain('The deletion was interrupted after 1 of 2 files.');
    expect((await run(MediaPrune, '--older-than', '0', '--yes', '--json')).json()).toMatchObject({
      files: [{ name: 'small.png' }],
    });
  });
});
