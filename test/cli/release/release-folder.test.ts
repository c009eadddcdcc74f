import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentList from '../../../src/commands/content/list.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentPush from '../../../src/commands/content/push.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import ReleaseAdd from '../../../src/commands/release/add.js';
import ReleaseCreate from '../../../src/commands/release/create.js';
import ReleaseDelete from '../../../src/commands/release/delete.js';
import ReleasePublish from '../../../src/commands/release/publish.js';
import ReleaseShow from '../../../src/commands/release/show.js';
import { databases } from '../../support/databases.js';
import { createSharedSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

type Command = Parameters<typeof runCommand>[0];
type Json = Readonly<Record<string, unknown>>;

describe.each(databases)('the folder of a release on $name', ({ create }) => {
  let site: TempProject;

  const run = (command: Command, ...argv: readonly string[]) =>
    runCommand(command, [...argv], { cwd: site.root });
  const cms = async (command: Command, ...argv: readonly string[]) => {
    const result = await run(command, ...argv);
    expect({ stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    return result;
  };
  const createArticle = async (title: string, ...argv: readonly string[]): Promise<string> => {
    const created = await cms(ContentCreate, 'article', '--set', `title=${title}`, ...argv, '--json');
    return created.json<{ readonly document: { readonly documentId: string } }>().document.documentId;
  };
  const titles = async (status: string): Promise<readonly unknown[]> => {
    const listed = await cms(ContentList, 'article', '--status', status, '--json');
    return listed
      .json<{ readonly documents: readonly Json[] }>()
      .documents.map(({ title }) => String(title))
      .toSorted((left, right) => left.localeCompare(right));
  };
  const changes = async (name: string) =>
    (await cms(ReleaseShow, name, '--json')).json<{ readonly changes: readonly Json[] }>().changes;

  beforeAll(async () => {
    const { url } = await create();
    site = await createSharedSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
  });

  it('holds its drafts, and a push saves drafts and the release', async () => {
    const edited = await createArticle('Live', '--publish');
    const removed = await createArticle('Old', '--publish');
    await createArticle('Outside', '--publish');
    await cms(ContentUpdate, 'article', edited, '--set', 'title=Next');
    await cms(ReleaseCreate, 'spring');
    await cms(ReleaseAdd, 'spring', 'article', edited);
    await cms(ReleaseAdd, 'spring', 'article', removed, '--unpublish');
    await cms(ContentPull, '--release', 'spring');
    const folder = 'releases/spring';
    const [file, old] = [`article/${edited}.en.yaml`, `article/${removed}.en.yaml`];
    expect(readdirSync(join(site.root, folder, 'article')).toSorted()).toEqual(
      [file, old].map((path) => path.slice('article/'.length)).toSorted(),
    );
    expect(site.read(`${folder}/release.yaml`)).toBe(`release: spring\nunpublish:\n  - ${old}\n`);
    expect(site.read(`${folder}/${file}`)).toContain('title: Next');
    expect((await cms(ContentPush, '--from', folder, '--yes')).stdout).toBe('Nothing to push.\n');
    const before = await changes('spring');

    await cms(ReleaseDelete, 'spring', '--yes');
    site.write({
      [`${folder}/${file}`]: site.read(`${folder}/${file}`).replace('Next', 'Reviewed'),
      [`${folder}/article/new.yaml`]: '$locale: en\n$status: published\ntitle: New\n',
    });
    const planned = await cms(ContentPush, '--from', folder, '--dry-run');
    expect(planned.stdout).toContain('Would write 2 changes.');
    await cms(ContentPush, '--from', folder, '--yes');
    expect(await titles('published')).toEqual(['Live', 'Old', 'Outside']);
    expect(await titles('draft')).toEqual(['New', 'Old', 'Outside', 'Reviewed']);
    const after = await changes('spring');
    expect(after).toHaveLength(3);
    expect(after).toEqual(expect.arrayContaining([...before]));

    rmSync(join(site.root, folder, old));
    const rejected = await run(ContentPush, '--from', folder, '--yes');
    expect(rejected).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(old) as string });
    expect(await run(ContentPush, '--from', folder, '--delete', '--yes')).toMatchObject({ exitCode: 2 });
    site.write({ [`${folder}/release.yaml`]: 'release: spring\n' });
    await cms(ContentPush, '--from', folder, '--yes');
    expect(await changes('spring')).toHaveLength(2);
    await cms(ReleasePublish, 'spring');
    expect(await titles('published')).toEqual(['New', 'Old', 'Outside', 'Reviewed']);
  });

  it.each([
    ['- a', 'The file must name a release'],
    ['release: [', 'The file must be YAML'],
    ['release: x\npublish: []', 'The file has no key publish'],
    ['release: x\nunpublish: all', 'unpublish must be a list of files'],
  ])('is rejected if release.yaml is %j', async (text, reason) => {
    site.write({ 'releases/bad/release.yaml': text });
    const result = await run(ContentPush, '--from', 'releases/bad', '--yes');
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(reason) as string });
  });
});
