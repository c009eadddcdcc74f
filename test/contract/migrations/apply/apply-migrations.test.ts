import { describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createMigrationFixture, rejectionOf, writeSql } from '../migration-fixture.js';

const FAMILY = (parentExtra: string): string => `
model Parent {
  id       Int     @id
  name     String?
${parentExtra}
  children Child[]

  @@map("parents")
}

model Child {
  id       Int    @id
  parentId Int
  parent   Parent @relation(fields: [parentId], references: [id], onDelete: Cascade)

  @@map("children")
}`;

describe.each(databases)('applying on $name', (kind) => {
  it('rebuilds a table without deleting the rows that reference it', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(FAMILY('  rank BigInt?'));
    await fixture.run(`INSERT INTO parents (id, name, rank) VALUES (1, 'a', 1), (2, 'b', 2)`);
    await fixture.run('INSERT INTO children (id, "parentId") VALUES (10, 1), (11, 1), (12, 2)');

    await fixture.migrate(
      FAMILY('  rank String @default("x;y -- \'z\'")').replace(
        'name     String?',
        'name     String  @default("")',
      ),
    );

    expect(await fixture.rows('SELECT id, name, rank FROM parents ORDER BY id')).toEqual([
      { id: 1, name: 'a', rank: '1' },
      { id: 2, name: 'b', rank: '2' },
    ]);
    expect(await fixture.rows('SELECT id, "parentId" FROM children ORDER BY id')).toEqual([
      { id: 10, parentId: 1 },
      { id: 11, parentId: 1 },
      { id: 12, parentId: 2 },
    ]);
    await fixture.run('INSERT INTO parents (id) VALUES (3)');
    expect(await fixture.rows('SELECT name, rank FROM parents WHERE id = 3')).toEqual([
      { name: '', rank: `x;y -- 'z'` },
    ]);
    await fixture.run(
      `${kind.name === 'sqlite' ? 'PRAGMA foreign_keys = ON; ' : ''}DELETE FROM parents WHERE id = 1`,
    );
    expect(await fixture.rows('SELECT id FROM children')).toEqual([{ id: 12 }]);
  });

  it('rolls back all migrations where one fails, and applies them once it is corrected', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate('model First {\n  id Int @id\n}');
    await writeSql(fixture, '20990101000000_second', 'CREATE TABLE second (id INTEGER);\n');
    await writeSql(
      fixture,
      '20990102000000_third',
      'CREATE TABLE third (id INTEGER);\n' +
        'INSERT INTO third VALUES (1); -- a; semicolon\n' +
        "INSERT INTO nowhere VALUES (';');\n",
    );

    const error = await rejectionOf(fixture.apply());

    expect(error.code).toBe('migration/failed');
    expect(error.message).toContain('20990102000000_third');
    expect(error.message).toContain('nowhere');
    expect(await fixture.status()).toMatchObject({
      pending: ['20990101000000_second', '20990102000000_third'],
      failed: [],
    });
    await expect(fixture.rows('SELECT * FROM second')).rejects.toThrow(/second/);
    await expect(fixture.rows('SELECT * FROM third')).rejects.toThrow(/third/);

    await writeSql(
      fixture,
      '20990102000000_third',
      `CREATE TABLE third (id INTEGER, t TEXT);\nINSERT INTO third VALUES (1, 'a;b'); -- a; semicolon\n`,
    );
    expect((await fixture.apply()).applied).toEqual(['20990101000000_second', '20990102000000_third']);
    expect(await fixture.rows('SELECT * FROM third')).toEqual([{ id: 1, t: 'a;b' }]);
    expect((await fixture.apply()).applied).toEqual([]);
  });

  it('refuses a script that breaks references', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(FAMILY(''));
    await fixture.run(
      `INSERT INTO parents (id) VALUES (1); INSERT INTO children (id, "parentId") VALUES (10, 1)`,
    );
    await writeSql(
      fixture,
      '20990101000000_break',
      kind.name === 'sqlite'
        ? 'DELETE FROM parents;'
        : 'INSERT INTO children (id, "parentId") VALUES (11, 99);',
    );

    expect((await rejectionOf(fixture.apply())).code).toBe('migration/failed');
    expect(await fixture.rows('SELECT id FROM parents')).toEqual([{ id: 1 }]);
    expect(await fixture.rows('SELECT id FROM children')).toEqual([{ id: 10 }]);
  });

  it.runIf(kind.name === 'sqlite')('looks at references only where a script may break them', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(FAMILY(''));
    await fixture.run('PRAGMA foreign_keys = OFF; INSERT INTO children (id, "parentId") VALUES (10, 99)');

    const index = '@@index([name], map: "parents_name_idx")';
    expect((await fixture.migrate(FAMILY(`  ${index}`))).name).not.toBeNull();
    expect((await fixture.migrate(FAMILY('  rank Int?'))).name).not.toBeNull();

    await fixture.run(
      'CREATE TABLE entries (id INTEGER); CREATE TABLE others (id INTEGER); ' +
        'CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM others; END',
    );
    const scripts = [
      `UPDATE "parents" SET "name" = 'a';`,
      `UPDATE OR REPLACE "parents" SET "name" = 'a';`,
      'DELETE FROM main."parents";',
      'INSERT INTO entries VALUES (1);',
    ];
    for (const script of scripts) {
      await writeSql(fixture, '20990101000000_write', `${script}\n`);
      expect((await rejectionOf(fixture.apply())).message).toContain('children');
    }
    await writeSql(fixture, '20990101000000_write', 'INSERT INTO others VALUES (1);\n');
    expect((await fixture.apply()).applied).toHaveLength(1);
  });
});

const ARTICLE = 'model Article {\n  id Int @id\n  teaser String?\n}';

describe.each(databases)('scripts written by hand on $name', (kind) => {
  it.each([
    ['a column', 'ALTER TABLE "Article" DROP COLUMN teaser;', 'teaser'],
    ['a table', 'DROP TABLE "Article";', null],
  ])('asks before %s with rows is dropped', async (_what, sql, path) => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(ARTICLE);
    await fixture.run(`INSERT INTO "Article" (id, teaser) VALUES (1, 'x')`);
    await writeSql(fixture, '20990101000000_hand', sql);

    expect((await rejectionOf(fixture.apply())).details['changes']).toMatchObject([
      { kind: 'dropped', type: 'table Article', path, values: 1 },
    ]);
    expect(await fixture.rows('SELECT teaser FROM "Article"')).toEqual([{ teaser: 'x' }]);

    await writeSql(fixture, '20990101000000_hand', `-- accept-data-loss\n${sql}`);
    expect((await fixture.apply()).applied).toEqual(['20990101000000_hand']);
  });

  it('drops what is empty without asking', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(ARTICLE);
    await fixture.run('INSERT INTO "Article" (id) VALUES (1)');
    await writeSql(fixture, '20990101000000_hand', 'ALTER TABLE "Article" DROP COLUMN teaser;');
    expect((await fixture.apply()).applied).toEqual(['20990101000000_hand']);
    await expect(fixture.rows('SELECT teaser FROM "Article"')).rejects.toThrow(/teaser/);
  });
});
