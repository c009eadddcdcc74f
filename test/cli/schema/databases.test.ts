import { describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentShow from '../../../src/commands/content/show.js';
import TrashRestore from '../../../src/commands/content/trash/restore.js';
import FieldRemove from '../../../src/commands/field/remove.js';
import FieldRename from '../../../src/commands/field/rename.js';
import Migrate from '../../../src/commands/migrate.js';
import MigrateDiff from '../../../src/commands/migrate/diff.js';
import MigrateStatus from '../../../src/commands/migrate/status.js';
import TypeAdd from '../../../src/commands/type/add.js';
import TypeRemove from '../../../src/commands/type/remove.js';
import TypeRename from '../../../src/commands/type/rename.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import type { Transaction } from '../../../src/database/database.js';
import { databases } from '../../support/databases.js';
import { fileTree } from '../support/file-tree.js';
import { SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { createTempProject } from '../support/temp-project.js';
import type { TempProject } from '../support/temp-project.js';

const inDatabase = async <T>({ root }: TempProject, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  const { database, close } = await openProjectDatabase(await openProject(root));
  try {
    return await database.transact(work);
  } finally {
    await close();
  }
};

const version = (documentId: string, values: Readonly<Record<string, unknown>>) => ({
  documentId,
  locale: '',
  status: 'published',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...values,
});

const seed = (site: TempProject): Promise<void> =>
  inDatabase(site, async (tx) => {
    for (const model of ['AuthorDocument', 'BookDocument'])
      await tx.model(model).create({ data: { documentId: 'one' } });
    await tx.model('Author').create({ data: version('one', { name: 'Ada' }) });
    const book = await tx.model('Book').create({
      data: version('one', { title: 'kept', price: 1.5, authorDocumentId: 'one', authorPosition: 1 }),
    });
    await tx
      .model('BookReviewersLink')
      .create({ data: { sourceId: book['id'], targetDocumentId: 'one', position: 1, inversePosition: 1 } });
    const content = '{"title":"old","name":"of a former attribute","price":1.50,"author":"one","isbn":null}';
    const kept = { documentId: 'one', locale: '', number: 1, publishedAt: 1n, content };
    for (const type of ['api::book.book', 'api::author.author'])
      await tx.model('CmsVersion').create({ data: { type, ...kept } });
  });

describe.each(databases)('content-types on $name', ({ create }) => {
  it('are added, renamed and removed, and nothing is lost without a word', async () => {
    const { url, drop } = await create();
    const site = createTempProject({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
    const run = (command: Parameters<typeof runCommand>[0], ...argv: string[]) =>
      runCommand(command, argv, { cwd: site.root });
    expect((await run(TypeAdd, 'author', '-a', 'name:string:unique')).exitCode).toBe(0);
    const relations = [
      'author:relation:manyToOne,target=author,inversedBy=books',
      'reviewers:relation:manyToMany,target=author,inversedBy=reviews',
    ].flatMap((attribute) => ['-a', attribute]);
    expect(
      (
        await run(
          TypeAdd,
          'book',
          '-a',
          'title:string:required',
          '-a',
          'price:decimal',
          '-a',
          'isbn:uid',
          ...relations,
        )
      ).exitCode,
    ).toBe(0);
    await seed(site);

    for (const [from, to] of [
      ['title', 'name'],
      ['price', 'cost'],
      ['author', 'writer'],
      ['reviewers', 'critics'],
    ] as const) {
      const { exitCode, stderr } = await run(FieldRename, 'book', from, to);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }
    const books = await inDatabase(site, async (tx) => [
      await tx.model('Book').findMany({}),
      await tx.model('BookCriticsLink').findMany({}),
    ]);
    expect(books).toMatchObject([
      [{ name: 'kept', cost: 1.5, writerDocumentId: 'one', writerPosition: 1 }],
      [{ targetDocumentId: 'one', position: 1 }],
    ]);

    const versions = await inDatabase(site, (tx) =>
      tx.model('CmsVersion').findMany({ orderBy: { id: 'asc' } }),
    );
    expect(versions.map(({ content }) => JSON.parse(String(content)) as unknown)).toEqual([
      { name: 'old', cost: 1.5, writer: 'one', isbn: null },
      { title: 'old', name: 'of a former attribute', price: 1.5, author: 'one', isbn: null },
    ]);

    const before = fileTree(site.root);
    const refusedField = await run(FieldRemove, 'book', 'name', '--yes');
    expect(refusedField.exitCode).toBe(3);
    expect(refusedField.stderr).toMatch(/api::book\.book name.*\(1 value/);
    const refusedType = await run(TypeRemove, 'author', '--yes');
    expect(refusedType.exitCode).toBe(3);
    expect(refusedType.stderr).toMatch(/api::author\.author: the content-type is removed \(1 document\)/);
    expect(refusedType.stderr).toMatch(/api::book\.book critics/);
    expect(refusedType.stderr + refusedField.stderr).not.toContain('postgres:postgres');
    expect(fileTree(site.root)).toEqual(before);

    expect((await run(TypeRemove, 'author', '--accept-data-loss')).exitCode).toBe(0);
    expect(await inDatabase(site, (tx) => tx.model('Book').findMany({}))).toMatchObject([
      { name: 'kept', cost: 1.5 },
    ]);
    expect((await run(MigrateDiff)).stdout).toBe('');
    expect((await run(MigrateStatus)).exitCode).toBe(0);
    expect((await run(Migrate, '--json')).json()).toMatchObject({ migration: null, applied: [], files: [] });
    await drop();
  });

  it('keep the names of deleted documents and of their links up to date', async () => {
    const { url, drop } = await create();
    const site = createTempProject({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
    const run = async (command: Parameters<typeof runCommand>[0], ...argv: string[]) => {
      const result = await runCommand(command, argv, { cwd: site.root });
      expect(result).toMatchObject({ exitCode: 0 });
      return result;
    };
    await run(TypeAdd, 'author', '-a', 'name:string');
    await run(TypeAdd, 'book', '-a', 'title:string', '-a', 'authors:relation:manyToMany,target=author');
    const createDocument = async (type: string, ...values: string[]): Promise<string> => {
      const flags = values.flatMap((value) => ['--set', value]);
      const { json } = await run(ContentCreate, type, ...flags, '--json');
      return json<{ readonly document: { readonly documentId: string } }>().document.documentId;
    };
    const author = await createDocument('author', 'name=Ada');
    const book = await createDocument('book', 'title=Kept', `authors=${author}`);
    await run(ContentDelete, 'book', book, '--yes');
    await run(ContentDelete, 'author', author, '--yes');
    await run(FieldRename, 'book', 'title', 'name');
    await run(FieldRename, 'book', 'authors', 'writers');
    await run(TypeRename, 'author', 'writer');
    await run(TypeRename, 'book', 'volume');
    const restored = (await run(TrashRestore, '1', '2', '--json')).json<{ readonly restored: unknown }>();
    expect(restored.restored).toMatchObject([
      { type: 'api::volume.volume', documentId: book, omitted: [] },
      { type: 'api::writer.writer', documentId: author, omitted: [] },
    ]);
    const { document } = (await run(ContentShow, 'volume', book, '--json')).json<{
      readonly document: unknown;
    }>();
    expect(document).toMatchObject({ name: 'Kept', writers: [{ documentId: author, name: 'Ada' }] });
    await drop();
  });
});
