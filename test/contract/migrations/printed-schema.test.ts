import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../src/database/get-dialect.js';
import { isAdditive } from '../../../src/migrations/plan/additive.js';
import type { ContentModel } from '../../../src/model/model.js';
import { printPrismaSchema } from '../../../src/generate/prisma-schema/print-prisma-schema.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { loadFixtureModel, modelFrom } from '../../support/models.js';
import type { TypeLiteral } from '../../support/models.js';
import { createMigrationFixture, findDrift, rejectionOf } from './migration-fixture.js';

const base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');

const print = (kind: TestDatabaseKind, model: ContentModel): string =>
  printPrismaSchema({ model, support: getDialect(kind.name).schema, base });

const article = (attributes: TypeLiteral['attributes']): ContentModel =>
  modelFrom({ types: { article: { draftAndPublish: true, attributes } } });

const STRING = { type: 'string' };

describe.each(databases)('schemas of content-types on $name', (kind) => {
  it.each(['magazine', 'launchpad'] as const)(
    'creates every table of %s, and leaves no drift',
    async (name) => {
      const fixture = await createMigrationFixture(kind);
      const schema = print(kind, await loadFixtureModel(name));

      await fixture.migrate(schema);

      expect(await findDrift(kind, fixture, schema)).toBe('');
      expect((await fixture.migrate(schema)).name).toBeNull();
    },
  );

  it('migrates from one project to another and back', async () => {
    const fixture = await createMigrationFixture(kind);
    const [magazine, launchpad] = [
      print(kind, await loadFixtureModel('magazine')),
      print(kind, await loadFixtureModel('launchpad')),
    ];
    for (const schema of [magazine, launchpad, magazine]) {
      await fixture.migrate(schema);
      expect(await findDrift(kind, fixture, schema)).toBe('');
    }
  });

  it('lets drafts share a unique value where none could, and published versions still not', async () => {
    const fixture = await createMigrationFixture(kind);
    const schema = print(kind, article({ title: { ...STRING, unique: true } }));
    const before = schema
      .replaceAll(', where: { status: "published" }', '')
      .replaceAll(/^ +@@index\(\[\w+, locale, status\], map: .*\n/gm, '');
    await fixture.migrate(before);
    const insert = (id: string, status: string): Promise<void> =>
      fixture.run(
        `INSERT INTO articles (document_id, status, locale, created_at, updated_at, title)
        VALUES ('${id}', '${status}', '', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'One')`,
      );
    await fixture.run(`INSERT INTO articles_documents (document_id) VALUES ('d1'), ('d2')`);
    await insert('d1', 'published');
    await insert('d1', 'draft');

    const result = await fixture.migrate(schema);

    expect(result.name).not.toBeNull();
    await insert('d2', 'draft');
    await expect(insert('d2', 'published')).rejects.toThrow();
    expect(await fixture.rows('SELECT title FROM articles')).toHaveLength(3);
    expect(await findDrift(kind, fixture, schema)).toBe('');
    const content = { types: {}, components: {} };
    expect(await isAdditive({ schema: before, content }, { schema, content })).toBe(true);
  });

  it('keeps the values of a renamed attribute, and asks before one is dropped', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(print(kind, article({ title: STRING, teaser: { type: 'text', unique: true } })));
    await fixture.run(`INSERT INTO articles_documents (document_id) VALUES ('d1')`);
    await fixture.run(
      `INSERT INTO articles (document_id, status, locale, created_at, updated_at, title, teaser)
      VALUES ('d1', 'draft', '', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'One', 'Two')`,
    );
    const renamed = print(kind, article({ title: STRING, summary: { type: 'text', unique: true } }));

    expect((await rejectionOf(fixture.migrate(renamed))).details['changes']).toMatchObject([
      { kind: 'dropped', type: 'table articles', path: 'teaser', values: 1 },
    ]);
    await fixture.migrate(renamed, {
      renames: [{ kind: 'column', table: 'articles', from: 'teaser', to: 'summary' }],
    });

    expect(await fixture.rows('SELECT title, summary FROM articles')).toEqual([
      { title: 'One', summary: 'Two' },
    ]);
    expect(await findDrift(kind, fixture, renamed)).toBe('');
  });
});
