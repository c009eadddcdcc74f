import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyMigrations } from '../../../../src/migrations/apply/apply-migrations.js';
import { migrationStatus } from '../../../../src/migrations/apply/migration-history.js';
import { NO_DECISIONS } from '../../../../src/migrations/content/content-decisions.js';
import { squashMigrations } from '../../../../src/migrations/undo/squash-migrations.js';
import { databases } from '../../../support/databases.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createContentHistory } from '../content-history.js';
import type { ContentHistory } from '../content-history.js';
import { rejectionOf } from '../migration-fixture.js';

const TITLE = { title: { type: 'string' } };
const schema = (attributes: object): ProjectLiteral => ({
  types: { article: { attributes: { ...TITLE, ...attributes } } },
});
const FIRST = schema({});
const SECOND = schema({ teaser: { type: 'string' } });
const THIRD = schema({ teaser: { type: 'string' }, rank: { type: 'integer' } });

const foldersOf = ({ folder }: ContentHistory): readonly string[] =>
  readdirSync(folder).filter((name) => name !== 'migration_lock.toml');

describe.each(databases)('squashing on $name', (kind) => {
  it('folds all migrations into one of the same effect, which counts as applied', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FIRST, { label: 'first' });
    await history.migrate(SECOND, { label: 'second' });
    const { name, squashed } = await squashMigrations(history);
    expect(squashed).toHaveLength(2);
    expect(foldersOf(history)).toEqual([name]);
    expect(await history.migrate(SECOND)).toMatchObject({ name: null, applied: [] });
    expect(await migrationStatus(history)).toMatchObject({ pending: [], missing: [], edited: [] });

    const fresh = await history.withEmptyDatabase();
    expect((await applyMigrations(fresh)).applied).toEqual([name]);
    await (await fresh.open(SECOND)).create('article', { title: 'A', teaser: 'of A' });
    const third = String((await fresh.migrate(THIRD, { label: 'third' })).name);
    expect((await applyMigrations(history)).applied).toEqual([third]);

    const again = await squashMigrations(fresh);
    for (const each of [history, fresh])
      expect(await migrationStatus(each)).toMatchObject({ pending: [], missing: [] });
    const last = await history.withEmptyDatabase();
    expect((await applyMigrations(last)).applied).toEqual([again.name]);
    expect(await last.migrate(THIRD)).toMatchObject({ name: null, applied: [] });
  });

  it('leaves conversions in TypeScript out, unless SQL written by hand needs them', async () => {
    const history = await createContentHistory(kind);
    const decisions = {
      ...NO_DECISIONS,
      convert: { 'api::article.article.rank': 'ts:value.length' },
    };
    await history.migrate(schema({ rank: { type: 'string' } }));
    await history.migrate(schema({ rank: { type: 'integer' } }), { decisions });
    await squashMigrations(history);
    const fresh = await history.withEmptyDatabase();
    expect((await applyMigrations(fresh)).applied).toHaveLength(1);

    const decidedAgain = { ...decisions, convert: { 'api::article.article.rank': 'ts:String(value)' } };
    await history.migrate(schema({ rank: { type: 'string' } }), { decisions: decidedAgain });
    await mkdir(join(history.folder, '29990101000000_hand'));
    await writeFile(
      join(history.folder, '29990101000000_hand', 'migration.sql'),
      'CREATE TABLE "extra" ("id" INT);\n',
    );
    await applyMigrations(history);
    const error = await rejectionOf(squashMigrations(history));
    expect(error.code).toBe('migration/not-squashable');
    expect(error.message).toContain('converts values in TypeScript');
  });

  it('keeps SQL that was written by hand', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FIRST);
    await mkdir(join(history.folder, '29990101000000_hand'));
    await writeFile(
      join(history.folder, '29990101000000_hand', 'migration.sql'),
      'CREATE TABLE "extra" ("id" INT);\n',
    );
    await history.migrate(FIRST);
    await squashMigrations(history);
    const fresh = await history.withEmptyDatabase();
    await applyMigrations(fresh);
    expect(await fresh.rows('SELECT * FROM "extra"')).toEqual([]);
    expect(await fresh.migrate(FIRST)).toMatchObject({ name: null });
  });

  it('refuses a database that has applied only some, and names what it lacks', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FIRST, { label: 'first' });
    const partly = await history.withEmptyDatabase();
    await applyMigrations(partly);
    const second = String((await history.migrate(SECOND, { label: 'second' })).name);
    expect((await rejectionOf(squashMigrations(partly))).message).toContain(`yet to apply ${second}`);
    await squashMigrations(history);
    const error = await rejectionOf(applyMigrations(partly));
    expect(error.code).toBe('migration/partly-squashed');
    expect(error.message).toContain(second);
  });

  it('ends where it was interrupted between writing the one and deleting the others', async () => {
    const history = await createContentHistory(kind);
    const first = String((await history.migrate(FIRST, { label: 'first' })).name);
    await history.migrate(SECOND, { label: 'second' });
    const { name } = await squashMigrations(history);
    await mkdir(join(history.folder, first));
    await writeFile(join(history.folder, first, 'migration.sql'), 'SELECT 1;');
    const fresh = await history.withEmptyDatabase();
    expect((await applyMigrations(fresh)).applied).toEqual([name]);
    await rm(join(history.folder, first), { recursive: true });
  });
});
