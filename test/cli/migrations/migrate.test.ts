import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Generate from '../../../src/commands/generate.js';
import Migrate from '../../../src/commands/migrate.js';
import MigrateDeploy from '../../../src/commands/migrate/deploy.js';
import MigrateDown from '../../../src/commands/migrate/down.js';
import MigrateDiff from '../../../src/commands/migrate/diff.js';
import MigrateStatus from '../../../src/commands/migrate/status.js';
import { answerAll } from '../support/answer-all.js';
import { checkOut, pull } from '../support/check-out.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, createSite, rowsOf, typeFile } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const TAG = 'src/api/tag/content-types/tag/schema.json';

/** Edits a schema file as somebody in an editor would. */
const edit = (
  site: TempProject,
  change: (schema: { attributes: Record<string, unknown>; info: Record<string, unknown> }) => void,
): void => {
  const schema = JSON.parse(site.read(TAG)) as {
    attributes: Record<string, unknown>;
    info: Record<string, unknown>;
  };
  change(schema);
  site.write({ [TAG]: schema });
};

const renameTitle = (site: TempProject): void =>
  edit(site, (schema) => {
    const { title, ...rest } = schema.attributes;
    schema.attributes = { label: title, ...rest };
  });

const status = (site: TempProject) => runCommand(MigrateStatus, ['--json'], { cwd: site.root });

describe('cms generate', () => {
  it('writes schema, types and client once, then nothing', async () => {
    const site = createSite();
    const { exitCode, json } = await runCommand(Generate, ['--json'], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(json()).toEqual({
      files: [
        'prisma/schema.prisma',
        'types/api.d.ts',
        'types/component.schema.json',
        'types/components.d.ts',
        'types/content-type.schema.json',
        'types/content-types.d.ts',
        'types/index.d.ts',
        'types/query.d.ts',
        'types/result.d.ts',
        'types/server.d.ts',
      ],
      client: true,
    });
    const before = fileTree(site.root);
    expect((await runCommand(Generate, ['--json'], { cwd: site.root })).json()).toEqual({
      files: [],
      client: false,
    });
    expect(fileTree(site.root)).toEqual(before);
    expect(existsSync(join(site.root, 'data.db'))).toBe(false);
  });

  it('exits with 1 under --check where a file would change, shows the diff and writes nothing', async () => {
    const site = createSite();
    await runCommand(Generate, [], { cwd: site.root });
    expect((await runCommand(Generate, ['--check'], { cwd: site.root })).exitCode).toBe(0);
    edit(site, (schema) => {
      schema.attributes['weight'] = { type: 'integer' };
    });
    const before = fileTree(site.root);
    const { exitCode, stdout, stderr } = await runCommand(Generate, ['--check'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('+++ b/prisma/schema.prisma');
    expect(stdout).toMatch(/^\+ +weight +Int\?$/m);
    expect(stderr).toContain('cms generate');
    expect(fileTree(site.root)).toEqual(before);
    expect((await runCommand(Generate, ['--dry-run'], { cwd: site.root })).exitCode).toBe(0);
  });

  it('lists every mistake with file, line and attribute, and writes nothing', async () => {
    const site = createSite();
    edit(site, (schema) => {
      schema.attributes['weight'] = { type: 'intger' };
    });
    const before = fileTree(site.root);
    const { exitCode, json } = await runCommand(Generate, ['--json'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(json<{ error: { code: string; message: string } }>().error).toMatchObject({
      code: 'project/invalid-schemas',
      message: expect.stringMatching(/tag\/schema\.json:\d+ weight.*intger/) as string,
    });
    expect(fileTree(site.root)).toEqual(before);
  });
});

describe('cms migrate', () => {
  it('makes and applies a migration of that name, and is done the second time', async () => {
    const site = createSite();
    const { exitCode, stdout } = await runCommand(Migrate, ['--name', 'The Model', '--yes'], {
      cwd: site.root,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d{14}_the_model\n$/);
    expect(existsSync(join(site.root, 'prisma/migrations', stdout.trim(), 'migration.sql'))).toBe(true);
    expect((await status(site)).exitCode).toBe(0);
    const again = await runCommand(Migrate, [], { cwd: site.root });
    expect({ exitCode: again.exitCode, stdout: again.stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(again.stderr).toContain('up to date');
  });

  it('shows files and SQL with --dry-run and changes nothing, not even a database file', async () => {
    const site = createSite();
    const before = fileTree(site.root);
    const { exitCode, stdout } = await runCommand(Migrate, ['--dry-run'], { cwd: site.root });
    expect(exitCode).toBe(0);
    for (const part of ['+++ b/prisma/schema.prisma', '-- SQL', 'CREATE TABLE "tags"'])
      expect(stdout).toContain(part);
    expect(fileTree(site.root)).toEqual(before);
    expect(existsSync(join(site.root, 'data.db'))).toBe(false);
  });

  it('refuses a loss with exit code 3 even with --yes, naming type, attribute and rows', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    edit(site, (schema) => {
      schema.attributes = { weight: { type: 'integer' } };
    });
    const before = fileTree(site.root);
    const { exitCode, stdout, stderr } = await runCommand(Migrate, ['--yes'], { cwd: site.root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('api::tag.tag title: the attribute is removed (1 value, such as "kept")');
    expect(fileTree(site.root)).toEqual(before);
    expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'kept' }]);
    expect((await runCommand(Migrate, ['--accept-data-loss'], { cwd: site.root })).exitCode).toBe(0);
    expect(rowsOf(site, 'SELECT * FROM tags')[0]).not.toHaveProperty('title');
  });

  it('drops what holds no value without a word', async () => {
    const site = await createMigratedSite();
    edit(site, (schema) => {
      schema.attributes = { weight: { type: 'integer' } };
    });
    expect((await runCommand(Migrate, [], { cwd: site.root })).exitCode).toBe(0);
  });

  it('names the rows in the way of a new constraint, which no flag overrides', async () => {
    const site = await createMigratedSite();
    for (const id of ['one', 'two']) insertVersion(site, 'tags', id, { title: 'same' });
    edit(site, (schema) => {
      schema.attributes = { title: { type: 'string', unique: true } };
    });
    for (const argv of [[], ['--accept-data-loss']]) {
      const { exitCode, stderr } = await runCommand(Migrate, argv, { cwd: site.root });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('it becomes unique, and shares a value (2 values)');
    }
    expect(rowsOf(site, 'SELECT title FROM tags')).toHaveLength(2);
  });

  it('names the flag for what looks like a rename, and keeps the data with it', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    renameTitle(site);
    const refused = await runCommand(Migrate, [], { cwd: site.root });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain('--rename tag.title=label');
    const wrong = await runCommand(Migrate, ['--rename', 'tag.titel=label'], { cwd: site.root });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain('Did you mean tag.title=label?');
    expect((await runCommand(Migrate, ['--rename', 'tag.title=label'], { cwd: site.root })).exitCode).toBe(0);
    expect(rowsOf(site, 'SELECT label FROM tags')).toEqual([{ label: 'kept' }]);
  });

  it('asks on a terminal whether it was a rename', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    renameTitle(site);
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, Migrate, []);
    await answerAll(terminal, [['Was tag.title renamed to label?', 'y\r']]);
    expect(await done).toBe(0);
    expect(rowsOf(site, 'SELECT label FROM tags')).toEqual([{ label: 'kept' }]);
  });

  it('keeps the documents of a type under a new name', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    rmSync(join(site.root, 'src/api/tag'), { recursive: true });
    site.write(typeFile('label'));
    const refused = await runCommand(Migrate, [], { cwd: site.root });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain('--rename tags=labels');
    expect((await runCommand(Migrate, ['--rename', 'tag=label'], { cwd: site.root })).exitCode).toBe(0);
    expect(rowsOf(site, 'SELECT title FROM labels')).toEqual([{ title: 'kept' }]);
    expect(rowsOf(site, 'SELECT document_id FROM labels_documents')).toEqual([{ document_id: 'one' }]);
  });

  it('imports the seed folder once, and grants what it says', async () => {
    const site = createSite({
      'seed/tag/red.yaml': 'title: red\n',
      'seed/article/soon.yaml': 'title: soon\n',
      'seed/permissions.yaml':
        'roles: { public: { name: Public, permissions: { api::tag.tag: { find: true } } } }',
    });
    const first = await runCommand(Migrate, ['--json'], { cwd: site.root });
    expect(first.json()).toMatchObject({ seeded: 2 });
    expect((await runCommand(Migrate, ['--json'], { cwd: site.root })).json()).toMatchObject({ seeded: 0 });
    expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'red' }]);
    expect(rowsOf(site, 'SELECT status FROM articles')).toEqual([{ status: 'draft' }]);
    expect(rowsOf(site, 'SELECT action FROM up_permissions')).toEqual([{ action: 'api::tag.tag.find' }]);
  });

  it('adds the locales and permissions of the project to a new database', async () => {
    const site = createSite({
      'locales.yaml': 'default: en\nlocales: { en: null, fr: null }\n',
      'permissions.yaml':
        'roles: { public: { name: Public, permissions: { api::tag.tag: { find: true } } } }',
      'seed/article/bientot.yaml': '$locale: fr\ntitle: bientôt\n',
    });
    const migrate = () => runCommand(Migrate, ['--json'], { cwd: site.root });
    expect((await migrate()).json()).toMatchObject({ seeded: 1 });
    expect(rowsOf(site, 'SELECT locale FROM articles')).toEqual([{ locale: 'fr' }]);
    expect(rowsOf(site, 'SELECT action FROM up_permissions')).toEqual([{ action: 'api::tag.tag.find' }]);
    site.write({ 'locales.yaml': 'default: en\nlocales: { en: null }\n' });
    await migrate();
    expect(rowsOf(site, 'SELECT code FROM cms_locales ORDER BY id')).toEqual([
      { code: 'en' },
      { code: 'fr' },
    ]);
  });

  it('has no use for an imported seed, whose content-types may be gone', async () => {
    const site = createSite({
      'seed/tag/red.yaml': 'title: red\n',
    });
    expect((await runCommand(Migrate, [], { cwd: site.root })).exitCode).toBe(0);
    rmSync(join(site.root, 'src/api/tag'), { recursive: true });
    const { exitCode, stderr } = await runCommand(Migrate, ['--accept-data-loss'], { cwd: site.root });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  it('says what is wrong with a seed', async () => {
    const site = createSite({
      'seed/permissions.yaml':
        'roles: { public: { name: Public, permissions: { api::tga.tga: { find: true } } } }',
      'seed/01.json': {},
    });
    const migrate = () => runCommand(Migrate, [], { cwd: site.root });
    const [json] = [await migrate(), rmSync(join(site.root, 'seed/01.json'))];
    expect(json).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('seed/01.json') as string });
    expect(await migrate()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('tga') as string });
  });
});

describe('cms migrate deploy, status and diff', () => {
  it('reports pending migrations with exit code 4, applies them, and then has nothing to do', async () => {
    const server = checkOut(await createMigratedSite());
    const behind = await status(server);
    expect(behind.exitCode).toBe(4);
    expect(behind.json()).toMatchObject({
      upToDate: false,
      applied: [],
      pending: [expect.stringMatching(/_start$/)],
      unmade: false,
    });
    const dryRunResult = await runCommand(MigrateDeploy, ['--dry-run'], { cwd: server.root });
    expect(dryRunResult.stdout).toContain('CREATE TABLE "tags"');
    expect((await status(server)).exitCode).toBe(4);
    const before = fileTree(server.root);
    const deployed = await runCommand(MigrateDeploy, [], { cwd: server.root });
    expect(deployed.exitCode).toBe(0);
    expect(deployed.stdout).toMatch(/^\d{14}_start\n$/);
    expect(fileTree(server.root)).toEqual(before);
    expect((await status(server)).json()).toMatchObject({ upToDate: true });
    expect((await runCommand(MigrateDeploy, ['--json'], { cwd: server.root })).json()).toEqual({
      applied: [],
    });
  });

  it('refuses a loss in production that the migration does not speak of, and names the flag', async () => {
    const site = await createMigratedSite();
    const server = checkOut(site);
    await runCommand(MigrateDeploy, [], { cwd: server.root });
    insertVersion(server, 'tags', 'one', { title: 'kept' });
    edit(site, (schema) => {
      schema.attributes = {};
    });
    await runCommand(Migrate, [], { cwd: site.root });
    pull(site, server);
    const { exitCode, stderr } = await runCommand(MigrateDeploy, ['--yes'], { cwd: server.root });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('--accept-data-loss');
    expect(rowsOf(server, 'SELECT title FROM tags')).toEqual([{ title: 'kept' }]);
    expect((await runCommand(MigrateDeploy, ['--accept-data-loss'], { cwd: server.root })).exitCode).toBe(0);
  });

  it('reports content-types that no migration creates, and prints the SQL that would', async () => {
    const site = await createMigratedSite();
    edit(site, (schema) => {
      schema.attributes['weight'] = { type: 'integer' };
    });
    const before = fileTree(site.root);
    expect((await status(site)).json()).toMatchObject({ upToDate: false, pending: [], unmade: true });
    const { exitCode, stdout } = await runCommand(MigrateDiff, [], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ADD COLUMN "weight" INTEGER');
    expect(fileTree(site.root)).toEqual(before);
  });

  it('reports a migration whose file has changed since', async () => {
    const site = await createMigratedSite();
    const [name] = Object.keys(fileTree(join(site.root, 'prisma/migrations'))).filter((path) =>
      path.endsWith('migration.sql'),
    );
    site.write({
      [`prisma/migrations/${name ?? ''}`]: `${site.read(`prisma/migrations/${name ?? ''}`)}\n-- touched\n`,
    });
    const { exitCode, json } = await status(site);
    expect(exitCode).toBe(4);
    expect(json()).toMatchObject({ edited: [expect.stringMatching(/_start$/)] });
  });
});

describe('cms migrate down', () => {
  it('says what to do with the schema files, which stay as they are', async () => {
    const site = await createMigratedSite();
    renameTitle(site);
    await runCommand(Migrate, ['--rename', 'tag.title=label'], { cwd: site.root });
    const before = site.read(TAG);
    const { exitCode, stderr } = await runCommand(MigrateDown, [], { cwd: site.root });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/schema files stay unchanged[^]*git restore[^]*cms migrate/) as string,
    });
    expect(site.read(TAG)).toBe(before);
  });
});
