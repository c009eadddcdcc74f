import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import ContentUpdate from '../../../src/commands/content/update.js';
import MediaAdd from '../../../src/commands/media/add.js';
import MediaDelete from '../../../src/commands/media/delete.js';
import MediaList from '../../../src/commands/media/list.js';
import MediaPrune from '../../../src/commands/media/prune.js';
import MediaRegenerate from '../../../src/commands/media/regenerate.js';
import MediaReplace from '../../../src/commands/media/replace.js';
import MediaShow from '../../../src/commands/media/show.js';
import MediaUpdate from '../../../src/commands/media/update.js';
import { interruptNext } from '../../cli/support/interrupt.js';
import type { runCommand } from '../../cli/support/run-command.js';
import type { Site } from '../support/site.js';
import { createImage } from '../media/support/client.js';

type Json = Readonly<Record<string, unknown>>;
type Run = (
  command: Parameters<typeof runCommand>[0],
  ...argv: readonly string[]
) => ReturnType<typeof runCommand>;

/** A server, and a clone of its project that has no database. */
export interface RemoteMedia {
  readonly site: () => Site;
  readonly clone: () => string;
  readonly run: Run;
  /** Runs a command that works with the server, and has to succeed. */
  readonly there: Run;
  /** Returns a document of the server. */
  readonly shown: (...argv: readonly string[]) => Promise<Json>;
}

/** Tests of the media library of a remote server. */
export function remoteMediaCases({ site, clone, run, there, shown }: RemoteMedia): void {
  it('has a media library', async () => {
    writeFileSync(join(clone(), 'note.txt'), 'one');
    writeFileSync(join(clone(), 'other.txt'), 'three');
    await there(MediaAdd, 'note.txt', '--alt', 'A note');
    expect((await there(MediaList, '--json')).json()).toMatchObject({
      total: 1,
      files: [{ name: 'note.txt', alternativeText: 'A note' }],
    });
    await there(MediaUpdate, 'note.txt', '--caption', 'Short');
    await there(MediaReplace, 'note.txt', 'other.txt', '--name', 'note.txt');
    const { file } = (await there(MediaShow, 'note.txt', '--json')).json<{ file: Json }>();
    expect(file).toMatchObject({ caption: 'Short', alternativeText: 'A note' });
    const stored = await fetch(new URL(String(file['url']), site().server.url));
    expect(await stored.text()).toBe('three');
    await there(ContentUpdate, 'article', 'a-lamp', '--set', 'gallery=note.txt');
    expect(await shown('article', 'a-lamp')).toMatchObject({ gallery: [{ name: 'note.txt' }] });
    const refused = await run(MediaAdd, 'missing.txt', '--remote', 'live');
    expect(refused).toMatchObject({ exitCode: 1 });
    await there(MediaDelete, 'note.txt', '--yes');
    expect((await there(MediaList, '--format', 'count')).stdout.trim()).toBe('0');
  });

  it('has stored files that are put in order where they are', async () => {
    const uploads = join(site().root, 'public/uploads');
    const stray = join(uploads, 'stray.txt');
    const regenerate = async (...argv: readonly string[]) =>
      (await there(MediaRegenerate, '--yes', '--json', ...argv)).json();
    const [big, other] = [join(clone(), 'big.png'), join(clone(), 'other.png')];
    writeFileSync(big, await createImage(1200, 800));
    writeFileSync(other, await createImage(600, 400));
    await there(MediaAdd, 'big.png', '--link', 'article a-lamp gallery');
    await there(MediaAdd, 'other.png', 'note.txt');
    const shownFile = async () =>
      (await there(MediaShow, 'big.png', '--json')).json<{ file: Json; usages: readonly Json[] }>();
    const { file: before, usages } = await shownFile();
    expect(usages).toMatchObject([{ attribute: 'gallery', by: 'link', status: 'draft' }]);

    expect((await there(MediaRegenerate, '--dry-run')).stdout).toBe(
      'Would regenerate the formats of 2 images.\n',
    );
    interruptNext();
    const interrupted = await run(MediaRegenerate, '--yes', '--remote', 'live');
    expect(interrupted).toMatchObject({ exitCode: 130 });
    const [, next = ''] = /Continue with: cms media regenerate --from (\w+) --remote live/.exec(
      interrupted.stderr,
    ) ?? [''];
    expect(await regenerate('--from', next)).toMatchObject({ regenerated: 1, failed: 0 });
    const { file: after } = await shownFile();
    expect(after['url']).toBe(before['url']);
    expect(after['formats']).not.toEqual(before['formats']);
    expect(Object.keys(after['formats'] ?? {})).toEqual(Object.keys(before['formats'] ?? {}));

    writeFileSync(stray, 'left over');
    const kept = String(after['url']).replace('/uploads/', '');
    const removed = await fetch(`${site().server.url}/api/cms/media/strays/delete`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${site().tokens['full'] ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ data: [kept, '../../.env'] }),
    });
    expect(await removed.json()).toEqual({ data: [] });
    const dry = await there(MediaPrune, '--older-than', '0', '--dry-run', '--json');
    const waste = { files: [{ name: 'other.png' }, { name: 'note.txt' }], strays: [{ name: 'stray.txt' }] };
    expect(dry.json()).toMatchObject({ ...waste, dryRun: true });
    expect(existsSync(stray)).toBe(true);
    expect((await there(MediaPrune, '--yes')).stdout).toBe('Deleted 0 unused files and 1 orphaned object.\n');
    expect(existsSync(stray)).toBe(false);
    expect((await there(MediaPrune, '--older-than', '0', '--yes', '--json')).json()).toMatchObject({
      files: waste.files,
      strays: [],
    });
    expect((await there(MediaList, '--format', 'count')).stdout.trim()).toBe('1');

    rmSync(join(uploads, kept));
    const failed = await run(MediaRegenerate, 'big.png', '--yes', '--remote', 'live');
    expect(failed).toMatchObject({ exitCode: 1 });
    expect(failed.stderr).toContain('the file storage does not contain its object');
    await there(MediaDelete, 'big.png', '--yes');
  });
}
