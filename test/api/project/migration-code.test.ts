import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assertMigrated } from '../../../src/project/open/open-database.js';
import { deployProject, projectMigrationStatus } from '../../../src/project/migrate/migrate-project.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { openProject } from '../../../src/project/open/open-project.js';
import type { Project } from '../../../src/project/open/open-project.js';
import { isUpToDate } from '../../../src/migrations/apply/migration-history.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';

const AUTHOR_FILE = 'src/api/author/content-types/author/schema.json';
const AUTHOR = {
  kind: 'collectionType',
  collectionName: 'authors',
  info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
  attributes: { name: { type: 'string' }, first: { type: 'string' }, last: { type: 'string' } },
};
const SPLIT = '99990101000000_split_names';

type Files = Readonly<Record<string, string>>;

interface MigratedProject {
  readonly project: Project;
  readonly write: (files: Files) => Promise<void>;
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** A migrated project with 25 authors, whose names are two words each. */
const createAuthors = async (database: TestDatabaseKind): Promise<MigratedProject> => {
  const { url, drop } = await database.create();
  const root = await mkdtemp(join(tmpdir(), 'galley-code-'));
  onTestFinished(async () => {
    await rm(root, { recursive: true, force: true });
    await drop();
  });
  const write = async (files: Files): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
  };
  await write({
    'package.json': '{ "name": "site", "type": "module" }',
    'cms.config.mjs': 'export default {};\n',
    '.env': `DATABASE_URL=${url}\n`,
    [AUTHOR_FILE]: JSON.stringify(AUTHOR),
  });
  const project = await openProject(root);
  await migrateProjectDatabase(project, { label: 'start' });
  const rows: MigratedProject['rows'] = async (sql) => {
    const session = await project.dialect.migrations.openSession(url, {
      lockTimeoutMs: 1000,
      isWritable: true,
    });
    try {
      return await session.query(sql);
    } finally {
      await session.close();
    }
  };
  const ids = Array.from({ length: 25 }, (_, index) => String(index + 10));
  await rows(
    `INSERT INTO authors_documents (document_id) VALUES ${ids.map((id) => `('author${id}')`).join(', ')}`,
  );
  const time = "'2026-01-01T00:00:00.000Z'";
  const versions = ids.map(
    (id) => `('author${id}', '', 'published', ' Ada Lovelace${id}', ${time}, ${time})`,
  );
  await rows(
    `INSERT INTO authors (document_id, locale, status, name, created_at, updated_at)
     VALUES ${versions.join(', ')}`,
  );
  return { project, write, rows };
};

const codeFiles = (code: string, sql = ''): Files => ({
  [`prisma/migrations/${SPLIT}/migration.sql`]: sql,
  [`prisma/migrations/${SPLIT}/migrate.ts`]: code,
});

const SPLIT_CODE = `import { existsSync } from 'node:fs';
import type { MigrationContext } from 'galley';

export default async ({ batches, documents, log }: MigrationContext): Promise<void> => {
  await batches('api::author.author', { size: 10 }, async (authors) => {
    log('from ' + authors[0].name);
    if (authors.length < 10 && existsSync(new URL('./fail', import.meta.url)))
      throw new Error('no more');
    for (const { documentId, name } of authors) {
      const [first, last] = String(name).split(' ');
      await documents('api::author.author').update({ documentId, data: { first, last } });
    }
  });
};
`;

describe.each(databases)('the code of a migration on $name', (database) => {
  it('runs after its SQL, reports the line of a failure, and continues after the last batch', async () => {
    const { project, write, rows } = await createAuthors(database);
    await write({
      ...codeFiles(SPLIT_CODE, 'UPDATE authors SET name = trim(name);'),
      [`prisma/migrations/${SPLIT}/fail`]: '',
      'prisma/migrations/99990101000001_later/migration.sql': "UPDATE authors SET name = 'done';",
    });
    const messages: string[] = [];
    const progress: string[] = [];
    const deploy = () =>
      deployProject(project, {
        onMessage: (message) => messages.push(message),
        onProgress: ({ name, completed, total, detail }) =>
          progress.push(`${name.slice(15)} ${completed}/${total} ${detail ?? ''}`.trim()),
      });
    await expect(deploy()).rejects.toMatchObject({
      code: 'migration/code-failed',
      message: expect.stringContaining(`prisma/migrations/${SPLIT}/migrate.ts:8: no more`) as string,
    });
    expect(await rows('SELECT count(*) AS n FROM authors WHERE last IS NOT NULL')).toMatchObject(
      [{ n: 20 }].map(({ n }) => ({ n: database.name === 'sqlite' ? n : String(n) })),
    );
    expect(await projectMigrationStatus(project)).toMatchObject({
      unfinished: [SPLIT],
      pending: ['99990101000001_later'],
    });
    await expect(assertMigrated(project)).rejects.toMatchObject({
      message: expect.stringContaining(SPLIT) as string,
    });
    await rm(join(project.paths.migrations, SPLIT, 'fail'));
    expect((await deploy()).applied).toEqual([SPLIT, '99990101000001_later']);
    expect(messages).toEqual(
      ['Lovelace10', 'Lovelace20', 'Lovelace30', 'Lovelace30'].map((last) => `${SPLIT}: from Ada ${last}`),
    );
    expect(progress).toEqual([
      'split_names 0/2 0 of 25',
      'split_names 0/2 10 of 25',
      'split_names 0/2 20 of 25',
      'split_names 0/2 20 of 25',
      'split_names 0/2 25 of 25',
      'split_names 1/2',
      'later 2/2',
    ]);
    expect(await rows('SELECT DISTINCT first, name FROM authors')).toEqual([{ first: 'Ada', name: 'done' }]);
    expect(await rows(`SELECT key FROM cms_state WHERE key LIKE 'migration/%'`)).toEqual([]);
    expect(isUpToDate(await projectMigrationStatus(project))).toBe(true);
    expect((await deploy()).applied).toEqual([]);
  });

  it('runs once where several processes deploy at the same time', async () => {
    const { project, write, rows } = await createAuthors(database);
    await write(
      codeFiles(`export default async ({ sql }) => {
        const [{ name }] = await sql\`SELECT name FROM authors WHERE document_id = \${'author10'}\`;
        await sql\`UPDATE authors SET name = \${name + '!'} WHERE document_id = \${'author10'}\`;
      };`),
    );
    const results = await Promise.all([1, 2, 3].map(() => deployProject(project)));
    expect(results.map(({ applied }) => applied).toSorted((a, b) => a.length - b.length)).toEqual([
      [],
      [],
      [SPLIT],
    ]);
    expect(await rows("SELECT name FROM authors WHERE document_id = 'author10'")).toEqual([
      { name: ' Ada Lovelace10!' },
    ]);
  });

  it('writes with the Prisma Client and reads all locales and published versions', async () => {
    const { project, write, rows } = await createAuthors(database);
    await write(
      codeFiles(`export default async ({ batches, prisma, documents, log, progress }) => {
        await batches('api::author.author', { filters: { name: { $endsWith: '12' } }, status: 'published' },
          async (authors) => { log(authors.map(({ documentId }) => documentId).join()); });
        await prisma.author.updateMany({ data: { last: 'x' } });
        log(String(await documents('api::author.author').count({ filters: { last: 'x' } })));
        progress(1, 1);
      };`),
    );
    const messages: string[] = [];
    await deployProject(project, { onMessage: (message) => messages.push(message) });
    expect(messages).toEqual([`${SPLIT}: author12`, `${SPLIT}: 25`]);
    expect(await rows('SELECT DISTINCT last FROM authors')).toEqual([{ last: 'x' }]);
  });

  it('sees the content-types of its time, on every database', async () => {
    const { project, write } = await createAuthors(database);
    const { name: _, ...attributes } = AUTHOR.attributes;
    await write({
      ...codeFiles(`export default async ({ documents, log }) => {
        const authors = documents('api::author.author');
        const { documentId, name } = await authors.create({ data: { name: 'Grace Hopper' } });
        await authors.update({ documentId, data: { first: name.split(' ')[0] } });
        log(Object.keys(await authors.findOne({ documentId })).join());
      };`),
      [AUTHOR_FILE]: JSON.stringify({ ...AUTHOR, attributes }),
    });
    const messages: string[] = [];
    const onMessage = (message: string) => void messages.push(message);
    const changed = await openProject(project.root);
    const { applied } = await migrateProjectDatabase(changed, {
      label: 'drop name',
      acceptsDataLoss: true,
      onMessage,
    });
    expect(applied).toEqual([SPLIT, expect.stringContaining('_drop_name')]);
    const other = await database.create();
    const elsewhere = await openProject(project.root, { databaseUrl: other.url });
    await deployProject(elsewhere, { onMessage });
    expect(messages).toEqual(
      [SPLIT, SPLIT].map((name) => `${name}: id,documentId,name,first,last,createdAt,updatedAt,publishedAt`),
    );
    const session = await project.dialect.migrations.openSession(other.url, {
      lockTimeoutMs: 1000,
      isWritable: false,
    });
    expect(await session.query('SELECT first FROM authors')).toEqual([{ first: 'Grace' }]);
    await session.close();
    await other.drop();
  });

  it('is refused with its reason, before and after it has begun', async () => {
    const { project, write } = await createAuthors(database);
    await write(codeFiles('export const other = 1;', '-- draft: not yet\n'));
    await expect(deployProject(project)).rejects.toMatchObject({ code: 'migration/draft' });
    expect(await projectMigrationStatus(project)).toMatchObject({ pending: [SPLIT], unfinished: [] });
    await write(codeFiles('export const other = 1;'));
    await expect(deployProject(project)).rejects.toMatchObject({
      code: 'migration/invalid-code',
      message: expect.stringContaining('not a function') as string,
    });
    await write(codeFiles('export default () => {\n  const x = ;\n};'));
    await expect(deployProject(project)).rejects.toMatchObject({
      code: 'migration/invalid-code',
      hint: expect.stringMatching(/migrate\.ts:2/) as string,
    });
    await write(codeFiles("export default ({ documents }) =>\n  documents('api::auther.auther').count();\n"));
    await expect(deployProject(project)).rejects.toMatchObject({
      code: 'migration/code-failed',
      message: expect.stringContaining('migrate.ts:2') as string,
    });
    await rm(join(project.paths.migrations, SPLIT), { recursive: true });
    await expect(deployProject(project)).rejects.toMatchObject({ code: 'migration/code-missing' });
    await write({ [`prisma/migrations/${SPLIT}/migration.sql`]: '' });
    expect((await deployProject(project)).applied).toEqual([SPLIT]);
    expect(await readdir(project.paths.migrations)).toHaveLength(3);
  });
});
