import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import TypeAdd from '../../src/commands/type/add.js';
import TypeList from '../../src/commands/type/list.js';
import TypeRemove from '../../src/commands/type/remove.js';
import TypeShow from '../../src/commands/type/show.js';
import MigrateStatus from '../../src/commands/migrate/status.js';
import { answerAll, DOWN } from './support/answer-all.js';
import { createFakeTerminal } from './support/fake-terminal.js';
import { fileTree } from './support/file-tree.js';
import { createMigratedSite, rowsOf, typeFile } from './support/migrated-project.js';
import { insertVersion } from './support/rows.js';
import { runCommand, runOn } from './support/run-command.js';
import { createTempFolder, createTempProject } from './support/temp-project.js';

const schema = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;
const attributesOf = (text: string): Readonly<Record<string, unknown>> => (JSON.parse(text) as { attributes: Record<string, unknown> }).attributes;
const columnsOf = (site: Parameters<typeof rowsOf>[0], table: string): readonly unknown[] => rowsOf(site, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);

describe('cms type add', () => {
  it('writes the file, migrates and generates, and prints the uid alone', async () => {
    const site = await createMigratedSite();
    const argv = ['Blog Post', '--draft-publish', '--attribute', 'title:string:required,maxLength=120', '-a', 'slug:uid:targetField=title', '-a', 'tag:relation:manyToOne,target=tag,inversedBy=posts'];
    const { exitCode, stdout, stderr } = await runCommand(TypeAdd, argv, { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'api::blog-post.blog-post\n' });
    expect(stderr).toContain(`database file:${site.root}/data.db`);
    expect(JSON.parse(site.read(schema('blog-post')))).toMatchObject({ kind: 'collectionType', info: { singularName: 'blog-post', pluralName: 'blog-posts', displayName: 'Blog Post' }, options: { draftAndPublish: true } });
    expect(attributesOf(site.read(schema('tag')))['posts']).toEqual({ type: 'relation', relation: 'oneToMany', target: 'api::blog-post.blog-post', mappedBy: 'tag' });
    expect(columnsOf(site, 'blog_posts')).toEqual(expect.arrayContaining(['title', 'slug', 'tag_document_id', 'tag_position']));
    expect(site.read('prisma/schema.prisma')).toContain('model BlogPost {');
    expect(site.read('types/content-types.d.ts')).toContain('export interface BlogPost {');
    expect(existsSync(join(site.root, '.galley/client/index.js'))).toBe(true);
  });

  it('answers one JSON document with the files and the migration', async () => {
    const site = await createMigratedSite();
    const { json } = await runCommand(TypeAdd, ['note', '--json', '-a', 'tag:relation:manyToMany,target=tag,inversedBy=notes'], { cwd: site.root });
    const result = json<{ migration: string }>();
    expect(result).toEqual({ uid: 'api::note.note', files: [schema('note'), schema('tag')], migration: expect.stringMatching(/^\d{14}_add_note$/) as string, applied: [result.migration] });
    expect(rowsOf(site, 'SELECT migration_name FROM _prisma_migrations').map((row) => row['migration_name'])).toContain(result.migration);
  });

  it('shows files and SQL with --dry-run and changes nothing', async () => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stdout } = await runCommand(TypeAdd, ['note', '--dry-run', '-a', 'title:string', '-a', 'tag:relation:manyToOne,target=tag,inversedBy=notes'], { cwd: site.root });
    expect(exitCode).toBe(0);
    for (const part of [`+++ b/${schema('note')}`, `--- a/${schema('tag')}`, '-- SQL', 'CREATE TABLE "notes"']) expect(stdout).toContain(part);
    expect(fileTree(site.root)).toEqual(before);
    expect(columnsOf(site, 'notes')).toEqual([]);
  });

  it('leaves the database alone with --no-migrate, and says what is left to do', async () => {
    const site = await createMigratedSite();
    const { exitCode, stderr } = await runCommand(TypeAdd, ['note', '--no-migrate', '-a', 'title:string'], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('cms migrate');
    expect(columnsOf(site, 'notes')).toEqual([]);
    expect((await runCommand(MigrateStatus, [], { cwd: site.root })).exitCode).toBe(4);
  });

  it('takes a type from a file or from standard input', async () => {
    const site = await createMigratedSite();
    site.write({ 'event.json': { kind: 'singleType', info: { singularName: 'event', displayName: 'The Event' }, attributes: { title: { type: 'string' } } } });
    expect((await runCommand(TypeAdd, ['--from', 'event.json', '--no-migrate'], { cwd: site.root })).stdout).toBe('api::event.event\n');
    const stdin = '{"info":{"displayName":"Opening Hour"},"attributes":{"day":"string:required"}}';
    expect((await runCommand(TypeAdd, ['--from', '-', '--draft-publish', '--no-migrate'], { cwd: site.root, stdin })).stdout).toBe('api::opening-hour.opening-hour\n');
    expect(JSON.parse(site.read(schema('opening-hour')))).toMatchObject({ options: { draftAndPublish: true }, attributes: { day: { type: 'string', required: true } } });
    expect(JSON.parse(site.read(schema('event')))).toMatchObject({ kind: 'singleType', info: { pluralName: 'events' } });
  });

  it.each([
    [['note', '-a', 'title:strng'], 2, 'Did you mean string?'],
    [['note', '-a', 'title:string:maxlenght=3'], 2, 'Did you mean maxLength?'],
    [['note', '-a', 'tag:relation:manyToOne,target=tga'], 1, 'Did you mean tag?'],
    [['note', '-a', 'id:string'], 1, 'id'],
    [['note', '-a', 'title:string', '-a', 'title:text'], 1, 'title'],
    [['note', '-a', 'slug:uid:targetField=titel', '-a', 'title:string'], 1, 'titel'],
    [['note', '-a', 'tag:relation:manyToOne,target=tag,inversedBy=title'], 1, 'api::tag.tag already has an attribute title'],
    [['tag'], 1, 'already a content-type tag'],
    [['tags'], 1, 'already a content-type tags'],
    [['user'], 1, 'built-in route'],
    [['note', '--plural', 'Notes!'], 2, 'Write notes'],
    [['note', '--kind', 'sinlge'], 2, 'Did you mean --kind single?'],
    [['--from', 'nothing.json'], 2, 'nothing.json'],
    [[], 2, '<name>'],
  ])('refuses %j with exit code %i and changes nothing', async (argv, code, remedy) => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stdout, stderr } = await runCommand(TypeAdd, argv, { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toContain(remedy);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('names file and line of a mistake that is there already, and adds nothing to it', async () => {
    const site = createTempProject({ ...typeFile('tag'), [schema('note')]: '{\n  "kind": "collectionType",\n  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Note" },\n  "attributes": {\n    "tag": { "type": "relation", "relation": "manyToOne", "target": "api::tga.tga" }\n  }\n}\n' });
    const before = fileTree(site.root);
    const { exitCode, stderr } = await runCommand(TypeAdd, ['page', '-a', 'title:string'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${schema('note')}:5 tag`);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('puts the files back where the migration cannot be made', async () => {
    const site = createTempProject({ ...typeFile('tag'), 'prisma/migrations/migration_lock.toml': 'provider = "postgresql"\n' });
    const before = fileTree(site.root);
    const { exitCode } = await runCommand(TypeAdd, ['note', '-a', 'title:string'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('says that it needs a project', async () => {
    const { exitCode, stderr } = await runCommand(TypeAdd, ['note'], { cwd: createTempFolder() });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cms new');
  });

  it('asks for everything on a terminal, with each type\'s own options', async () => {
    const site = await createMigratedSite();
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, TypeAdd, []);
    await answerAll(terminal, [
      ['Name of the content-type', 'Recipe\r'],
      ['Plural, as in the address', '\r'],
      ['Kind', '\r'],
      ['Drafts, published when ready?', 'y\r'],
      ['In several languages?', '\r'],
      ['First attribute', 'title\r'],
      ['Type', 'string\r'],
      ['Options', ' \r'],
      ['Next attribute', 'slug\r'],
      ['Type', 'uid\r'],
      ['Made from', '\r'],
      ['Options', '\r'],
      ['Next attribute', 'level\r'],
      ['Type', 'enumeration\r'],
      ['Values, separated by commas', 'easy, hard\r'],
      // Past required and private: default.
      ['Options', `${DOWN}${DOWN} \r`],
      ['Default', `${DOWN}\r`],
      ['Next attribute', 'tags\r'],
      ['Type', 'relation\r'],
      ['Kind of relation', `${DOWN}${DOWN}\r`],
      ['Of which type', `${DOWN}${DOWN}${DOWN}\r`],
      ['Shall tag show its side too?', '\r'],
      ['Its name in tag', '\r'],
      ['Options', '\r'],
      ['Next attribute', 'gallery\r'],
      ['Type', 'media\r'],
      ['Several files?', 'y\r'],
      ['Which files', `${DOWN} \r`],
      ['Options', '\r'],
      ['Next attribute', 'title\r'],
      ['has title already', '\u0015\r'],
    ]);
    expect(await done).toBe(0);
    expect(terminal.out()).toBe('api::recipe.recipe\n');
    expect(JSON.parse(site.read(schema('recipe')))).toMatchObject({ options: { draftAndPublish: true }, attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'uid', targetField: 'title' },
      level: { type: 'enumeration', enum: ['easy', 'hard'], default: 'hard' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'recipes' },
      gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'files', 'audios'] },
    } });
    expect(attributesOf(site.read(schema('tag')))['recipes']).toEqual({ type: 'relation', relation: 'manyToMany', target: 'api::recipe.recipe', mappedBy: 'tags' });
  });

  it('changes nothing where the questions are left with Ctrl-C', async () => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, TypeAdd, ['note']);
    await answerAll(terminal, [['Kind', '\r'], ['Drafts', '\u0003']]);
    expect(await done).toBe(130);
    expect(fileTree(site.root)).toEqual(before);
  });
});

describe('cms type remove', () => {
  it('removes file, tables and the relations to it where nothing is lost', async () => {
    const site = await createMigratedSite();
    await runCommand(TypeAdd, ['note', '-a', 'tag:relation:manyToOne,target=tag,inversedBy=notes'], { cwd: site.root });
    const { exitCode, json } = await runCommand(TypeRemove, ['note', '--json'], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({ uid: 'api::note.note', relations: ['api::tag.tag notes'] });
    expect(existsSync(join(site.root, 'src/api/note'))).toBe(false);
    expect(attributesOf(site.read(schema('tag')))).not.toHaveProperty('notes');
    expect(columnsOf(site, 'notes')).toEqual([]);
  });

  it('refuses with exit code 3 while there are documents, says how many, and changes nothing', async () => {
    const site = await createMigratedSite();
    for (const id of ['one', 'two']) insertVersion(site, 'tags', id, { title: id });
    const before = fileTree(site.root);
    const { exitCode, stdout, stderr } = await runCommand(TypeRemove, ['tag', '--yes'], { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/api::tag\.tag.*2 rows/);
    expect(stderr).toContain('--accept-data-loss');
    expect(fileTree(site.root)).toEqual(before);
    expect(rowsOf(site, 'SELECT * FROM tags')).toHaveLength(2);
    expect((await runCommand(TypeRemove, ['tag', '--accept-data-loss'], { cwd: site.root })).exitCode).toBe(0);
    expect(columnsOf(site, 'tags')).toEqual([]);
  });

  it('refuses what is built in, and suggests the nearest name for what is not there', async () => {
    const site = await createMigratedSite();
    expect((await runCommand(TypeRemove, ['user'], { cwd: site.root })).stderr).toContain('built in');
    const { exitCode, json } = await runCommand(TypeRemove, ['artcile', '--json'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(json()).toEqual({ error: { code: 'cli/unknown-name', message: 'There is no content-type artcile.', hint: 'Did you mean article?' } });
  });
});

describe('cms type list and show', () => {
  it('lists the project\'s own types, and with --builtin all', async () => {
    const site = await createMigratedSite();
    const own = (await runCommand(TypeList, ['--json'], { cwd: site.root })).json<{ uid: string }[]>();
    expect(own.map(({ uid }) => uid)).toEqual(['api::article.article', 'api::home-page.home-page', 'api::tag.tag']);
    const all = (await runCommand(TypeList, ['--json', '--builtin'], { cwd: site.root })).json<{ uid: string }[]>();
    expect(all.map(({ uid }) => uid)).toContain('plugin::upload.file');
    expect((await runCommand(TypeList, [], { cwd: site.root })).stdout.split('\n')[0]).toMatch(/^TYPE +KIND +NAME/);
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
    expect(json()).toMatchObject({ uid: 'api::article.article', draftAndPublish: true, localized: true, table: 'articles', attributes: [{ name: 'title', type: 'string', localized: true }] });
    expect((await runCommand(TypeShow, ['article'], { cwd: site.root })).stdout).toMatch(/title +string +localized/);
  });
});
