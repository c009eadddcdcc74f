import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rename } from '../../../src/migrations/schema/renames.js';
import { databases } from '../../support/databases.js';
import { createMigrationFixture, findDrift, rejectionOf } from './migration-fixture.js';

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
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(author('authors', 'author_id'));
    for (const sql of ROWS) await fixture.run(sql);
    const renames: readonly Rename[] = [
      { kind: 'column', table: 'articles', from: 'author_id', to: 'writer_id' },
    ];

    const { name, steps, tableChanges } = await fixture.migrate(author('authors', 'writer_id'), {
      renames,
    });

    expect({ steps, tableChanges }).toEqual({
      steps: [{ action: 'rename-column', table: 'articles', column: 'author_id', to: 'writer_id' }],
      tableChanges: [],
    });
    expect(await fixture.rows('SELECT slug, writer_id FROM articles ORDER BY id')).toEqual([
      { slug: 'one', writer_id: 1 },
      { slug: 'two', writer_id: 2 },
      { slug: 'three', writer_id: null },
    ]);
    expect(await findDrift(kind, fixture, author('authors', 'writer_id'))).toBe('');
    expect(await readFile(join(fixture.folder, String(name), 'migration.sql'), 'utf8')).toContain(
      'ALTER TABLE "articles" RENAME COLUMN "author_id" TO "writer_id";',
    );
  });

  it('renames a unique column', async () => {
    const fixture = await createMigrationFixture(kind);
    const models = (slug: string): string =>
      author('authors', 'author_id').replace('slug     String? @unique', slug);
    await fixture.migrate(models('slug     String? @unique'));
    for (const sql of ROWS) await fixture.run(sql);

    await fixture.migrate(models('slug     String? @unique @map("handle")'), {
      renames: [{ kind: 'column', table: 'articles', from: 'slug', to: 'handle' }],
    });

    expect(await fixture.rows('SELECT handle FROM articles ORDER BY id')).toEqual([
      { handle: 'one' },
      { handle: 'two' },
      { handle: 'three' },
    ]);
    await expect(fixture.run(`INSERT INTO articles (handle) VALUES ('one')`)).rejects.toThrow(/unique/i);
    expect(await findDrift(kind, fixture, models('slug     String? @unique @map("handle")'))).toBe('');
  });

  it('renames a table that others reference', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(author('authors', 'author_id'));
    for (const sql of ROWS) await fixture.run(sql);

    const { steps } = await fixture.migrate(author('writers', 'author_id'), {
      renames: [{ kind: 'table', from: 'authors', to: 'writers' }],
    });

    expect(steps).toEqual([{ action: 'rename-table', table: 'authors', to: 'writers' }]);
    expect(await fixture.rows('SELECT id, email FROM writers ORDER BY id')).toEqual([
      { id: 1, email: 'a@example.com' },
      { id: 2, email: 'b@example.com' },
    ]);
    expect(await fixture.rows('SELECT author_id FROM articles ORDER BY id')).toEqual([
      { author_id: 1 },
      { author_id: 2 },
      { author_id: null },
    ]);
    expect(await findDrift(kind, fixture, author('writers', 'author_id'))).toBe('');
    await fixture.run(`INSERT INTO writers (email) VALUES ('c@example.com')`);
    expect(await fixture.rows(`SELECT id FROM writers WHERE email = 'c@example.com'`)).toEqual([{ id: 3 }]);
    await fixture.run(
      `${kind.name === 'sqlite' ? 'PRAGMA foreign_keys = ON; ' : ''}DELETE FROM writers WHERE id = 1`,
    );
    expect(await fixture.rows('SELECT slug FROM articles ORDER BY id')).toEqual([
      { slug: 'two' },
      { slug: 'three' },
    ]);
  });

  it('renames a table and its column, and counts other losses by the old names', async () => {
    const fixture = await createMigrationFixture(kind);
    const before = 'model Article {\n  id Int @id\n  title String?\n  teaser String?\n}';
    const after = 'model Post {\n  id Int @id\n  heading String?\n}';
    await fixture.migrate(before);
    await fixture.run(`INSERT INTO "Article" (id, title, teaser) VALUES (1, 'One', 'x')`);
    const renames: readonly Rename[] = [
      { kind: 'table', from: 'Article', to: 'Post' },
      { kind: 'column', table: 'Post', from: 'title', to: 'heading' },
    ];

    const error = await rejectionOf(fixture.migrate(after, { renames }));
    expect(error.details['changes']).toMatchObject([
      { kind: 'dropped', type: 'table Article', path: 'teaser', values: 1 },
    ]);

    await fixture.migrate(after, { renames, acceptsDataLoss: true });
    expect(await fixture.rows('SELECT * FROM "Post"')).toEqual([{ id: 1, heading: 'One' }]);
    expect(await findDrift(kind, fixture, after)).toBe('');
  });

  it('renames a column whose constraint names are longer than the database allows', async () => {
    const fixture = await createMigrationFixture(kind);
    const long = (letter: string): string => letter.repeat(58);
    const models = (column: string): string =>
      [
        'model Thing {',
        '  id Int @id',
        `  ${column} String? @unique`,
        '  note String?',
        `  @@index([${column}, note])`,
        '  @@map("a_table_with_quite_a_long_name")',
        '}',
      ].join('\n');
    await fixture.migrate(models(long('x')));
    await fixture.run(`INSERT INTO a_table_with_quite_a_long_name (id, ${long('x')}) VALUES (1, 'kept')`);

    await fixture.migrate(models(long('y')), {
      renames: [{ kind: 'column', table: 'a_table_with_quite_a_long_name', from: long('x'), to: long('y') }],
    });

    expect(await fixture.rows(`SELECT ${long('y')} AS v FROM a_table_with_quite_a_long_name`)).toEqual([
      { v: 'kept' },
    ]);
    expect(await findDrift(kind, fixture, models(long('y')))).toBe('');
  });

  it('renames columns of the primary key and of named constraints', async () => {
    const fixture = await createMigrationFixture(kind);
    const models = (column: string): string => `
model Version {
  documentId String @map("${column}")
  locale     String
  note       String?

  @@id([documentId, locale])
  @@unique([documentId, note], map: "version_note_idx")
  @@map("versions")
}`;
    await fixture.migrate(models('document_id'));
    await fixture.run(`INSERT INTO versions (document_id, locale) VALUES ('d', 'en')`);

    await fixture.migrate(models('doc'), {
      renames: [{ kind: 'column', table: 'versions', from: 'document_id', to: 'doc' }],
    });

    expect(await fixture.rows('SELECT doc, locale FROM versions')).toEqual([{ doc: 'd', locale: 'en' }]);
    expect(await findDrift(kind, fixture, models('doc'))).toBe('');
  });

  it('continues from a renamed schema', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(author('authors', 'author_id'));
    for (const sql of ROWS) await fixture.run(sql);
    await fixture.migrate(author('authors', 'writer_id'), {
      renames: [{ kind: 'column', table: 'articles', from: 'author_id', to: 'writer_id' }],
    });
    const next = author('authors', 'writer_id')
      .replace('  slug     String? @unique\n', '  slug     String?\n')
      .replace('  @@index([authorId, slug])\n', '');

    await fixture.migrate(next);

    expect(await findDrift(kind, fixture, next)).toBe('');
    expect((await fixture.migrate(next)).name).toBeNull();
    expect((await fixture.rows('SELECT slug FROM articles')).length).toBe(3);
    const fresh = await fixture.withEmptyDatabase();
    await fresh.apply();
    expect(await findDrift(kind, fresh, next)).toBe('');
  });

  it.each<[string, Rename]>([
    ['articles has no column nothing', { kind: 'column', table: 'articles', from: 'nothing', to: 'x' }],
    [
      'articles has a column slug already',
      { kind: 'column', table: 'articles', from: 'author_id', to: 'slug' },
    ],
    ['there is no table nothing', { kind: 'column', table: 'nothing', from: 'a', to: 'b' }],
    ['there is no table nothing', { kind: 'table', from: 'nothing', to: 'x' }],
    ['there is a table authors already', { kind: 'table', from: 'articles', to: 'authors' }],
    ['articles has no column author', { kind: 'column', table: 'articles', from: 'author', to: 'x' }],
  ])('refuses: %s', async (reason, rename) => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(author('authors', 'author_id'));
    const error = await rejectionOf(fixture.preview(author('authors', 'author_id'), { renames: [rename] }));
    expect(error.code).toBe('migration/invalid-rename');
    expect(error.message).toContain(reason);
  });
});
