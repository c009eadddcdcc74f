import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentSource } from '../../../../src/transfer/source.js';
import { openLiveSource } from '../../../../src/transfer/strapi/open-live-source.js';
import { databases } from '../../../support/databases.js';
import { execute } from '../../../support/execute-sql.js';
import { STRAPI_FILES, fillStrapiDatabase } from '../../../support/strapi-database.js';

const collect = async <T>(records: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
};

let project: string;
let uploads: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'galley-strapi-'));
  uploads = join(project, 'public', 'uploads');
  const files = {
    ...Object.fromEntries(
      Object.entries(STRAPI_FILES).map(([path, schema]) => [path, JSON.stringify(schema)]),
    ),
    'public/uploads/a_1.png': 'image',
    'public/gone.png': 'outside of the folder',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
});

describe.each(databases)('a live Strapi database on $name', ({ name: databaseName, create }) => {
  let source: ContentSource;
  let url: string;

  beforeAll(async () => {
    ({ url } = await create());
    await fillStrapiDatabase(url);
    source = await openLiveSource({ url, project, uploads, root: project });
    return () => source.close();
  });

  it('gives version rows with components nested in order', async () => {
    const entities = await collect(source.entities());
    expect(entities.filter(({ type }) => type === 'api::book.book')).toEqual([
      {
        type: 'api::book.book',
        id: 1,
        data: {
          documentId: 'book1',
          title: 'A draft',
          pages: 7,
          // As Strapi's own driver reads it.
          copies: databaseName === 'sqlite' ? '9007199254740992' : '9007199254740993',
          inPrint: true,
          extra: { a: [1] },
          soldAt: '2026-05-04T10:20:30.000Z',
          publishedAt: null,
          locale: 'en',
          part: {
            id: 5,
            name: 'alone',
            pages: [
              { id: 9, text: 'first' },
              { id: 8, text: 'second' },
            ],
          },
          zone: [
            { id: 6, name: 'in a zone', pages: [], __component: 'shared.part' },
            { id: 10, text: 'of the zone', __component: 'shared.page' },
          ],
        },
      },
      {
        type: 'api::book.book',
        id: 2,
        data: expect.objectContaining({ publishedAt: '2026-05-04T10:20:30.000Z', part: null, zone: [] }),
      },
    ]);
    expect(entities.some(({ type }) => type.startsWith('admin::'))).toBe(false);
  });

  it('gives links of tables, columns and components, in both orders', async () => {
    const links = await collect(source.links());
    const of = (field: string): unknown =>
      links.filter(({ left, right }) => left.field === field || right.field === field);
    const link = { kind: 'relation.basic', relation: 'manyToMany' };
    const genre = { type: 'api::genre.genre', field: 'books' };
    const book = { type: 'api::book.book', field: 'genres' };
    expect(of('genres')).toEqual([
      { ...link, left: { ...book, ref: 1, pos: 2 }, right: { ...genre, ref: 2, pos: 1 } },
      { ...link, left: { ...book, ref: 1, pos: 1 }, right: { ...genre, ref: 1, pos: 1 } },
      { ...link, left: { ...book, ref: 2, pos: 1 }, right: { ...genre, ref: 1, pos: 2 } },
    ]);
    expect(of('sequelOf')).toMatchObject([
      { kind: 'relation.circular', left: { ref: 1 }, right: { ref: 2 } },
    ]);
    expect(of('first')).toMatchObject([{ left: { ref: 1 }, right: { type: 'api::genre.genre', ref: 1 } }]);
    expect(of('about')).toMatchObject([{ relation: 'morphToOne', right: { type: genre.type, ref: 1 } }]);
    expect(of('genre')).toMatchObject([{ left: { type: 'shared.page', ref: 9 }, right: { ref: 2 } }]);
    expect(of('hints')).toMatchObject([
      { left: { type: 'shared.page', ref: 9 }, right: { type: genre.type, ref: 2, pos: 1 } },
    ]);
    expect(of('related')).toEqual([
      {
        kind: 'relation.morph',
        relation: 'morphToMany',
        left: { type: 'plugin::upload.file', field: 'related', ref: 1 },
        right: { type: 'api::book.book', field: 'cover', ref: 1, pos: 1 },
      },
    ]);
    expect(of('createdBy')).toEqual([]);
  });

  it('gives webhooks, with the content-types to which Strapi limits them since 5.60', async () => {
    const { url: limited } = await create();
    await fillStrapiDatabase(limited);
    const json = databaseName === 'sqlite' ? 'text' : 'jsonb';
    await execute(
      limited,
      `alter table strapi_webhooks add column content_types ${json};
       insert into strapi_webhooks values
         (1, 'books', 'https://example.com', '{}', '["entry.create"]', true, '["api::book.book"]'),
         (2, 'all', 'https://example.com', '{}', '["entry.create"]', true, null)`,
    );
    const opened = await openLiveSource({ url: limited, project, uploads, root: project });
    const records = await collect(opened.configuration());
    await opened.close();
    const webhook = { url: 'https://example.com', headers: {}, events: ['entry.create'], enabled: true };
    expect(records.filter(({ type }) => type === 'webhook').map(({ value }) => value)).toEqual([
      { name: 'books', ...webhook, contentTypes: ['api::book.book'] },
      { name: 'all', ...webhook },
    ]);
  });

  it('gives settings, API tokens of the content API, and the stored files', async () => {
    expect(await collect(source.configuration())).toContainEqual({
      type: 'core-store',
      value: { key: 'plugin_i18n_default_locale', value: 'fr' },
    });
    expect(await collect(source.apiTokens())).toEqual([
      {
        name: 'shop',
        description: 'of the shop',
        type: 'custom',
        accessKey: 'abc',
        permissions: ['api::book.book.find', 'api::genre.genre.find'],
        lifespan: 604_800_000,
        expiresAt: '2026-05-04T10:20:30.000Z',
        lastUsedAt: null,
        createdAt: '2026-05-04T10:20:30.000Z',
        updatedAt: '2026-05-04T10:20:30.000Z',
      },
    ]);
    // The thumbnail is not there, and the other file's name leads out of the folder.
    const assets = await collect(source.assets());
    expect(assets.map(({ name, size }) => [name, size])).toEqual([['a_1.png', 5]]);
    const [image] = assets;
    expect(image === undefined ? null : await text(image.open())).toBe('image');
    expect(source.version).toBe('5.12.4');
  });

  it('keeps reading the state that it was opened in, page by page', async () => {
    const before = (await collect(source.entities())).length;
    const rows = Array.from({ length: 1100 }, (_, index) => `(${index + 100}, 'g${index}', 'more')`);
    await execute(url, `insert into genres values ${rows.join(', ')}`);
    expect(await collect(source.entities())).toHaveLength(before);
    const later = await openLiveSource({ url, project, uploads, root: project });
    expect(await collect(later.entities())).toHaveLength(before + 1100);
    expect(later.fingerprint).not.toBe(source.fingerprint);
    await later.close();
  });

  it('refuses what is no database of Strapi 5', async () => {
    const empty = await create();
    await execute(empty.url, 'create table something (id integer)');
    await expect(
      openLiveSource({ url: empty.url, project, uploads: null, root: project }),
    ).rejects.toMatchObject({
      code: 'transfer/unknown-database',
    });
    const old = await create();
    await fillStrapiDatabase(old.url, '4.0.0-anything');
    await expect(
      openLiveSource({ url: old.url, project, uploads: null, root: project }),
    ).rejects.toMatchObject({
      code: 'transfer/old-database',
    });
    await expect(
      openLiveSource({ url, project: tmpdir(), uploads: null, root: project }),
    ).rejects.toMatchObject({
      code: 'transfer/components-unknown',
    });
  });
});

describe('databases that cannot be read', () => {
  it.each([
    ['mysql://root:secret@localhost/site', 'transfer/unsupported-database'],
    ['file:/nowhere/data.db', 'transfer/unreadable-database'],
    ['postgresql://localhost:1/site', 'transfer/unreadable-database'],
  ])('refuses %s', async (url, code) => {
    const opening = openLiveSource({ url, project: tmpdir(), uploads: null, root: project });
    await expect(opening).rejects.toMatchObject({ code });
    await expect(opening).rejects.not.toThrow(/secret/);
  });
});
