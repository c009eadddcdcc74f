import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import FieldAdd from '../../../src/commands/field/add.js';
import FieldEdit from '../../../src/commands/field/edit.js';
import FieldRemove from '../../../src/commands/field/remove.js';
import FieldRename from '../../../src/commands/field/rename.js';
import { answerAll } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const pathOf = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;

const attributesOf = (site: TempProject, name: string): Readonly<Record<string, unknown>> =>
  (JSON.parse(site.read(pathOf(name))) as { attributes: Record<string, unknown> }).attributes;

const run = (site: TempProject, command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
  runCommand(command, argv, { cwd: site.root });

describe('cms field edit', () => {
  it('changes options in their place, and leaves the others', async () => {
    const site = await createMigratedSite();
    await run(site, FieldAdd, 'tag', 'weight:integer:min=0,max=5');
    const { exitCode, json } = await run(
      site,
      FieldEdit,
      'tag',
      'title',
      '--required',
      '--max-length',
      '80',
      '--regex',
      '^[a-z]',
      '--json',
    );
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({
      uid: 'api::tag.tag',
      attribute: 'title',
      before: { type: 'string' },
      after: { type: 'string', required: true, maxLength: 80, regex: '^[a-z]' },
      files: [pathOf('tag')],
    });
    expect(Object.keys(attributesOf(site, 'tag'))).toEqual(['title', 'weight']);
    await run(site, FieldEdit, 'tag', 'title', '--no-required', '--unset', 'regex', '--unset', 'maxLength');
    await run(site, FieldEdit, 'tag', 'weight', '--max', '9', '--default', '3');
    expect(attributesOf(site, 'tag')).toEqual({
      title: { type: 'string', pluginOptions: {} },
      weight: { type: 'integer', min: 0, max: 9, default: 3 },
    });
  });

  it('changes the type, and drops the options that the new one lacks', async () => {
    const site = await createMigratedSite();
    await run(site, FieldAdd, 'tag', 'code:string:required,maxLength=5,default=a');
    const { exitCode, stderr } = await run(site, FieldEdit, 'tag', 'code', '--type', 'integer', '--min', '1');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Removed with the type string: default, maxLength');
    expect(attributesOf(site, 'tag')['code']).toEqual({ type: 'integer', required: true, min: 1 });
  });

  it('gives both sides of a relation the form that fits, and takes the other side away', async () => {
    const site = await createMigratedSite();
    await run(site, FieldAdd, 'article', 'main:relation:manyToOne,target=tag,inversedBy=articles');
    const edit = (...argv: readonly string[]) => run(site, FieldEdit, 'article', 'main', ...argv);
    expect((await edit('--relation', 'manyToMany')).exitCode).toBe(0);
    expect(attributesOf(site, 'tag')['articles']).toEqual({
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::article.article',
      mappedBy: 'main',
    });
    expect((await edit('--unset', 'inversedBy')).exitCode).toBe(0);
    expect(attributesOf(site, 'tag')).not.toHaveProperty('articles');
    expect((await edit('--inversed-by', 'texts')).exitCode).toBe(0);
    expect(attributesOf(site, 'tag')['texts']).toMatchObject({ mappedBy: 'main' });
    const taken = await edit('--inversed-by', 'title');
    expect(taken.exitCode).toBe(1);
    expect(taken.stderr).toContain('api::tag.tag already has an attribute title');
  });

  it('shows file and SQL with --dry-run and changes nothing', async () => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stdout } = await run(site, FieldEdit, 'tag', 'title', '--type', 'integer', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('+      "type": "integer"');
    expect(stdout).toContain('-- SQL');
    expect(fileTree(site.root)).toEqual(before);
  });

  it.each([
    [['tag', 'titel', '--required'], 1, 'Did you mean title?'],
    [
      ['tag', 'title', '--min', '3'],
      2,
      'The attribute title:string is not valid: the type string has no option min',
    ],
    [['tag', 'title', '--max-length', 'ten'], 2, 'Write a number: maxLength=10'],
    [['tag', 'title', '--type', 'intger'], 2, 'Did you mean integer?'],
    [['tag', 'title', '--type', 'enumeration'], 2, 'the type enumeration requires enum'],
    [['tag', 'title', '--unset', 'max'], 2, 'It has type'],
    [['tag', 'title', '--type', 'component', '--component', 'shared.seo'], 1, 'There is no component'],
    [['tag', 'title'], 2, 'Missing an option, such as --required.'],
    [['user', 'email', '--required'], 2, 'built in'],
    [['tag', 'title', '--required', '--set', 'tag.titel=x'], 1, 'Did you mean title?'],
  ])('refuses %j with exit code %i and changes nothing', async (argv, code, text) => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stderr } = await run(site, FieldEdit, ...argv);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('asks on a terminal what to change, and shows what is set', async () => {
    const site = await createMigratedSite();
    await run(site, FieldAdd, 'tag', 'code:string:required,maxLength=5');
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, FieldEdit, ['tag', 'code']);
    await answerAll(terminal, [
      ['Type', '\r'],
      ['required', ' \r'],
      ['maxLength *', '9\r'],
      ['Review', '\r'],
    ]);
    expect(await done).toBe(0);
    expect(terminal.err()).toContain('- code: string, required, maxLength 5\n+ code: string, maxLength 9\n');
    expect(attributesOf(site, 'tag')['code']).toEqual({ type: 'string', maxLength: 9 });
  });
});

describe('cms field remove and rename', () => {
  it('removes several attributes in one migration', async () => {
    const site = await createMigratedSite();
    await run(site, FieldAdd, 'tag', 'weight:integer', 'code:string');
    const { exitCode, stdout } = await run(site, FieldRemove, 'tag', 'weight', 'code');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'api::tag.tag weight\napi::tag.tag code\n' });
    expect(Object.keys(attributesOf(site, 'tag'))).toEqual(['title']);
    const migrations = Object.keys(fileTree(join(site.root, 'prisma/migrations')));
    expect(
      migrations.filter((path) => path.endsWith('_remove_weight_code_from_tag/migration.sql')),
    ).toHaveLength(1);
  });

  it('names the code that still uses the old name', async () => {
    const site = await createMigratedSite();
    site.write({
      'src/index.ts': "export const a = 1;\nexport const field = 'title';\nconst subtitle = a;\n",
    });
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    const { stderr } = await run(site, FieldRename, 'tag', 'title', 'label');
    expect(stderr).toContain('Project code contains title and may need the same change:\n  src/index.ts:2\n');
    expect(stderr).not.toContain('src/index.ts:3');
    expect(rowsOf(site, 'SELECT label FROM tags')).toEqual([{ label: 'kept' }]);
  });
});
