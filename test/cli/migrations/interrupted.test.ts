import { copyFileSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import ComponentRename from '../../../src/commands/component/rename.js';
import FieldRename from '../../../src/commands/field/rename.js';
import Migrate from '../../../src/commands/migrate.js';
import TypeRename from '../../../src/commands/type/rename.js';
import { createSite, rowsOf, typeFile } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const TAG = 'src/api/tag/content-types/tag/schema.json';

const schemaOf = (attributes: object): Readonly<Record<string, unknown>> => ({
  kind: 'collectionType',
  collectionName: 'tags',
  info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
  attributes,
});

const TEXT = { type: 'string' };

interface Case {
  readonly name: string;
  readonly after: object;
  readonly flags: readonly string[];
  /** A row that was there before. */
  readonly row: object;
}

const CASES: readonly Case[] = [
  {
    name: '--rename',
    after: { label: TEXT, colour: TEXT },
    flags: ['--rename', 'tag.title=label'],
    row: { label: 'sea', colour: 'blue' },
  },
  {
    name: 'two of --rename that swap names',
    after: { colour: TEXT, title: TEXT },
    flags: ['--rename', 'tag.title=colour', '--rename', 'tag.colour=title'],
    row: { title: 'blue', colour: 'sea' },
  },
  {
    name: '--set and --rename',
    after: { label: TEXT, colour: TEXT, source: { type: 'string', required: true } },
    flags: ['--set', 'tag.source=unknown', '--rename', 'tag.title=label'],
    row: { label: 'sea', colour: 'blue', source: 'unknown' },
  },
  {
    name: '--use-default',
    after: { title: TEXT, colour: TEXT, size: { type: 'integer', required: true, default: 7 } },
    flags: ['--use-default', 'tag.size'],
    row: { title: 'sea', size: 7 },
  },
  {
    name: '--map',
    after: { title: TEXT, colour: { type: 'enumeration', enum: ['azure', 'red'] } },
    flags: ['--map', 'tag.colour:blue=azure'],
    row: { title: 'sea', colour: 'azure' },
  },
  {
    name: '--convert',
    after: { title: { type: 'integer' }, colour: TEXT },
    flags: ['--convert', 'tag.title=length(value)'],
    row: { title: 3, colour: 'blue' },
  },
  {
    name: '--accept-data-loss',
    after: { title: TEXT },
    flags: ['--accept-data-loss', '--name', 'drop the colour'],
    row: { title: 'sea' },
  },
];

const migrate = (site: TempProject, ...flags: readonly string[]) =>
  runCommand(Migrate, flags, { cwd: site.root });

describe('cms migrate that was killed once its migration was written', () => {
  it.each(CASES)('ends the work where it runs again unchanged: $name', async ({ after, flags, row }) => {
    const site = createSite({ ...typeFile('tag'), [TAG]: schemaOf({ title: TEXT, colour: TEXT }) });
    expect(await migrate(site)).toMatchObject({ exitCode: 0 });
    insertVersion(site, 'tags', 'sea', { title: 'sea', colour: 'blue' });
    const database = join(site.root, 'data.db');
    copyFileSync(database, `${database}.former`);
    site.write({ [TAG]: schemaOf(after) });
    expect(await migrate(site, ...flags)).toMatchObject({ exitCode: 0 });
    // The migration's files stay, and the transaction that applies it is taken back.
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
    copyFileSync(`${database}.former`, database);
    const again = await migrate(site, ...flags);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(rowsOf(site, 'SELECT * FROM tags')).toMatchObject([row]);
    // It may as well have been killed before the generated files were written.
    const third = await migrate(site, ...flags, '--json');
    expect(third.json()).toMatchObject({ migration: null, applied: [] });
  });

  it('still refuses what the last migration does not hold', async () => {
    const site = createSite({ ...typeFile('tag'), [TAG]: schemaOf({ title: TEXT, colour: TEXT }) });
    await migrate(site);
    site.write({ [TAG]: schemaOf({ label: TEXT, colour: TEXT }) });
    await migrate(site, '--rename', 'tag.title=label');
    expect(await migrate(site, '--rename', 'tag.titel=label')).toMatchObject({ exitCode: 1 });
    expect(await migrate(site, '--rename', 'tag.colour=label')).toMatchObject({ exitCode: 2 });
  });
});

const SEO = 'src/components/shared/seo.json';

type Command = Parameters<typeof runCommand>[0];

describe.each<[string, Command, readonly string[], string, object]>([
  ['field', FieldRename, ['tag', 'title', 'label'], 'SELECT * FROM tags', { label: 'sea' }],
  ['type', TypeRename, ['tag', 'label'], 'SELECT * FROM labels', { title: 'sea' }],
  ['type', TypeRename, ['api::tag.tag', 'Blue Label'], 'SELECT * FROM blue_labels', { title: 'sea' }],
  ['component', ComponentRename, ['shared.seo', 'page.meta'], 'SELECT * FROM tags', { title: 'sea' }],
  ['component', ComponentRename, ['seo', 'page.meta'], 'SELECT * FROM tags', { title: 'sea' }],
  ['field', FieldRename, ['seo', 'text', 'words'], 'SELECT seo FROM tags', { seo: '{"words":"deep"}' }],
])('cms %s rename that was killed', (_kind, command, argv, query, row) => {
  const createKilled = async () => {
    const site = createSite({
      [SEO]: {
        collectionName: 'components_shared_seos',
        info: { displayName: 'Seo' },
        attributes: { text: TEXT },
      },
      ...typeFile('tag'),
      [TAG]: schemaOf({ title: TEXT, seo: { type: 'component', component: 'shared.seo' } }),
    });
    expect(await migrate(site)).toMatchObject({ exitCode: 0 });
    insertVersion(site, 'tags', 'sea', { title: 'sea', seo: '{"text":"deep"}' });
    const database = join(site.root, 'data.db');
    const migrations = join(site.root, 'prisma', 'migrations');
    copyFileSync(database, `${database}.former`);
    cpSync(migrations, `${migrations}.former`, { recursive: true });
    const run = (...flags: readonly string[]) => runCommand(command, [...argv, ...flags], { cwd: site.root });
    expect(await run()).toMatchObject({ exitCode: 0 });
    return {
      site,
      run,
      restoreDatabase: () => {
        for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
        copyFileSync(`${database}.former`, database);
      },
      restoreMigrations: () => {
        rmSync(migrations, { recursive: true });
        cpSync(`${migrations}.former`, migrations, { recursive: true });
      },
    };
  };

  it('ends the work once the schema files were written', async () => {
    const { site, run, restoreDatabase, restoreMigrations } = await createKilled();
    restoreDatabase();
    restoreMigrations();
    const again = await run('--json');
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(again.json()).toMatchObject({ files: [], applied: [expect.any(String)] });
    expect(rowsOf(site, query)).toMatchObject([row]);
  });

  it('ends the work once the migration was written, and once it was applied', async () => {
    const { site, run, restoreDatabase } = await createKilled();
    restoreDatabase();
    const again = await run();
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(again.stderr).toContain('The schema files have the new name already.');
    expect(rowsOf(site, query)).toMatchObject([row]);
    const third = await run('--json');
    expect(third.json()).toMatchObject({ migration: null, applied: [] });
  });
});
