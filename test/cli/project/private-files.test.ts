import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Backup from '../../../src/commands/backup.js';
import Doctor from '../../../src/commands/doctor.js';
import Export from '../../../src/commands/export.js';
import Import from '../../../src/commands/import.js';
import Migrate from '../../../src/commands/migrate.js';
import MigrateReset from '../../../src/commands/migrate/reset.js';
import New from '../../../src/commands/new.js';
import Restore from '../../../src/commands/restore.js';
import { createMigratedSite, createSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { createTempFolder } from '../support/temp-project.js';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** The permission bits of files in a folder, by name. */
const modesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

const git = (cwd: string, ...argv: readonly string[]): string =>
  execFileSync('git', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

describe('files that hold content or secrets', () => {
  it('can be read by their owner only: the database, its copies, backups and exports', async () => {
    const site = createSite();
    const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
      runCommand(command, [...argv, '--yes'], { cwd: site.root });
    expect(await run(Migrate)).toMatchObject({ exitCode: 0 });
    expect(await run(MigrateReset)).toMatchObject({ exitCode: 0 });
    for (const argv of [[], ['--no-compress', 'kept/plain.tar'], ['--key', 'secret', 'kept/locked.enc']])
      expect(await run(Backup, ...argv)).toMatchObject({ exitCode: 0 });
    for (const argv of [['kept/out.tar.gz'], ['kept/strapi.tar.gz', '--format', 'strapi']])
      expect(await run(Export, ...argv)).toMatchObject({ exitCode: 0 });
    writeFileSync(join(site.root, 'kept/rows.csv'), 'title\na,b\n');
    await run(Import, 'kept/rows.csv', '--type', 'tag', '--rejected', 'kept/rejected.csv');
    rmSync(join(site.root, 'data.db'));
    expect(await run(Restore, 'kept/plain.tar', '--no-keep-present')).toMatchObject({ exitCode: 0 });
    const written = {
      ...modesIn(join(site.root, 'backups')),
      ...modesIn(join(site.root, 'kept')),
      ...Object.fromEntries(Object.entries(modesIn(site.root)).filter(([name]) => name.includes('.db'))),
    };
    const { 'rows.csv': _given, ...made } = written;
    expect(Object.keys(made).toSorted()).toEqual([
      expect.stringMatching(/^backup_/) as string,
      'data.before-reset.db',
      'data.db',
      'locked.enc',
      'out.tar.gz',
      'plain.tar',
      'rejected.csv',
      'strapi.tar.gz',
    ]);
    expect(Object.entries(made).filter(([, mode]) => mode !== '600')).toEqual([]);
  });

  it('are found by cms doctor where older releases have made them for everybody', async () => {
    const site = await createMigratedSite();
    chmodSync(join(site.root, '.env'), 0o600);
    const files = ['data.db', 'data.before-x.db', 'backups/backup_20260101000000.tar.gz'];
    mkdirSync(join(site.root, 'backups'));
    for (const file of files.slice(1)) writeFileSync(join(site.root, file), '');
    for (const file of files) chmodSync(join(site.root, file), 0o644);
    const remedies = async () =>
      (await runCommand(Doctor, ['--json'], { cwd: site.root }))
        .json<{ findings: { check: string; status: string; remedy?: string }[] }>()
        .findings.filter(({ check, status }) => check === 'secrets' && status !== 'ok')
        .map(({ remedy }) => remedy);
    expect(await remedies()).toEqual([`Run: chmod 600 ${files.join(' ')}`]);
    for (const file of files) chmodSync(join(site.root, file), 0o600);
    expect(await remedies()).toEqual([]);
  });
});

describe('archives in a project that git knows', () => {
  it('are ignored by what every template has', async () => {
    const cwd = createTempFolder();
    await runCommand(New, ['site', '--template', 'blank', '--yes', '--no-install', '--no-git'], { cwd });
    const root = join(cwd, 'site');
    git(root, 'init', '--quiet');
    const files = [
      'backups/backup_20260101000000.tar.gz',
      'export_20260101000000.tar.gz.enc',
      'before-restore_20260101000000.tar',
      'data.before-20260101_tags.db',
      'data.before-20260101_tags.db-incomplete',
      'authors.rejected.csv',
    ];
    mkdirSync(join(root, 'backups'), { recursive: true });
    for (const file of files) writeFileSync(join(root, file), '');
    const seen = git(root, 'ls-files', '--others', '--exclude-standard').split('\n');
    expect(files.filter((file) => seen.includes(file))).toEqual([]);
    expect(seen).toContain('package.json');
  });

  it('are warned of where git would add them', async () => {
    const site = await createMigratedSite();
    const backUp = (...argv: readonly string[]) => runCommand(Backup, [...argv], { cwd: site.root });
    expect((await backUp()).stderr).not.toContain('git add');
    git(site.root, 'init', '--quiet');
    const warned = await backUp();
    expect(warned).toMatchObject({ exitCode: 0 });
    expect(warned.stderr).toContain('Add this line to .gitignore and .dockerignore: /backups/');
    const exported = await runCommand(Export, ['site.tar.gz'], { cwd: site.root });
    expect(exported.stderr).toContain('and .dockerignore: /site.tar.gz');
    site.write({ '.gitignore': '/backups/\n' });
    expect((await backUp()).stderr).not.toContain('git add');
    expect(existsSync(join(site.root, '.git'))).toBe(true);
  });
});
