import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import FieldAdd from '../../../src/commands/field/add.js';
import FieldRemove from '../../../src/commands/field/remove.js';
import FieldRename from '../../../src/commands/field/rename.js';
import Migrate from '../../../src/commands/migrate.js';
import MigrateStatus from '../../../src/commands/migrate/status.js';
import { answerAll } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertRow, insertVersion } from '../support/rows.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const schemaPath = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;
const SEO = 'src/components/shared/seo.json';

const attributesOf = (
  site: TempProject,
  path: string,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> =>
  (JSON.parse(site.read(path)) as { attributes: Record<string, Record<string, unknown>> }).attributes;

/** The SQL of the newest migration. */
const lastMigrationSql = (site: TempProject): string => {
  const files = Object.keys(fileTree(join(site.root, 'prisma/migrations')));
  const last =
    files
      .filter((path) => path.endsWith('migration.sql'))
      .toSorted()
      .at(-1) ?? '';
  return site.read(`prisma/migrations/${last}`);
};

const columnsOf = (site: TempProject, table: string): readonly unknown[] =>
  rowsOf(site, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);

const withComponent = async (): Promise<TempProject> => {
  const site = await createMigratedSite();
  site.write({
    [SEO]: {
      collectionName: 'components_shared_seos',
      info: { displayName: 'SEO' },
      options: {},
      attributes: { metaTitle: { type: 'string' } },
    },
  });
  await runCommand(FieldAdd, ['tag', 'seo:component:component=shared.seo'], { cwd: site.root });
  return site;
};

describe('cms field add', () => {
  it('leaves nothing to migrate', async () => {
    const site = await createMigratedSite();
    await runCommand(FieldAdd, ['tag', 'weight:integer'], { cwd: site.root });
    const { stdout, exitCode } = await runCommand(MigrateStatus, [], { cwd: site.root });
    expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 });
  });

  it('keeps the attributes that another command adds at the same time', async () => {
    const site = await createMigratedSite();
    const names = ['weight', 'height'];
    const results = await Promise.all(
      names.map((name) => runCommand(FieldAdd, ['tag', `${name}:integer`], { cwd: site.root })),
    );
    const rejected = names.filter((_, index) => results[index]?.exitCode !== 0);
    for (const name of rejected) await runCommand(FieldAdd, ['tag', `${name}:integer`], { cwd: site.root });
    expect(Object.keys(attributesOf(site, schemaPath('tag')))).toEqual(expect.arrayContaining(names));
    expect(columnsOf(site, 'tags')).toEqual(expect.arrayContaining(names));
    expect(rejected).toHaveLength(1);
  });

  it('rejects edits while another command writes, and replaces the lock of a killed one', async () => {
    const site = await createMigratedSite();
    site.write({ '.galley/schema.lock': String(process.ppid) });
    const busy = await runCommand(FieldAdd, ['tag', 'weight:integer'], { cwd: site.root });
    expect(busy.stderr).toContain('Another command is changing the schema files');
    expect(attributesOf(site, schemaPath('tag'))).not.toHaveProperty('weight');
    site.write({ '.galley/schema.lock': '999999999' });
    const added = await runCommand(FieldAdd, ['tag', 'weight:integer'], { cwd: site.root });
    expect(added.exitCode).toBe(0);
  });

  it('adds several attributes in one migration and prints them', async () => {
    const site = await createMigratedSite();
    const { exitCode, stdout, stderr } = await runCommand(
      FieldAdd,
      ['tag', 'weight:integer:min=0', 'articles:relation:manyToMany,target=article,inversedBy=tags'],
      { cwd: site.root },
    );
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'api::tag.tag weight\napi::tag.tag articles\n',
    });
    expect(stderr).toMatch(/prisma\/migrations\/\d{14}_add_weight_articles_to_tag/);
    expect(columnsOf(site, 'tags')).toContain('weight');
    expect(attributesOf(site, schemaPath('article'))['tags']).toMatchObject({
      relation: 'manyToMany',
      mappedBy: 'articles',
    });
  });

  it('keeps existing rows, if a flag allows them to lack the required attribute', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    const add = (...flags: readonly string[]) =>
      runCommand(FieldAdd, ['tag', 'weight:integer:required', ...flags], { cwd: site.root });
    const { exitCode, stderr } = await add();
    expect(exitCode).toBe(3);
    expect(stderr).toContain('api::tag.tag weight: must be set (1 value)');
    expect((await add('--accept-invalid')).exitCode).toBe(0);
    expect(rowsOf(site, 'SELECT title, weight FROM tags')).toEqual([{ title: 'kept', weight: null }]);
  });

  it('records an attribute of a component in a migration that changes no table', async () => {
    const site = await withComponent();
    const { exitCode, json } = await runCommand(FieldAdd, ['shared.seo', 'keywords:text', '--json'], {
      cwd: site.root,
    });
    expect(exitCode).toBe(0);
    const migration = expect.stringMatching(/^\d{14}_add_keywords_to_seo$/);
    expect(json()).toEqual({
      uid: 'shared.seo',
      attributes: ['keywords'],
      files: [SEO],
      migration,
      applied: [migration],
      changes: [],
    });
    expect(lastMigrationSql(site)).toMatch(
      /^-- The content-types have changed, but none of their tables\.\n$/,
    );
    expect(site.read('types/components.d.ts')).toContain('keywords: string | null;');
  });

  it.each([
    [['tga', 'x:string'], 1, 'Did you mean tag?'],
    [['shared.sae', 'x:string'], 1, 'component'],
    [['tag', 'title:string'], 1, 'already has an attribute title'],
    [['tag', 'title:string'], 1, 'change it with: cms field edit api::tag.tag title, or rename it'],
    [['tag', 'x:string', 'x:text'], 1, 'Choose a different name for each attribute.'],
    [['tag', 'x'], 2, 'Write name:type'],
    [['tag', 'x:component:component=shared.seo'], 1, 'There is no component'],
    [['tag', 'createdAt:datetime'], 1, 'createdAt'],
    [['tag'], 2, '<attribute>'],
    [[], 2, '<type>'],
  ])('refuses %j with exit code %i and changes nothing', async (argv, code, remedy) => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stdout, stderr } = await runCommand(FieldAdd, argv, { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toContain(remedy);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('asks for attributes on a terminal', async () => {
    const site = await createMigratedSite();
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, FieldAdd, ['tag']);
    await answerAll(terminal, [
      ['Next attribute', 'weight\r'],
      ['Type', 'integer\r'],
      ['Options', '\r'],
      ['Next attribute', '\r'],
      ['Review', '\r'],
    ]);
    expect(await done).toBe(0);
    expect(attributesOf(site, schemaPath('tag'))['weight']).toEqual({ type: 'integer' });
  });
});

describe('cms field rename', () => {
  it('keeps values, place in the file, and what refers to the attribute', async () => {
    const site = await createMigratedSite();
    await runCommand(FieldAdd, ['tag', 'slug:uid:targetField=title', 'weight:integer'], { cwd: site.root });
    insertVersion(site, 'tags', 'one', { title: 'kept', slug: 'kept', weight: 3 });
    const { exitCode, stdout } = await runCommand(FieldRename, ['tag', 'title', 'label'], { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'api::tag.tag label\n' });
    expect(Object.keys(attributesOf(site, schemaPath('tag')))).toEqual(['label', 'slug', 'weight']);
    expect(attributesOf(site, schemaPath('tag'))['slug']).toMatchObject({ targetField: 'label' });
    expect(rowsOf(site, 'SELECT label, slug, weight FROM tags')).toEqual([
      { label: 'kept', slug: 'kept', weight: 3 },
    ]);
  });

  it('keeps values where only the case of the name changes, in the command and in files', async () => {
    const site = await createMigratedSite();
    const add = ['tag', 'Width:decimal', 'main:relation:manyToMany,target=article'];
    expect((await runCommand(FieldAdd, add, { cwd: site.root })).exitCode).toBe(0);
    insertRow(site, 'articles_documents', { document_id: 'one', revision: 1 });
    const tag = insertVersion(site, 'tags', 'red', { title: 'red', width: 2.5 });
    insertRow(site, 'tags_main_links', { source_id: tag, target_document_id: 'one', position: 1 });
    for (const [from, to] of [
      ['Width', 'width'],
      ['main', 'Main'],
    ] as const) {
      const { exitCode, stderr } = await runCommand(FieldRename, ['tag', from, to], { cwd: site.root });
      expect([exitCode, stderr.includes('loses data')]).toEqual([0, false]);
    }
    const schema = site.read(schemaPath('tag')).replace('"width"', '"WIDTH"');
    site.write({ [schemaPath('tag')]: JSON.parse(schema) as Record<string, unknown> });
    expect((await runCommand(Migrate, [], { cwd: site.root })).exitCode).toBe(0);
    expect(rowsOf(site, 'SELECT width FROM tags')).toEqual([{ width: 2.5 }]);
    expect(rowsOf(site, 'SELECT target_document_id FROM tags_main_links')).toHaveLength(1);
  });

  it('keeps the links of to-one and to-many relations', async () => {
    const site = await createMigratedSite();
    await runCommand(
      FieldAdd,
      [
        'article',
        'main:relation:manyToOne,target=tag,inversedBy=articles',
        'others:relation:manyToMany,target=tag,inversedBy=mentions',
      ],
      { cwd: site.root },
    );
    insertVersion(site, 'tags', 'red', { title: 'red' });
    const article = insertVersion(site, 'articles', 'one', { main_document_id: 'red', main_position: 1 });
    insertRow(site, 'articles_others_links', {
      source_id: article,
      target_document_id: 'red',
      position: 1,
      inverse_position: 1,
    });
    for (const [from, to] of [
      ['main', 'first'],
      ['others', 'rest'],
    ] as const) {
      expect((await runCommand(FieldRename, ['article', from, to], { cwd: site.root })).exitCode).toBe(0);
    }
    expect(
      rowsOf(site, 'SELECT first_document_id AS target, first_position AS position FROM articles'),
    ).toEqual([{ target: 'red', position: 1 }]);
    expect(
      rowsOf(site, 'SELECT source_id AS source, target_document_id AS target FROM articles_rest_links'),
    ).toEqual([{ source: article, target: 'red' }]);
    expect(columnsOf(site, 'articles_others_links')).toEqual([]);
    expect(attributesOf(site, schemaPath('tag'))['articles']).toMatchObject({ mappedBy: 'first' });
  });

  it('renames the side of a relation that has no column without changing a table', async () => {
    const site = await createMigratedSite();
    await runCommand(FieldAdd, ['article', 'main:relation:manyToOne,target=tag,inversedBy=articles'], {
      cwd: site.root,
    });
    const { json } = await runCommand(FieldRename, ['tag', 'articles', 'texts', '--json'], {
      cwd: site.root,
    });
    expect(json()).toMatchObject({ files: [schemaPath('article'), schemaPath('tag')] });
    expect(lastMigrationSql(site)).toMatch(
      /\n\n-- The content-types have changed, but none of their tables\.\n$/,
    );
    expect(attributesOf(site, schemaPath('article'))['main']).toMatchObject({ inversedBy: 'texts' });
  });

  it('shows the renaming statement with --dry-run and changes nothing', async () => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stdout } = await runCommand(FieldRename, ['tag', 'title', 'label', '--dry-run'], {
      cwd: site.root,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('RENAME COLUMN "title" TO "label"');
    expect(fileTree(site.root)).toEqual(before);
  });

  it('renames inside a component that is used, and the migration moves its values', async () => {
    const site = await withComponent();
    const { exitCode, stdout } = await runCommand(FieldRename, ['shared.seo', 'metaTitle', 'heading'], {
      cwd: site.root,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'shared.seo heading\n' });
    expect(Object.keys(attributesOf(site, SEO))).toEqual(['heading']);
    expect(lastMigrationSql(site)).toContain(
      '{"kind":"component-attribute","component":"shared.seo","from":"metaTitle","to":"heading"}',
    );
  });

  it.each([
    [['tag', 'titel', 'label'], 1, 'Did you mean title?'],
    [['tag', 'title', 'id'], 1, 'id'],
    [['tag', 'title'], 2, '<new>'],
    [['user', 'email', 'mail'], 2, 'built in'],
  ])('refuses %j with exit code %i and changes nothing', async (argv, code, remedy) => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stderr } = await runCommand(FieldRename, argv, { cwd: site.root });
    expect(exitCode).toBe(code);
    expect(stderr).toContain(remedy);
    expect(fileTree(site.root)).toEqual(before);
  });
});

describe('cms field remove', () => {
  it('removes an attribute without values, and both sides of a relation', async () => {
    const site = await createMigratedSite();
    await runCommand(FieldAdd, ['article', 'main:relation:manyToOne,target=tag,inversedBy=articles'], {
      cwd: site.root,
    });
    const { exitCode, json } = await runCommand(FieldRemove, ['article', 'main', '--json'], {
      cwd: site.root,
    });
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({
      uid: 'api::article.article',
      attributes: ['main'],
      otherSides: ['api::tag.tag articles'],
    });
    expect(columnsOf(site, 'articles')).not.toContain('main_document_id');
    expect(attributesOf(site, schemaPath('tag'))).not.toHaveProperty('articles');
  });

  it('refuses with exit code 3 while rows hold a value, naming type, attribute and number', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    insertVersion(site, 'tags', 'two', { title: null });
    const before = fileTree(site.root);
    const { exitCode, json } = await runCommand(FieldRemove, ['tag', 'title', '--yes', '--json'], {
      cwd: site.root,
    });
    expect(exitCode).toBe(3);
    expect(json<{ error: { code: string; message: string } }>().error).toMatchObject({
      code: 'cli/data-loss',
      message: 'Data would be lost: api::tag.tag title',
      changes: [{ type: 'api::tag.tag', path: 'title', values: 1 }],
    });
    expect(fileTree(site.root)).toEqual(before);
    expect(rowsOf(site, 'SELECT title FROM tags WHERE title IS NOT NULL')).toEqual([{ title: 'kept' }]);
    expect(
      (await runCommand(FieldRemove, ['tag', 'title', '--accept-data-loss'], { cwd: site.root })).exitCode,
    ).toBe(0);
    expect(columnsOf(site, 'tags')).not.toContain('title');
  });

  it('asks on a terminal, and keeps the data on a no', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, FieldRemove, ['tag', 'title']);
    await answerAll(terminal, [['Lose this data?', 'n\r']]);
    expect(await done).toBe(3);
    expect(attributesOf(site, schemaPath('tag'))).toHaveProperty('title');
  });
});
