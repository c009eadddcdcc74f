import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import TypeAdd from '../../../src/commands/type/add.js';
import TypeList from '../../../src/commands/type/list.js';
import TypeRemove from '../../../src/commands/type/remove.js';
import TypeShow from '../../../src/commands/type/show.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, rowsOf, typeFile } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import { createTempProject } from '../support/temp-project.js';
import { schemaPath, attributesOf, columnsOf } from '../support/schema-tables.js';

describe('cms type remove', () => {
  it('removes file, tables and the relations to it where nothing is lost', async () => {
    const site = await createMigratedSite();
    await runCommand(TypeAdd, ['note', '-a', 'tag:relation:manyToOne,target=tag,inversedBy=notes'], {
      cwd: site.root,
    });
    const { exitCode, json } = await runCommand(TypeRemove, ['note', '--json'], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({ uid: 'api::note.note', relations: ['api::tag.tag notes'] });
    expect(existsSync(join(site.root, 'src/api/note'))).toBe(false);
    expect(attributesOf(site.read(schemaPath('tag')))).not.toHaveProperty('notes');
    expect(columnsOf(site, 'notes')).toEqual([]);
  });

  it('refuses with exit code 3 while there are documents, says how many, and changes nothing', async () => {
    const site = await createMigratedSite();
    for (const id of ['one', 'two']) insertVersion(site, 'tags', id, { title: id });
    const before = fileTree(site.root);
    const { exitCode, stdout, stderr } = await runCommand(TypeRemove, ['tag', '--yes'], { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/api::tag\.tag.*2 documents/);
    expect(stderr).toContain('--accept-data-loss');
    expect(fileTree(site.root)).toEqual(before);
    expect(rowsOf(site, 'SELECT * FROM tags')).toHaveLength(2);
    expect((await runCommand(TypeRemove, ['tag', '--accept-data-loss'], { cwd: site.root })).exitCode).toBe(
      0,
    );
    expect(columnsOf(site, 'tags')).toEqual([]);
  });

  it('refuses what is built in, and suggests the nearest name for what is not there', async () => {
    const site = await createMigratedSite();
    expect((await runCommand(TypeRemove, ['user'], { cwd: site.root })).stderr).toContain('built in');
    const { exitCode, json } = await runCommand(TypeRemove, ['artcile', '--json'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(json()).toEqual({
      error: {
        code: 'cli/unknown-name',
        message: 'There is no content-type artcile.',
        hint: 'Did you mean article?',
      },
    });
  });
});

describe('cms type list and show', () => {
  it('lists the types of the project, and with --builtin all', async () => {
    const site = await createMigratedSite();
    const own = (await runCommand(TypeList, ['--json'], { cwd: site.root })).json<{ uid: string }[]>();
    expect(own.map(({ uid }) => uid)).toEqual([
      'api::article.article',
      'api::home-page.home-page',
      'api::tag.tag',
    ]);
    const all = (await runCommand(TypeList, ['--json', '--builtin'], { cwd: site.root })).json<
      { uid: string }[]
    >();
    expect(all.map(({ uid }) => uid)).toContain('plugin::upload.file');
    expect((await runCommand(TypeList, [], { cwd: site.root })).stdout.split('\n')[0]).toMatch(
      /^TYPE +KIND +NAME/,
    );
  });

  it('prints nothing on stdout where there is no type, and says how to make one', async () => {
    const { exitCode, stdout, stderr } = await runCommand(TypeList, [], { cwd: createTempProject().root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('cms type add');
  });

  it('shows a type by its short name', async () => {
    const site = await createMigratedSite();
    const { json, exitCode } = await runCommand(TypeShow, ['articles', '--json'], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({
      uid: 'api::article.article',
      draftAndPublish: true,
      localized: true,
      table: 'articles',
      attributes: [{ name: 'title', type: 'string', localized: true }],
    });
    expect((await runCommand(TypeShow, ['article'], { cwd: site.root })).stdout).toMatch(
      /title +string +localized/,
    );
  });

  it('shows what attributes hold and point at as values, for scripts', async () => {
    const { root } = createTempProject({
      ...typeFile('tag'),
      'src/components/shared/seo.json': { attributes: { title: { type: 'string' } } },
      'src/api/note/content-types/note/schema.json': {
        kind: 'collectionType',
        collectionName: 'notes',
        info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
        attributes: {
          mood: { type: 'enumeration', enum: ['blue', 'red'], default: 'blue' },
          tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
          cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
          seo: { type: 'component', component: 'shared.seo', repeatable: true, max: 3 },
          zone: { type: 'dynamiczone', components: ['shared.seo'] },
          big: { type: 'biginteger', min: '9007199254740993' },
          code: { type: 'string', regex: '^a+$', unique: true },
        },
      },
    });
    const { json } = await runCommand(TypeShow, ['note', '--json'], { cwd: root });
    const { attributes } = json<{ attributes: { name: string; options: object }[] }>();
    expect(Object.fromEntries(attributes.map(({ name, options }) => [name, options]))).toEqual({
      mood: { enum: ['blue', 'red'], default: 'blue' },
      tag: { relation: 'manyToOne', target: 'api::tag.tag' },
      cover: { multiple: false, allowedTypes: ['images'], target: 'plugin::upload.file' },
      seo: { component: 'shared.seo', repeatable: true, max: 3 },
      zone: { components: ['shared.seo'] },
      big: { min: '9007199254740993' },
      code: { regex: '^a+$', unique: true },
    });
  });
});
