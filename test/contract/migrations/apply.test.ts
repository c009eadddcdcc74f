import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createBench, failure, writeSql } from './support.js';

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
  it('rebuilds a parent without touching the children that would go with it', async () => {
    const bench = await createBench(kind);
    await bench.migrate(FAMILY('  rank BigInt?'));
    await bench.run(`INSERT INTO parents (id, name, rank) VALUES (1, 'a', 1), (2, 'b', 2)`);
    await bench.run('INSERT INTO children (id, "parentId") VALUES (10, 1), (11, 1), (12, 2)');

    await bench.migrate(FAMILY('  rank String @default("x;y -- \'z\'")').replace('name     String?', 'name     String  @default("")'));

    expect(await bench.rows('SELECT id, name, rank FROM parents ORDER BY id')).toEqual([{ id: 1, name: 'a', rank: '1' }, { id: 2, name: 'b', rank: '2' }]);
    expect(await bench.rows('SELECT id, "parentId" FROM children ORDER BY id')).toEqual([{ id: 10, parentId: 1 }, { id: 11, parentId: 1 }, { id: 12, parentId: 2 }]);
    await bench.run('INSERT INTO parents (id) VALUES (3)');
    expect(await bench.rows('SELECT name, rank FROM parents WHERE id = 3')).toEqual([{ name: '', rank: `x;y -- 'z'` }]);
    await bench.run(`${kind.name === 'sqlite' ? 'PRAGMA foreign_keys = ON; ' : ''}DELETE FROM parents WHERE id = 1`);
    expect(await bench.rows('SELECT id FROM children')).toEqual([{ id: 12 }]);
  });

  it('keeps nothing of a migration that fails half-way, nor of those with it, and finishes once it is corrected', async () => {
    const bench = await createBench(kind);
    await bench.migrate('model First {\n  id Int @id\n}');
    await writeSql(bench, '20990101000000_second', 'CREATE TABLE second (id INTEGER);\n');
    await writeSql(bench, '20990102000000_third', `CREATE TABLE third (id INTEGER);\nINSERT INTO third VALUES (1); -- a; semicolon\nINSERT INTO nowhere VALUES (';');\n`);

    const error = await failure(bench.apply());

    expect(error.code).toBe('migration/failed');
    expect(error.message).toContain('20990102000000_third');
    expect(error.message).toContain('nowhere');
    expect(await bench.status()).toMatchObject({ pending: ['20990101000000_second', '20990102000000_third'], failed: [] });
    await expect(bench.rows('SELECT * FROM second')).rejects.toThrow(/second/);
    await expect(bench.rows('SELECT * FROM third')).rejects.toThrow(/third/);

    await writeSql(bench, '20990102000000_third', `CREATE TABLE third (id INTEGER, t TEXT);\nINSERT INTO third VALUES (1, 'a;b'); -- a; semicolon\n`);
    expect((await bench.apply()).applied).toEqual(['20990101000000_second', '20990102000000_third']);
    expect(await bench.rows('SELECT * FROM third')).toEqual([{ id: 1, t: 'a;b' }]);
    expect((await bench.apply()).applied).toEqual([]);
  });

  it('refuses a script after which rows would point nowhere', async () => {
    const bench = await createBench(kind);
    await bench.migrate(FAMILY(''));
    await bench.run(`INSERT INTO parents (id) VALUES (1); INSERT INTO children (id, "parentId") VALUES (10, 1)`);
    await writeSql(bench, '20990101000000_break', kind.name === 'sqlite' ? 'DELETE FROM parents;' : 'INSERT INTO children (id, "parentId") VALUES (11, 99);');

    expect((await failure(bench.apply())).code).toBe('migration/failed');
    expect(await bench.rows('SELECT id FROM parents')).toEqual([{ id: 1 }]);
    expect(await bench.rows('SELECT id FROM children')).toEqual([{ id: 10 }]);
  });
});

const ARTICLE = 'model Article {\n  id Int @id\n  teaser String?\n}';

describe.each(databases)('scripts written by hand on $name', (kind) => {
  it.each([
    ['a column', 'ALTER TABLE "Article" DROP COLUMN teaser;', { kind: 'column', table: 'Article', column: 'teaser', rows: 1 }],
    ['a table', 'DROP TABLE "Article";', { kind: 'table', table: 'Article', rows: 1 }],
  ])('asks before %s goes that holds something', async (_what, sql, loss) => {
    const bench = await createBench(kind);
    await bench.migrate(ARTICLE);
    await bench.run(`INSERT INTO "Article" (id, teaser) VALUES (1, 'x')`);
    await writeSql(bench, '20990101000000_hand', sql);

    expect((await failure(bench.apply())).details['losses']).toEqual([loss]);
    expect(await bench.rows('SELECT teaser FROM "Article"')).toEqual([{ teaser: 'x' }]);

    await writeSql(bench, '20990101000000_hand', `-- accept-data-loss\n${sql}`);
    expect((await bench.apply()).applied).toEqual(['20990101000000_hand']);
  });

  it('lets go what holds nothing', async () => {
    const bench = await createBench(kind);
    await bench.migrate(ARTICLE);
    await bench.run('INSERT INTO "Article" (id) VALUES (1)');
    await writeSql(bench, '20990101000000_hand', 'ALTER TABLE "Article" DROP COLUMN teaser;');
    expect((await bench.apply()).applied).toEqual(['20990101000000_hand']);
    await expect(bench.rows('SELECT teaser FROM "Article"')).rejects.toThrow(/teaser/);
  });
});
