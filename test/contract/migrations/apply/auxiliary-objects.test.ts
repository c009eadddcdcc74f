import { describe, expect, it } from 'vitest';
import type { DatabaseObject } from '../../../../src/database/dialect/migration-support.js';
import { getDialect } from '../../../../src/database/get-dialect.js';
import { revertMigrations } from '../../../../src/migrations/undo/revert-migrations.js';
import { emptyDatabase } from '../../../../src/migrations/undo/undo-migration.js';
import { ensureObjects } from '../../../../src/migrations/apply/migration-history.js';

import { databases } from '../../../support/databases.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { createMigrationFixture, migrate } from '../migration-fixture.js';

/** System tables that the objects and taking migrations back need. */
const SYSTEM = `model State {
  key String @id

  @@map("cms_state")
}

model MigrationRecord {
  name   String @id
  record String

  @@map("cms_migrations")
}
`;
const notes = (fields: string): string =>
  `${SYSTEM}\nmodel Note {\n  id Int @id @default(autoincrement())\n${fields}\n  @@map("notes")\n}\n`;

/** A table that is made from another. */
const copyOf = (table: string, column: string): DatabaseObject => ({
  name: `copy of ${table}`,
  requires: [{ table, columns: [column] }],
  create: `CREATE TABLE shown_notes AS SELECT "${column}" FROM "${table}"`,
  drop: 'DROP TABLE IF EXISTS shown_notes',
  parts: ['shown_notes'],
});

const createObjectFixture = async (kind: TestDatabaseKind) => {
  const fixture = await createMigrationFixture(kind);
  const dialect = getDialect(kind.name);
  const noticing = dialect.revisions.objectsFor([{ name: 'api::note.note', tables: ['notes'] }]);
  const target = { folder: fixture.folder, url: fixture.url, dialect };
  const namesOf = async (): Promise<readonly unknown[]> =>
    (await fixture.rows('SELECT "name" FROM "cms_objects" ORDER BY 1')).map(({ name }) => name);
  const triggers = async (): Promise<readonly unknown[]> =>
    (await fixture.rows(dialect.migrations.objects.partsSql))
      .map(({ part }) => String(part))
      .filter((part) => part.startsWith('notes.'));
  const migrateTo = (models: string, objects: readonly DatabaseObject[] = noticing) =>
    migrate({
      ...target,
      objects,
      label: 'change',
      nextSchema: fixture.schema(models),
      acceptsDataLoss: true,
    });
  return { ...fixture, target, noticing, namesOf, triggers, migrateTo };
};

describe.each(databases)('objects beside the schema on $name', (database) => {
  it.runIf(database.name === 'sqlite')('are built without looking at references', async () => {
    const { migrateTo, noticing, run, namesOf } = await createObjectFixture(database);
    const tree =
      '  title String?\n  parentId Int?\n  children Note[] @relation("tree")\n' +
      '  parent Note? @relation("tree", fields: [parentId], references: [id])\n';
    await migrateTo(notes(tree));
    await run('PRAGMA foreign_keys = OFF; INSERT INTO notes ("parentId") VALUES (99)');

    await migrateTo(notes(tree), [...noticing, copyOf('notes', 'title')]);

    expect(await namesOf()).toContain('copy of notes');
  });

  const triggerCount = database.name === 'sqlite' ? 3 : 1;

  it('are built by migrations, outlive tables that are replaced, and go with their tables', async () => {
    const { migrateTo, namesOf, triggers, run, target, noticing } = await createObjectFixture(database);
    await migrateTo(notes('  text String'));
    expect(await namesOf()).toEqual(['revisions', 'revisions of api::note.note']);
    expect(await triggers()).toHaveLength(triggerCount);
    await run(`INSERT INTO notes (text) VALUES ('one')`);
    // SQLite replaces the table, and drops its triggers with it.
    await migrateTo(notes('  text String?\n  weight Int @default(1)'));
    expect(await triggers()).toHaveLength(triggerCount);
    await run(`INSERT INTO notes (text) VALUES ('two')`);
    await revertMigrations({ ...target, objects: noticing, acceptsDataLoss: true });
    expect(await triggers()).toHaveLength(triggerCount);
    await migrateTo(SYSTEM);
    expect(await namesOf()).toEqual(['revisions']);
    expect(await triggers()).toEqual([]);
    await emptyDatabase({ ...target, objects: noticing });
    expect(await namesOf().catch(() => 'no table')).toBe('no table');
  });

  it('are replaced where their SQL or what they are built on changes', async () => {
    const { migrateTo, namesOf, rows, run } = await createObjectFixture(database);
    const models = (fields: string) => notes(`  text String\n${fields}`);
    await migrateTo(models('  title String'), []);
    await run(`INSERT INTO notes (text, title) VALUES ('one', 'first')`);
    await migrateTo(models('  title String\n  length Int?'), [copyOf('notes', 'text')]);
    expect(await rows('SELECT * FROM shown_notes')).toEqual([{ text: 'one' }]);
    await migrateTo(models('  title String\n  weight Int?'), [copyOf('notes', 'title')]);
    expect(await rows('SELECT * FROM shown_notes')).toEqual([{ title: 'first' }]);
    await migrateTo(models('  title String\n  height Int?'), []);
    expect(await rows('SELECT count(*) AS n FROM notes')).toHaveLength(1);
    await migrateTo(models('  title String\n  width Int?'), [copyOf('notes', 'missing')]);
    expect(await namesOf()).toEqual([]);
  });

  it('of earlier versions are dropped by the next migration, with what they leave behind', async () => {
    const { migrateTo, namesOf, run, rows, target } = await createObjectFixture(database);
    await migrateTo(notes('  text String'));
    await run('CREATE TABLE cms_totals (type TEXT)');
    if (database.name === 'postgresql')
      await run(
        `CREATE FUNCTION cms_count_rows() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
         CREATE TRIGGER cms_total_insert AFTER INSERT ON notes EXECUTE FUNCTION cms_count_rows()`,
      );
    await run(`INSERT INTO cms_objects ("name", "digest", "drop") VALUES ('totals', '', '')`);
    await migrateTo(notes('  text String?'));
    expect(await namesOf()).not.toContain('totals');
    const parts = await rows(target.dialect.migrations.objects.partsSql);
    expect(parts.map(({ part }) => String(part)).filter((part) => /total|count_rows/.test(part))).toEqual([]);
  });

  it('are built again where another tool has dropped a part, and those of others stay', async () => {
    const { migrateTo, namesOf, triggers, run, target, noticing } = await createObjectFixture(database);
    await migrateTo(notes('  text String'), [...noticing, copyOf('notes', 'text')]);
    const whole = await triggers();
    const [, name = ''] = String(whole[0]).split('.');
    await run(`DROP TRIGGER "${name}"${database.name === 'sqlite' ? '' : ' ON "notes"'}`);
    expect(await ensureObjects({ ...target, objects: noticing })).toEqual([]);
    expect(await triggers()).toEqual(whole);
    expect(await namesOf()).toEqual(['copy of notes', 'revisions', 'revisions of api::note.note']);
  });
});
