import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import ComponentAdd from '../../../src/commands/component/add.js';
import ComponentList from '../../../src/commands/component/list.js';
import ComponentRemove from '../../../src/commands/component/remove.js';
import ComponentShow from '../../../src/commands/component/show.js';
import FieldAdd from '../../../src/commands/field/add.js';
import { answerAll } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite } from '../support/migrated-project.js';
import { runCommand, runOn } from '../support/run-command.js';
import { createTempProject } from '../support/temp-project.js';

const FILE = 'src/components/shared/seo.json';

describe('cms component', () => {
  it('is added, used, listed and shown', async () => {
    const site = await createMigratedSite();
    const added = await runCommand(
      ComponentAdd,
      [
        'shared.seo',
        '-a',
        'metaTitle:string:required,maxLength=60',
        '-a',
        'image:media:allowedTypes=images',
        '--display-name',
        'SEO',
      ],
      { cwd: site.root },
    );
    expect({ exitCode: added.exitCode, stdout: added.stdout }).toEqual({
      exitCode: 0,
      stdout: 'shared.seo\n',
    });
    expect(JSON.parse(site.read(FILE))).toEqual({
      $schema: '../../../types/component.schema.json',
      collectionName: 'components_shared_seos',
      info: { displayName: 'SEO', description: '' },
      options: {},
      attributes: {
        metaTitle: { type: 'string', required: true, maxLength: 60 },
        image: { type: 'media', multiple: false, allowedTypes: ['images'] },
      },
    });
    await runCommand(FieldAdd, ['tag', 'seo:component:component=seo'], { cwd: site.root });
    expect((await runCommand(ComponentList, ['--json'], { cwd: site.root })).json()).toMatchObject([
      { uid: 'shared.seo', usedBy: ['api::tag.tag seo'], attributeCount: 2, file: FILE },
    ]);
    const showResult = await runCommand(ComponentShow, ['seo'], { cwd: site.root });
    expect(showResult.stdout).toMatch(/metaTitle +string +required, maxLength 60/);
    const removed = await runCommand(ComponentRemove, ['shared.seo'], { cwd: site.root });
    expect(removed.exitCode).toBe(1);
    expect(removed.stderr).toContain('cms field remove tag seo');
    expect(existsSync(join(site.root, FILE))).toBe(true);
  });

  it('is removed where nothing uses it', async () => {
    const site = await createMigratedSite();
    await runCommand(ComponentAdd, ['shared.seo', '-a', 'title:string'], { cwd: site.root });
    expect((await runCommand(ComponentRemove, ['shared.seo'], { cwd: site.root })).exitCode).toBe(0);
    expect(existsSync(join(site.root, 'src/components'))).toBe(false);
  });

  it.each([
    [['seo'], 2, 'such as blocks.hero'],
    [['shared.seo', '-a', 'x:relation:manyToOne,target=tag,inversedBy=seos'], 2, 'one-way'],
    [['shared.seo', '-a', 'x:dynamiczone:components=shared.seo'], 1, ''],
    [[], 2, '<name>'],
  ])('refuses to add %j with exit code %i and changes nothing', async (argv, code, remedy) => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stderr } = await runCommand(ComponentAdd, argv, { cwd: site.root });
    expect(exitCode).toBe(code);
    expect(stderr).toContain(remedy);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('suggests the nearest name, and says where there is none', async () => {
    const site = await createMigratedSite();
    await runCommand(ComponentAdd, ['shared.seo', '-a', 'title:string', '--no-migrate'], { cwd: site.root });
    expect((await runCommand(ComponentShow, ['shared.sae'], { cwd: site.root })).stderr).toContain(
      'Did you mean shared.seo?',
    );
    const { stdout, stderr } = await runCommand(ComponentList, [], { cwd: createTempProject().root });
    expect(stdout).toBe('');
    expect(stderr).toContain('cms component add');
  });

  it('is asked for on a terminal', async () => {
    const site = await createMigratedSite();
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, ComponentAdd, []);
    await answerAll(terminal, [
      ['Category and name', 'shared.link\r'],
      ['First attribute', 'label\r'],
      ['Type', 'string\r'],
      ['Options', '\r'],
      ['Next attribute', '\r'],
      ['Review', '\r'],
    ]);
    expect(await done).toBe(0);
    expect(JSON.parse(site.read('src/components/shared/link.json'))).toMatchObject({
      info: { displayName: 'Link' },
      attributes: { label: { type: 'string' } },
    });
  });
});
