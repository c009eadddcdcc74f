import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { beforeAll, describe, expect, it } from 'vitest';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import Import from '../../../src/commands/import.js';
import { databases } from '../../support/databases.js';
import { execute } from '../../support/execute-sql.js';
import { writeExportArchive, writeOwnArchive } from '../../support/strapi-export.js';
import type { ExportContent } from '../../support/strapi-export.js';
import { fileTree } from '../support/file-tree.js';
import { createSharedSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { createTempFolder } from '../support/temp-project.js';
import type { TempProject } from '../support/temp-project.js';

const UPLOADED = 'assets/uploads/x.txt';

const EXPORT: ExportContent = {
  schemas: [
    {
      uid: 'api::recipe.recipe',
      modelType: 'contentType',
      kind: 'collectionType',
      collectionName: 'recipes',
      info: { singularName: 'recipe', pluralName: 'recipes', displayName: 'Recipe' },
      attributes: { name: { type: 'string' } },
    },
  ],
  entities: [{ type: 'api::tag.tag', id: 1, data: { documentId: 'salt', title: 'Salt' } }],
  configuration: [{ type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'fr' } }],
};

const archive = (path: string, more: ExportContent = {}): void =>
  writeExportArchive(path, { ...EXPORT, ...more });

interface Entry {
  readonly path: string;
  readonly type: 'File' | 'Link' | 'SymbolicLink';
  readonly linkpath?: string;
  readonly size?: number;
}

/** An archive whose first entry is another than Strapi writes. */
const archiveWith = (path: string, entry: Entry, content: Buffer = Buffer.alloc(0)): void => {
  writeExportArchive(path, EXPORT, { compress: false });
  const header = Buffer.alloc(512);
  new Header({ size: content.length, mode: 0o644, ...entry }).encode(header);
  writeFileSync(path, Buffer.concat([header, content, readFileSync(path)]));
};

/** Megabytes that compress to a thousandth. */
const bomb = (path: string): void => {
  archiveWith(path, { path: UPLOADED, type: 'File' }, Buffer.alloc(33 * 1024 * 1024));
  writeFileSync(path, gzipSync(readFileSync(path)));
};

const cut = (path: string): void => {
  archive(path);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
};

interface BadInput {
  readonly name: string;
  /** Makes the file. */
  readonly make: (path: string) => unknown;
  readonly argv?: readonly string[];
  /** What the message says. */
  readonly says: string;
}

const BAD_INPUT: readonly BadInput[] = [
  { name: 'a cut archive', make: cut, says: 'incomplete or damaged' },
  {
    name: 'an archive with another key',
    make: (path) => writeExportArchive(path, EXPORT, { key: 'secret' }),
    argv: ['--key', 'other'],
    says: 'cannot be decrypted with this key',
  },
  {
    name: 'a path to another folder',
    make: (path) => archiveWith(path, { path: 'assets/uploads/../../../x.txt', type: 'File' }),
    says: 'leads out of the folder',
  },
  {
    name: 'an absolute path',
    make: (path) => archiveWith(path, { path: '/outside.txt', type: 'File' }),
    says: 'leads out of the folder',
  },
  {
    name: 'a symbolic link',
    make: (path) => archiveWith(path, { path: UPLOADED, type: 'SymbolicLink', linkpath: '/etc/passwd' }),
    says: 'SymbolicLink',
  },
  {
    name: 'a hard link',
    make: (path) => archiveWith(path, { path: UPLOADED, type: 'Link', linkpath: '/etc/passwd' }),
    says: 'is not a file but a Link',
  },
  {
    name: 'a file larger than the disk',
    make: (path) => archiveWith(path, { path: UPLOADED, type: 'File', size: 2 ** 50 }),
    says: 'to unpack, but',
  },
  {
    name: 'what unpacks to too much',
    make: bomb,
    says: 'unlike any export',
  },
  {
    name: 'an archive of Strapi 4',
    make: (path) => archive(path, { version: '4.25.1' }),
    says: 'was made by Strapi 4.25.1',
  },
  {
    name: 'a record that is damaged',
    make: (path) => archive(path, { files: { 'links/links_00002.jsonl': '{"kind":"relation.basic"}\n' } }),
    says: 'links/links_00002.jsonl:1: the record lacks',
  },
  {
    name: 'an archive of ours of which a byte was changed',
    make: (path) =>
      writeOwnArchive(path, EXPORT, {
        change: (folder) => {
          const file = join(folder, 'entities/entities_00001.jsonl');
          writeFileSync(file, readFileSync(file, 'utf8').replace('Salt', 'Malt'));
        },
      }),
    says: 'entities/entities_00001.jsonl was changed',
  },
  {
    name: 'an archive of ours that holds what was not written',
    make: (path) =>
      writeOwnArchive(path, EXPORT, {
        change: (folder) => writeFileSync(join(folder, 'schemas/more.jsonl'), '{}\n'),
      }),
    says: 'schemas/more.jsonl is not listed in manifest.json',
  },
  {
    name: 'an archive of ours that lacks a file',
    make: (path) =>
      writeOwnArchive(path, EXPORT, {
        change: (folder) => rmSync(join(folder, 'entities'), { recursive: true }),
      }),
    says: 'entities/entities_00001.jsonl is missing',
  },
  {
    name: 'an archive of a later format',
    make: (path) => writeOwnArchive(path, EXPORT, { formatVersion: 2 }),
    says: 'has version 2 of the archive format; this release reads version 1',
  },
  {
    name: 'a record of ours whose links are none',
    make: (path) =>
      writeOwnArchive(path, {
        ...EXPORT,
        entities: [{ type: 'api::tag.tag', id: 1, data: { documentId: 'a' }, links: { a: ['b'] as never } }],
      }),
    says: 'entities/entities_00001.jsonl:1: the record lacks',
  },
  {
    name: 'a schema that makes no model',
    make: (path) =>
      archive(path, {
        schemas: [{ uid: 'api::a.a', modelType: 'contentType', attributes: { id: { type: 'string' } } }],
      }),
    says: 'src/api/a/content-types/a/schema.json',
  },
  {
    name: 'a database of Strapi 4',
    make: (path) =>
      execute(
        `file:${path}`,
        'CREATE TABLE strapi_core_store_settings (id INTEGER, key TEXT, value TEXT);' +
          'CREATE TABLE strapi_migrations (id INTEGER, name TEXT); CREATE TABLE tags (id INTEGER)',
      ),
    argv: ['--from-database'],
    says: 'was not migrated to Strapi 5',
  },
  {
    name: 'a database of something else',
    make: (path) => execute(`file:${path}`, 'CREATE TABLE tags (id INTEGER)'),
    argv: ['--from-database'],
    says: 'is not a database of Strapi',
  },
];

describe.each(databases)('bad input of cms import on $name', ({ create }) => {
  let site: TempProject;

  beforeAll(async () => {
    const { url } = await create();
    site = await createSharedSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
  });

  /** The tables that an import writes to first and last, and all files. */
  const readState = async (): Promise<unknown> => {
    const { context, close } = await openProjectDatabase(await openProject(site.root));
    try {
      const rows = await context.database.transact((tx) =>
        tx.query(
          `SELECT (SELECT count(*) FROM tags) AS tags, (SELECT count(*) FROM tags_documents) AS documents,
                  (SELECT count(*) FROM files) AS files`,
          [],
        ),
      );
      return { rows, files: fileTree(site.root) };
    } finally {
      await close();
    }
  };

  it.each(BAD_INPUT)('$name is refused, and nothing is written', async ({ make, argv = [], says }) => {
    const path = join(createTempFolder(), 'export');
    await make(path);
    const before = await readState();
    const result = await runCommand(Import, [...argv, path, '--schemas', '--yes'], { cwd: site.root });
    expect(result.stderr).toContain(says);
    expect(result.exitCode).toBe(1);
    expect(await readState()).toEqual(before);
  });
});
