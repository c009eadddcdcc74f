import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rename } from '../../../src/migrations/rename-in-schema.js';
import { databases } from '../../support/databases.js';
import { createBench, drift, failure } from './support.js';

const author = (table: string, key: string): string => `
model Author {
  id    Int     @id @default(autoincrement())
  email String? @unique
  posts Article[]

  @@map("${table}")
}

model Article {
  id       Int     @id @default(autoincrement())
  slug     String? @unique
  authorId Int?    @map("${key}")
  author   Author? @relation(fields: [authorId], references: [id], onDelete: Cascade)

  @@index([authorId, slug])
  @@map("articles")
}`;

const ROWS = [
  `INSERT INTO authors (email) VALUES ('a@example.com'), ('b@example.com')`,
  `INSERT INTO articles (slug, author_id) VALUES ('one', 1), ('two', 2), ('three', NULL)`,
];

describe.each(databases)('renames on $name', (kind) => {
  it('renames a column in place, with its indexes and foreign keys', async () => {
    const bench = await createBench(kind);
    await bench.migrate(author('authors', 'author_id'));
    for (const sql of ROWS) await bench.run(sql);
    const renames: readonly Rename[] = [{ kind: 'column', table: 'articles', from: 'author_id', to: 'writer_id' }];

    const { name, steps, stakes } = await bench.migrate(author('authors', 'writer_id'), { renames });

    expect({ steps, stakes }).toEqual({ steps: [{ action: 'rename-column', table: 'articles', column: 'author_id', to: 'writer_id' }], stakes: [] });
    expect(await bench.rows('SELECT slug, writer_id FROM articles ORDER BY id')).toEqual([
      { slug: 'one', writer_id: 1 },
      { slug: 'two', writer_id: 2 },
      { slug: 'three', writer_id: null },
    ]);
    expect(await drift(kind, bench, author('authors', 'writer_id'))).toBe('');
    expect(await readFile(join(bench.folder, String(name), 'migration.sql'), 'utf8')).toContain('ALTER TABLE "articles" RENAME COLUMN "author_id" TO "writer_id";');
  });

  it('renames a unique column', async () => {
    const bench = await createBench(kind);
    const models = (slug: string): string => author('authors', 'author_id').replace('slug     String? @unique', slug);
    await bench.migrate(models('slug     String? @unique'));
    for (const sql of ROWS) await bench.run(sql);

    await bench.migrate(models('slug     String? @unique @map("handle")'), { renames: [{ kind: 'column', table: 'articles', from: 'slug', to: 'handle' }] });

    expect(await bench.rows('SELECT handle FROM articles ORDER BY id')).toEqual([{ handle: 'one' }, { handle: 'two' }, { handle: 'three' }]);
    await expect(bench.run(`INSERT INTO articles (handle) VALUES ('one')`)).rejects.toThrow(/unique/i);
    expect(await drift(kind, bench, models('slug     String? @unique @map("handle")'))).toBe('');
  });

  it('renames a table that others point at', async () => {
    const bench = await createBench(kind);
    await bench.migrate(author('authors', 'author_id'));
    for (const sql of ROWS) await bench.run(sql);

    const { steps } = await bench.migrate(author('writers', 'author_id'), { renames: [{ kind: 'table', from: 'authors', to: 'writers' }] });

    expect(steps).toEqual([{ action: 'rename-table', table: 'authors', to: 'writers' }]);
    expect(await bench.rows('SELECT id, email FROM writers ORDER BY id')).toEqual([{ id: 1, email: 'a@example.com' }, { id: 2, email: 'b@example.com' }]);
    expect(await bench.rows('SELECT author_id FROM articles ORDER BY id')).toEqual([{ author_id: 1 }, { author_id: 2 }, { author_id: null }]);
    expect(await drift(kind, bench, author('writers', 'author_id'))).toBe('');
    await bench.run(`INSERT INTO writers (email) VALUES ('c@example.com')`);
    expect(await bench.rows(`SELECT id FROM writers WHERE email = 'c@example.com'`)).toEqual([{ id: 3 }]);
    await bench.run(`${kind.name === 'sqlite' ? 'PRAGMA foreign_keys = ON; ' : ''}DELETE FROM writers WHERE id = 1`);
    expect(await bench.rows('SELECT slug FROM articles ORDER BY id')).toEqual([{ slug: 'two' }, { slug: 'three' }]);
  });

  it('renames a table and a column of it in one migration, and still counts what else is lost by the old names', async () => {
    const bench = await createBench(kind);
    const before = 'model Article {\n  id Int @id\n  title String?\n  teaser String?\n}';
    const after = 'model Post {\n  id Int @id\n  heading String?\n}';
    await bench.migrate(before);
    await bench.run(`INSERT INTO "Article" (id, title, teaser) VALUES (1, 'One', 'x')`);
    const renames: readonly Rename[] = [
      { kind: 'table', from: 'Article', to: 'Post' },
      { kind: 'column', table: 'Post', from: 'title', to: 'heading' },
    ];

    const error = await failure(bench.migrate(after, { renames }));
    expect(error.details['losses']).toEqual([{ kind: 'column', table: 'Article', column: 'teaser', rows: 1 }]);

    await bench.migrate(after, { renames, acceptsDataLoss: true });
    expect(await bench.rows('SELECT * FROM "Post"')).toEqual([{ id: 1, heading: 'One' }]);
    expect(await drift(kind, bench, after)).toBe('');
  });

  it('renames a column whose names are longer than the database keeps', async () => {
    const bench = await createBench(kind);
    const long = (letter: string): string => letter.repeat(58);
    const models = (column: string): string => `model Thing {\n  id Int @id\n  ${column} String? @unique\n  note String?\n  @@index([${column}, note])\n  @@map("a_table_with_quite_a_long_name")\n}`;
    await bench.migrate(models(long('x')));
    await bench.run(`INSERT INTO a_table_with_quite_a_long_name (id, ${long('x')}) VALUES (1, 'kept')`);

    await bench.migrate(models(long('y')), { renames: [{ kind: 'column', table: 'a_table_with_quite_a_long_name', from: long('x'), to: long('y') }] });

    expect(await bench.rows(`SELECT ${long('y')} AS v FROM a_table_with_quite_a_long_name`)).toEqual([{ v: 'kept' }]);
    expect(await drift(kind, bench, models(long('y')))).toBe('');
  });

  it('renames what the primary key and constraints with names of their own hold', async () => {
    const bench = await createBench(kind);
    const models = (column: string): string => `
model Version {
  documentId String @map("${column}")
  locale     String
  note       String?

  @@id([documentId, locale])
  @@unique([documentId, note], map: "version_note_idx")
  @@map("versions")
}`;
    await bench.migrate(models('document_id'));
    await bench.run(`INSERT INTO versions (document_id, locale) VALUES ('d', 'en')`);

    await bench.migrate(models('doc'), { renames: [{ kind: 'column', table: 'versions', from: 'document_id', to: 'doc' }] });

    expect(await bench.rows('SELECT doc, locale FROM versions')).toEqual([{ doc: 'd', locale: 'en' }]);
    expect(await drift(kind, bench, models('doc'))).toBe('');
  });

  it('goes on from a renamed schema', async () => {
    const bench = await createBench(kind);
    await bench.migrate(author('authors', 'author_id'));
    for (const sql of ROWS) await bench.run(sql);
    await bench.migrate(author('authors', 'writer_id'), { renames: [{ kind: 'column', table: 'articles', from: 'author_id', to: 'writer_id' }] });
    const next = author('authors', 'writer_id').replace('  slug     String? @unique\n', '  slug     String?\n').replace('  @@index([authorId, slug])\n', '');

    await bench.migrate(next);

    expect(await drift(kind, bench, next)).toBe('');
    expect((await bench.migrate(next)).name).toBeNull();
    expect((await bench.rows('SELECT slug FROM articles')).length).toBe(3);
    const fresh = await bench.elsewhere();
    await fresh.apply();
    expect(await drift(kind, fresh, next)).toBe('');
  });

  it.each<[string, Rename]>([
    ['articles has no column nothing', { kind: 'column', table: 'articles', from: 'nothing', to: 'x' }],
    ['articles has a column slug already', { kind: 'column', table: 'articles', from: 'author_id', to: 'slug' }],
    ['there is no table nothing', { kind: 'column', table: 'nothing', from: 'a', to: 'b' }],
    ['there is no table nothing', { kind: 'table', from: 'nothing', to: 'x' }],
    ['there is a table authors already', { kind: 'table', from: 'articles', to: 'authors' }],
    ['articles has no column author', { kind: 'column', table: 'articles', from: 'author', to: 'x' }],
  ])('refuses: %s', async (reason, rename) => {
    const bench = await createBench(kind);
    await bench.migrate(author('authors', 'author_id'));
    const error = await failure(bench.preview(author('authors', 'author_id'), { renames: [rename] }));
    expect(error.code).toBe('migration/invalid-rename');
    expect(error.message).toContain(reason);
  });
});
