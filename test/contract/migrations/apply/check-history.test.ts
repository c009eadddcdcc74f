import { rename, rm, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createMigrationFixture, rejectionOf } from '../migration-fixture.js';
import type { MigrationFixture } from '../migration-fixture.js';

const ID = 'model Article {\n  id Int @id\n';
const PLAIN = `${ID}}`;
const TITLED = `${ID}  title String?\n}`;
const RATED = `${ID}  rating Int?\n}`;

/** Takes a folder away, as a switch to another branch does, and returns what brings it back. */
const hideFolder = async ({ folder }: MigrationFixture, name: string): Promise<() => Promise<void>> => {
  const hidden = join(folder, '..', `hidden-${name}`);
  await rename(join(folder, name), hidden);
  return () => rename(hidden, join(folder, name));
};

describe.each(databases)('a history that the checkout contradicts, on $name', (kind) => {
  it('names the migrations that the checkout lacks, and the command that takes them back', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(PLAIN);
    const titled = String((await fixture.migrate(TITLED, { label: 'title' })).name);
    const showFolder = await hideFolder(fixture, titled);

    for (const attempt of [() => fixture.migrate(PLAIN), () => fixture.preview(RATED)]) {
      const error = await rejectionOf(attempt());
      expect(error.code).toBe('migration/unknown');
      expect(error.message).toContain(titled);
      expect(error.hint).toContain('cms migrate down');
    }
    await showFolder();
    expect((await fixture.migrate(TITLED)).applied).toEqual([]);
  });

  it('lets an older release be, where what was added asks nothing of it', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(TITLED);
    const added = String((await fixture.migrate(`${ID}  title String?\n  rating Int?\n}`)).name);
    const showAdded = await hideFolder(fixture, added);
    expect(await fixture.apply()).toEqual({ applied: [], warning: expect.stringContaining(added) });
    await showAdded();

    const dropped = String((await fixture.migrate(RATED)).name);
    await hideFolder(fixture, dropped);
    expect((await rejectionOf(fixture.apply())).code).toBe('migration/unknown');
  });

  it('applies nothing new to a database that has other migrations', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(PLAIN);
    const other = await fixture.withEmptyDatabase();
    await other.apply();
    const titled = String((await fixture.migrate(TITLED)).name);
    await hideFolder(fixture, titled);
    await other.migrate(RATED, { label: 'rated' });
    expect((await rejectionOf(fixture.apply())).code).toBe('migration/unknown');
  });

  it('notices an edited file', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(PLAIN);
    const titled = String((await fixture.migrate(TITLED)).name);
    const file = join(fixture.folder, titled, 'migration.sql');
    const sql = await readFile(file, 'utf8');
    await writeFile(file, `${sql}\n-- edited\n`);
    for (const attempt of [() => fixture.migrate(TITLED), () => fixture.preview(TITLED)])
      expect((await rejectionOf(attempt())).code).toBe('migration/edited');
    expect(await fixture.apply()).toEqual({ applied: [], warning: expect.stringContaining(titled) });

    await fixture.run('ALTER TABLE "Article" DROP COLUMN "title"');
    const error = await rejectionOf(fixture.apply());
    expect(error.code).toBe('migration/edited');
    expect(error.message).toContain(titled);
  });

  it('reports a change that another branch has made as well', async () => {
    const fixture = await createMigrationFixture(kind);
    await fixture.migrate(PLAIN);
    const ours = String((await fixture.migrate(TITLED, { label: 'ours' })).name);
    const other = await fixture.withEmptyDatabase();
    const showOurs = await hideFolder(fixture, ours);
    await other.apply();
    const theirs = String((await other.migrate(TITLED, { label: 'theirs' })).name);
    await showOurs();

    const error = await rejectionOf(fixture.apply());
    expect(error.code).toBe('migration/duplicate');
    expect(error.message).toContain(`${theirs} makes changes that the database has already: Article.title.`);
    expect(error.hint).toContain(`Delete the folder of ${theirs}`);

    await rm(join(fixture.folder, theirs), { recursive: true });
    expect((await fixture.migrate(TITLED)).applied).toEqual([]);
  });

  it('reports a snapshot that was lost', async () => {
    const fixture = await createMigrationFixture(kind);
    const first = String((await fixture.migrate(PLAIN)).name);
    await fixture.migrate(TITLED);
    await rm(join(fixture.folder, first, 'schema.snapshot'));
    const error = await rejectionOf(fixture.migrate(TITLED));
    expect(error.code).toBe('migration/snapshot-missing');
    expect(error.hint).toContain(join(first, 'schema.snapshot'));
  });
});
