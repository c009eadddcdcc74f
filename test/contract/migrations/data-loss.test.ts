import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createMigrationFixture, findDrift, rejectionOf } from './migration-fixture.js';

const model = (...lines: readonly string[]): string =>
  `model Article {\n  id Int @id\n${lines.map((line) => `  ${line}`).join('\n')}\n  @@map("articles")\n}`;

const THREE = `INSERT INTO articles (id, title, teaser)
  VALUES (1, 'One', 'a'), (2, 'Two', NULL), (3, 'Three', 'c')`;
const TEASERS = { kind: 'dropped', type: 'table articles', path: 'teaser', values: 2 };
const TITLE_AND_TEASER = model('title String?', 'teaser String?');

describe.each(databases)('data loss on $name', (kind) => {
  it('refuses to drop a column that holds values, and changes nothing', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    await fixture.run(THREE);
    const files = await readdir(fixture.folder);

    const error = await rejectionOf(fixture.migrate(model('title String?')));

    expect(error.code).toBe('migration/data-loss');
    expect(error.kind).toBe('data-loss');
    expect(error.message).toContain('table articles teaser: the column is dropped (2 rows)');
    expect(error.details['changes']).toMatchObject([TEASERS]);
    expect(await readdir(fixture.folder)).toEqual(files);
    expect(await findDrift(kind, fixture, TITLE_AND_TEASER)).toBe('');
    expect(await fixture.rows('SELECT teaser FROM articles ORDER BY id')).toEqual([
      { teaser: 'a' },
      { teaser: null },
      { teaser: 'c' },
    ]);
  });

  it('drops the column once that is accepted, and records that in the file', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    await fixture.run(THREE);

    const { name, impact } = await fixture.migrate(model('title String?'), { acceptsDataLoss: true });

    expect(impact).toMatchObject([TEASERS]);
    expect(await fixture.rows('SELECT * FROM articles ORDER BY id')).toEqual([
      { id: 1, title: 'One' },
      { id: 2, title: 'Two' },
      { id: 3, title: 'Three' },
    ]);
    expect(await findDrift(kind, fixture, model('title String?'))).toBe('');
    const sql = await readFile(join(fixture.folder, String(name), 'migration.sql'), 'utf8');
    expect(sql).toMatch(/^-- accept-data-loss\n/);
  });

  it('drops an empty column without asking', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    await fixture.run(`INSERT INTO articles (id, title) VALUES (1, 'One')`);

    const { name } = await fixture.migrate(model('title String?'));

    expect(await findDrift(kind, fixture, model('title String?'))).toBe('');
    expect(await readFile(join(fixture.folder, String(name), 'migration.sql'), 'utf8')).not.toContain(
      'accept-data-loss',
    );
  });

  it('asks again where the migration is applied to a database with rows', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    const production = await fixture.withEmptyDatabase();
    await production.apply();
    await production.run(THREE);
    await fixture.migrate(model('title String?'));

    const error = await rejectionOf(production.apply());

    expect(error.code).toBe('migration/data-loss');
    expect(error.details['changes']).toMatchObject([TEASERS]);
    expect(await production.rows('SELECT count(teaser) AS n FROM articles')).toEqual([
      { n: kind.name === 'sqlite' ? 2 : '2' },
    ]);
    expect((await production.apply({ acceptsDataLoss: true })).applied).toHaveLength(1);
    expect(await findDrift(kind, production, model('title String?'))).toBe('');
  });

  it('accepts losses that the file accepts', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    const production = await fixture.withEmptyDatabase();
    await production.apply();
    await production.run(THREE);
    const { name } = await fixture.migrate(model('title String?'));
    const file = join(fixture.folder, String(name), 'migration.sql');
    await writeFile(file, `-- accept-data-loss\n${await readFile(file, 'utf8')}`);

    expect((await production.apply()).applied).toEqual([name]);
    expect(await findDrift(kind, production, model('title String?'))).toBe('');
  });

  it('counts the rows of a dropped table', async () => {
    const fixture = await createMigrationFixture(kind);
    const tag = 'model Tag {\n  id Int @id\n}';
    await fixture.migrate(`${TITLE_AND_TEASER}\n\n${tag}`);
    await fixture.run(`${THREE}`);

    const error = await rejectionOf(fixture.migrate(tag));
    expect(error.details['changes']).toMatchObject([
      { kind: 'dropped', type: 'table articles', path: null, values: 3 },
    ]);

    await fixture.migrate(tag, { acceptsDataLoss: true });
    expect(await findDrift(kind, fixture, tag)).toBe('');
  });

  it('shows losses in the preview, and changes nothing', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    await fixture.run(THREE);
    const files = await readdir(fixture.folder);

    const preview = await fixture.preview(model('title String?', 'body String?'));

    expect(preview.impact).toMatchObject([TEASERS]);
    expect(preview.steps).toEqual([
      { action: 'drop-column', table: 'articles', column: 'teaser' },
      { action: 'add-column', table: 'articles', column: 'body' },
    ]);
    expect(preview.sql).toContain('"body"');
    expect(await readdir(fixture.folder)).toEqual(files);
    expect(await findDrift(kind, fixture, TITLE_AND_TEASER)).toBe('');
  });

  it('drops and adds a column whose values cannot be converted', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(model('title String?', 'teaser String? @unique'));
    await fixture.run(THREE);
    const after = model('title String?', 'teaser Int? @unique');

    const error = await rejectionOf(fixture.migrate(after));
    expect(error.details['changes']).toMatchObject([
      { ...TEASERS, reason: 'its values cannot be kept when it changes from String to Int' },
    ]);

    await fixture.migrate(after, { acceptsDataLoss: true });
    expect(await fixture.rows('SELECT * FROM articles ORDER BY id')).toEqual([
      { id: 1, title: 'One', teaser: null },
      { id: 2, title: 'Two', teaser: null },
      { id: 3, title: 'Three', teaser: null },
    ]);
    expect(await findDrift(kind, fixture, after)).toBe('');
  });

  it.each([
    ['Int', 'BigInt', '7', '7'],
    ['Int', 'Float', '7', '7'],
    ['Int', 'Decimal', '7', '7'],
    ['Int', 'String', '7', '7'],
    ['BigInt', 'String', '9007199254740993', '9007199254740993'],
    ['BigInt', 'Decimal', '90071992547', '90071992547'],
    ['Json', 'String', `'{"a":1}'`, '{"a":1}'],
  ])('keeps every value when %s becomes %s', async (from, to, stored, expected) => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(model(`v ${from}?`));
    await fixture.run(`INSERT INTO articles (id, v) VALUES (1, ${stored})`);

    const { impact, tableChanges } = await fixture.migrate(model(`v ${to}?`));

    expect({ impact, tableChanges }).toEqual({ impact: [], tableChanges: [] });
    expect(await findDrift(kind, fixture, model(`v ${to}?`))).toBe('');
    const [row] = await fixture.rows('SELECT CAST(v AS TEXT) AS v FROM articles');
    expect(String(row?.['v']).replaceAll(' ', '').replace(/\.0+$/, '')).toBe(expected);
  });

  it.each([
    ['Float', 'Int'],
    ['BigInt', 'Int'],
    ['Boolean', 'String'],
    ['DateTime', 'String'],
    ['String', 'Json'],
    ['String', 'DateTime'],
  ])('refuses to change %s to %s', async (from, to) => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(model(`v ${from}?`));
    const value = {
      Float: '1.5',
      BigInt: '5',
      Boolean: 'true',
      DateTime: `'2026-01-01T00:00:00Z'`,
      String: `'x'`,
    }[from];
    await fixture.run(`INSERT INTO articles (id, v) VALUES (1, ${value})`);

    expect((await rejectionOf(fixture.migrate(model(`v ${to}?`)))).code).toBe('migration/data-loss');
    await fixture.migrate(model(`v ${to}?`), { acceptsDataLoss: true });
    expect(await fixture.rows('SELECT v FROM articles')).toEqual([{ v: null }]);
    expect(await findDrift(kind, fixture, model(`v ${to}?`))).toBe('');
  });
});

describe.each(databases)('rows that violate a new constraint on $name', (kind) => {
  it.each([
    [
      'a column becomes required',
      model('title String?', 'teaser String'),
      'table articles teaser: it becomes required, and has no value (1 row)',
    ],
    [
      'a required column is added',
      model('title String?', 'teaser String?', 'body String'),
      'table articles body: it becomes required, and has no value (3 rows)',
    ],
    [
      'a column becomes unique',
      model('title String? @unique', 'teaser String?'),
      'table articles title: it becomes unique, and shares a value (2 rows)',
    ],
    [
      'columns become unique together',
      model('title String?', 'teaser String?', '@@unique([title, teaser])'),
      'table articles title + teaser: it becomes unique, and shares a value (2 rows)',
    ],
  ])('finds them before anything runs when %s', async (_what, after, message) => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    await fixture.run(
      `INSERT INTO articles (id, title, teaser)
        VALUES (1, 'Same', 'a'), (2, 'Same', 'a'), (3, 'Other', NULL)`,
    );
    const files = await readdir(fixture.folder);

    const error = await rejectionOf(fixture.migrate(after, { acceptsDataLoss: true }));

    expect(error.code).toBe('migration/constraint-violation');
    expect(error.message).toContain(message);
    expect(await readdir(fixture.folder)).toEqual(files);
    expect(await findDrift(kind, fixture, TITLE_AND_TEASER)).toBe('');

    await fixture.run('DELETE FROM articles');
    await fixture.migrate(after);
    expect(await findDrift(kind, fixture, after)).toBe('');
  });

  it('allows nulls in a unique column, and a default in a required one', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLE_AND_TEASER);
    await fixture.run(`INSERT INTO articles (id) VALUES (1), (2)`);
    const after = model(
      'title String? @unique',
      'teaser String?',
      'views Int @default(0)',
      'at DateTime @default(now())',
    );
    // SQLite must rebuild a table with rows to add a column with a computed default.
    await fixture.migrate(after);
    expect(await fixture.rows('SELECT id, views FROM articles ORDER BY id')).toEqual([
      { id: 1, views: 0 },
      { id: 2, views: 0 },
    ]);
    expect(await findDrift(kind, fixture, after)).toBe('');
  });

  it('finds rows with broken references', async () => {
    const fixture = await createMigrationFixture(kind);
    const author = (back: string): string => `model Author {\n  id Int @id\n${back}}`;
    await fixture.migrate(`${author('')}\n\n${model('authorId Int?')}`);
    await fixture.run('INSERT INTO "Author" (id) VALUES (1)');
    await fixture.run('INSERT INTO articles (id, "authorId") VALUES (1, 1), (2, 99), (3, NULL)');
    const relation = 'author Author? @relation(fields: [authorId], references: [id])';
    const after = `${author('  articles Article[]\n')}\n\n${model('authorId Int?', relation)}`;

    const error = await rejectionOf(fixture.migrate(after, { acceptsDataLoss: true }));
    expect(error.code).toBe('migration/constraint-violation');
    expect(error.message).toContain(
      'table articles authorId: it has to point into Author, and does not (1 row)',
    );

    await fixture.run('UPDATE articles SET "authorId" = NULL WHERE id = 2');
    await fixture.migrate(after);
    expect(await findDrift(kind, fixture, after)).toBe('');
  });
});
