import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import TypeAdd from '../../../src/commands/type/add.js';
import MigrateStatus from '../../../src/commands/migrate/status.js';
import { answerAll, DOWN } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, rowsOf, typeFile } from '../support/migrated-project.js';
import { runCommand, runOn } from '../support/run-command.js';
import { createTempFolder, createTempProject } from '../support/temp-project.js';
import { schemaPath, attributesOf, columnsOf } from '../support/schema-tables.js';

describe('cms type add', () => {
  it('writes the file, migrates and generates, and prints the uid alone', async () => {
    const site = await createMigratedSite();
    const argv = [
      'Blog Post',
      '--draft-publish',
      '--attribute',
      'title:string:required,maxLength=120',
      '-a',
      'slug:uid:targetField=title',
      '-a',
      'tag:relation:manyToOne,target=tag,inversedBy=posts',
    ];
    const { exitCode, stdout, stderr } = await runCommand(TypeAdd, argv, { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'api::blog-post.blog-post\n' });
    expect(stderr).toContain(`database file:${site.root}/data.db`);
    expect(JSON.parse(site.read(schemaPath('blog-post')))).toMatchObject({
      kind: 'collectionType',
      info: { singularName: 'blog-post', pluralName: 'blog-posts', displayName: 'Blog Post' },
      options: { draftAndPublish: true },
    });
    expect(attributesOf(site.read(schemaPath('tag')))['posts']).toEqual({
      type: 'relation',
      relation: 'oneToMany',
      target: 'api::blog-post.blog-post',
      mappedBy: 'tag',
    });
    expect(columnsOf(site, 'blog_posts')).toEqual(
      expect.arrayContaining(['title', 'slug', 'tag_document_id', 'tag_position']),
    );
    expect(site.read('prisma/schema.prisma')).toContain('model BlogPost {');
    expect(site.read('types/content-types.d.ts')).toContain('export interface BlogPost {');
    expect(existsSync(join(site.root, '.galley/client/index.js'))).toBe(true);
  });

  it('prints one JSON document with the files and the migration', async () => {
    const site = await createMigratedSite();
    const { json } = await runCommand(
      TypeAdd,
      ['note', '--json', '-a', 'tag:relation:manyToMany,target=tag,inversedBy=notes'],
      { cwd: site.root },
    );
    const result = json<{ migration: string }>();
    expect(result).toEqual({
      uid: 'api::note.note',
      files: [schemaPath('note'), schemaPath('tag')],
      migration: expect.stringMatching(/^\d{14}_add_note$/) as string,
      applied: [result.migration],
      changes: [],
    });
    expect(
      rowsOf(site, 'SELECT migration_name FROM _prisma_migrations').map((row) => row['migration_name']),
    ).toContain(result.migration);
  });

  it('shows files and SQL with --dry-run and changes nothing', async () => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stdout } = await runCommand(
      TypeAdd,
      ['note', '--dry-run', '-a', 'title:string', '-a', 'tag:relation:manyToOne,target=tag,inversedBy=notes'],
      { cwd: site.root },
    );
    expect(exitCode).toBe(0);
    for (const part of [
      `+++ b/${schemaPath('note')}`,
      `--- a/${schemaPath('tag')}`,
      '-- SQL',
      'CREATE TABLE "notes"',
    ])
      expect(stdout).toContain(part);
    expect(fileTree(site.root)).toEqual(before);
    expect(columnsOf(site, 'notes')).toEqual([]);
  });

  it('leaves the database alone with --no-migrate, and says what is left to do', async () => {
    const site = await createMigratedSite();
    const { exitCode, stderr } = await runCommand(TypeAdd, ['note', '--no-migrate', '-a', 'title:string'], {
      cwd: site.root,
    });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('cms migrate');
    expect(columnsOf(site, 'notes')).toEqual([]);
    expect((await runCommand(MigrateStatus, [], { cwd: site.root })).exitCode).toBe(4);
  });

  it('takes a type from a file or from standard input', async () => {
    const site = await createMigratedSite();
    site.write({
      'event.json': {
        kind: 'singleType',
        info: { singularName: 'event', displayName: 'The Event' },
        attributes: { title: { type: 'string' } },
      },
    });
    expect(
      (await runCommand(TypeAdd, ['--from', 'event.json', '--no-migrate'], { cwd: site.root })).stdout,
    ).toBe('api::event.event\n');
    const stdin = '{"info":{"displayName":"Opening Hour"},"attributes":{"day":"string:required"}}';
    expect(
      (
        await runCommand(TypeAdd, ['--from', '-', '--draft-publish', '--no-migrate'], {
          cwd: site.root,
          stdin,
        })
      ).stdout,
    ).toBe('api::opening-hour.opening-hour\n');
    expect(JSON.parse(site.read(schemaPath('opening-hour')))).toMatchObject({
      options: { draftAndPublish: true },
      attributes: { day: { type: 'string', required: true } },
    });
    expect(JSON.parse(site.read(schemaPath('event')))).toMatchObject({
      kind: 'singleType',
      info: { pluralName: 'events' },
    });
  });

  it.each([
    [['note', '-a', 'title:strng'], 2, 'Did you mean string?'],
    [['note', '-a', 'title:string:maxlenght=3'], 2, 'Did you mean maxLength?'],
    [['note', '-a', 'tag:relation:manyToOne,target=tga'], 1, 'Did you mean tag?'],
    [['note', '-a', 'id:string'], 1, 'id'],
    [['note', '-a', 'title:string', '-a', 'title:text'], 1, 'title'],
    [['note', '-a', 'slug:uid:targetField=titel', '-a', 'title:string'], 1, 'titel'],
    [
      ['note', '-a', 'tag:relation:manyToOne,target=tag,inversedBy=title'],
      1,
      'api::tag.tag already has an attribute title',
    ],
    [['tag'], 1, 'already a content-type tag'],
    [['tags'], 1, 'already a content-type tags'],
    [['user'], 1, 'is reserved'],
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
    const site = createTempProject({
      ...typeFile('tag'),
      [schemaPath('note')]: `{
  "kind": "collectionType",
  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Note" },
  "attributes": {
    "tag": { "type": "relatoin" }
  }
}
`,
    });
    const before = fileTree(site.root);
    const { exitCode, stderr } = await runCommand(TypeAdd, ['page', '-a', 'title:string'], {
      cwd: site.root,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${schemaPath('note')}:5 tag`);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('puts the files back where the migration cannot be made', async () => {
    const site = createTempProject({
      ...typeFile('tag'),
      'prisma/migrations/migration_lock.toml': 'provider = "postgresql"\n',
    });
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

  it('asks for everything on a terminal, with the options of each type', async () => {
    const site = await createMigratedSite();
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, TypeAdd, []);
    await answerAll(terminal, [
      ['Name of the content-type', 'Recipe\r'],
      ['Plural, as in the URL', '\r'],
      ['Kind', '\r'],
      ['Enable drafts and publishing?', 'y\r'],
      ['Enable several languages?', '\r'],
      ['First attribute', 'title\r'],
      ['Type', 'string\r'],
      ['Options', ' \r'],
      ['Next attribute', 'slug\r'],
      ['Type', 'uid\r'],
      ['Generate from', '\r'],
      ['Options', '\r'],
      ['Next attribute', 'level\r'],
      ['Type', 'enumeration\r'],
      ['Values, separated by commas', 'easy, hard\r'],
      // Past required and private: default.
      ['Options', `${DOWN}${DOWN} \r`],
      ['Default', `${DOWN}\r`],
      ['Next attribute', 'tags\r'],
      ['Type', 'relation\r'],
      ['Target type', 'tag\r'],
      ['Kind of relation', `${DOWN}${DOWN}\r`],
      ['Add the inverse relation to tag?', '\r'],
      ['Name of the inverse relation in tag', '\r'],
      ['Options', '\r'],
      ['Next attribute', 'gallery\r'],
      ['Type', 'media\r'],
      ['Allow several files?', 'y\r'],
      ['File types', `${DOWN} \r`],
      ['Options', '\r'],
      ['Next attribute', 'title\r'],
      ['has title already', '\u0015\r'],
      ['Review', '\r'],
    ]);
    expect(await done).toBe(0);
    expect(terminal.out()).toBe('api::recipe.recipe\n');
    expect(JSON.parse(site.read(schemaPath('recipe')))).toMatchObject({
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', required: true },
        slug: { type: 'uid', targetField: 'title' },
        level: { type: 'enumeration', enum: ['easy', 'hard'], default: 'hard' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'recipes' },
        gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'files', 'audios'] },
      },
    });
    expect(attributesOf(site.read(schemaPath('tag')))['recipes']).toEqual({
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::recipe.recipe',
      mappedBy: 'tags',
    });
  });

  it('changes nothing where the questions are left with Ctrl-C', async () => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, TypeAdd, ['note']);
    await answerAll(terminal, [
      ['Kind', '\r'],
      ['drafts and publishing', '\u0003'],
    ]);
    expect(await done).toBe(130);
    expect(fileTree(site.root)).toEqual(before);
  });
});
