import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Doctor from '../../../src/commands/doctor.js';
import Generate from '../../../src/commands/generate.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import LocaleRemove from '../../../src/commands/locale/remove.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import PermissionsUnset from '../../../src/commands/permissions/unset.js';
import Routes from '../../../src/commands/routes.js';
import TokenCreate from '../../../src/commands/token/create.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, createSite, typeFile } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { createTempFolder } from '../support/temp-project.js';

interface Report {
  readonly sound: boolean;
  readonly findings: readonly {
    readonly check: string;
    readonly status: string;
    readonly message: string;
    readonly remedy?: string;
  }[];
}

const examine = async (root: string, ...argv: string[]) => {
  const result = await runCommand(Doctor, ['--json', ...argv], { cwd: root });
  const report = result.json<Report>();
  const bad = report.findings
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, remedy }) => ({ check, status, remedy }));
  return { exitCode: result.exitCode, sound: report.sound, bad };
};

describe('cms doctor', () => {
  it('finds nothing in a project that is well, and changes nothing', async () => {
    const site = await createMigratedSite();
    chmodSync(join(site.root, '.env'), 0o600);
    await runCommand(Generate, [], { cwd: site.root });
    const before = fileTree(site.root);
    expect(await examine(site.root)).toEqual({ exitCode: 0, sound: true, bad: [] });
    const { stdout } = await runCommand(Doctor, [], { cwd: site.root });
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .every((line) => line.startsWith('✔')),
    ).toBe(true);
    expect(fileTree(site.root)).toEqual(before);
  });

  it('warns of limits of permissions that name what is gone', async () => {
    const site = await createMigratedSite();
    const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
      runCommand(command, argv, { cwd: site.root });
    await run(LocaleAdd, 'de');
    await run(PermissionsSet, 'authenticated', 'article', 'update', '--locale', 'de', '--status', 'draft');
    const limits = async () => (await examine(site.root)).bad.filter(({ check }) => check === 'permissions');
    expect(await limits()).toEqual([]);
    await run(LocaleRemove, 'de', '--accept-data-loss', '--yes');
    expect(await limits()).toEqual([
      {
        check: 'permissions',
        status: 'warning',
        remedy: 'Set it again: cms permissions set authenticated api::article.article update --keep',
      },
    ]);
  });

  it('warns where anybody reads drafts', async () => {
    const site = await createMigratedSite();
    const draftsOf = async () =>
      (await examine(site.root, '--production')).bad.filter(({ check }) => check === 'drafts');
    await runCommand(PermissionsSet, ['public', 'article', 'find', 'findOne'], { cwd: site.root });
    expect(await draftsOf()).toEqual([]);
    await runCommand(PermissionsSet, ['public', 'article', 'find', 'findDrafts'], { cwd: site.root });
    expect(await draftsOf()).toMatchObject([
      { remedy: 'Run: cms permissions unset public api::article.article findDrafts' },
    ]);
    await runCommand(PermissionsSet, ['public', 'article', '*'], { cwd: site.root });
    expect(await draftsOf()).toEqual([]);
    // A module of another name, since those that were loaded are kept.
    rmSync(join(site.root, 'cms.config.js'));
    writeFileSync(
      join(site.root, 'cms.config.mjs'),
      'export default { api: { findIncludesDrafts: true } };\n',
    );
    expect(await draftsOf()).toHaveLength(2);
  });

  it('warns of open sign-up, of missing permissions and of private files in git, in production', async () => {
    const site = await createMigratedSite();
    const found = async (check: string) =>
      (await examine(site.root, '--production')).bad
        .filter((finding) => finding.check === check)
        .map(({ remedy }) => remedy);
    const register = ['public', 'plugin::users-permissions.auth', 'register'];
    await runCommand(PermissionsSet, register, { cwd: site.root });
    const closeSignUp = 'Run: cms permissions unset public plugin::users-permissions.auth register';
    expect(await found('accounts')).toEqual([closeSignUp]);
    expect((await examine(site.root)).bad.some(({ check }) => check === 'accounts')).toBe(false);
    await runCommand(PermissionsUnset, register, { cwd: site.root });
    expect(await found('accounts')).toEqual([]);

    expect(await found('permissions')).toHaveLength(1);
    await runCommand(TokenCreate, ['--name', 'ci', '--type', 'read-only'], { cwd: site.root });
    expect(await found('permissions')).toEqual([]);

    expect(await found('repository')).toEqual([]);
    const backup = 'backup_20261130101500.tar.gz';
    site.write({ [`backups/${backup}`]: '' });
    const git = (...argv: readonly string[]) => execFileSync('git', argv, { cwd: site.root });
    git('init', '--quiet');
    git('add', '--force', '.env', 'backups');
    expect(await found('repository')).toEqual([
      expect.stringContaining('git rm --cached .env'),
      expect.stringContaining(`git rm --cached backups/${backup}`),
    ]);
  });

  it('says for each thing that is wrong what to run', async () => {
    const site = createSite();
    rmSync(join(site.root, 'public'), { recursive: true });
    chmodSync(join(site.root, '.env'), 0o644);
    const { exitCode, sound, bad } = await examine(site.root);
    expect({ exitCode, sound }).toEqual({ exitCode: 1, sound: false });
    expect(bad).toEqual(
      expect.arrayContaining([
        { check: 'secrets', status: 'warning', remedy: 'Run: chmod 600 .env' },
        { check: 'uploads', status: 'error', remedy: 'Run: mkdir -p public/uploads' },
        { check: 'database', status: 'error', remedy: 'Run: cms migrate' },
        { check: 'generated', status: 'error', remedy: 'Run: cms generate' },
      ]),
    );
  });

  it('takes missing secrets for a warning while developing, and for an error in production', async () => {
    const site = await createMigratedSite();
    rmSync(join(site.root, '.env'));
    const secrets = (bad: Awaited<ReturnType<typeof examine>>['bad']) =>
      bad.filter(({ check }) => check === 'secrets').map(({ status }) => status);
    expect(secrets((await examine(site.root)).bad)).toEqual(['warning', 'warning']);
    expect(secrets((await examine(site.root, '--production')).bad)).toEqual(['error', 'error']);
  });

  it('goes on where one thing is broken', async () => {
    const site = createSite();
    site.write({ 'src/api/tag/content-types/tag/schema.json': '{' });
    const { bad } = await examine(site.root);
    expect(bad.map(({ check }) => check)).toEqual(expect.arrayContaining(['content-types']));
    const other = createSite({ 'cms.config.js': 'export default { server: { prot: 1 } };\n' });
    expect((await examine(other.root)).bad).toMatchObject([{ check: 'config', status: 'error' }]);
  });

  it('needs a project', async () => {
    const { exitCode, stderr } = await runCommand(Doctor, [], { cwd: createTempFolder() });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cms new');
  });
});

describe('cms routes', () => {
  it('lists every route with its action and who may call it', async () => {
    const site = await createMigratedSite();
    await runCommand(PermissionsSet, ['public', 'tag', 'find'], { cwd: site.root });
    await runCommand(TokenCreate, ['--name', 'reader', '--type', 'read-only'], { cwd: site.root });
    await runCommand(TokenCreate, ['--name', 'all', '--type', 'full-access'], { cwd: site.root });
    const { exitCode, json } = await runCommand(Routes, ['--json'], { cwd: site.root });
    expect(exitCode).toBe(0);
    const routes = json<{ method: string; path: string }[]>();
    const ofServer = { source: null, policies: [], middlewares: [] };
    expect(routes).toEqual(
      expect.arrayContaining([
        {
          ...ofServer,
          method: 'GET',
          path: '/api/tags',
          action: 'api::tag.tag.find',
          roles: ['public'],
          tokens: ['all', 'reader'],
        },
        {
          ...ofServer,
          method: 'POST',
          path: '/api/tags',
          action: 'api::tag.tag.create',
          roles: [],
          tokens: ['all'],
        },
        {
          ...ofServer,
          method: 'PUT',
          path: '/api/home-page',
          action: 'api::home-page.home-page.update',
          roles: [],
          tokens: ['all'],
        },
      ]),
    );
    expect(routes.filter(({ path }) => path === '/api/home-page').map(({ method }) => method)).toEqual([
      'GET',
      'PUT',
      'DELETE',
    ]);
    expect((await runCommand(Routes, [], { cwd: site.root })).stdout).toMatch(
      /GET +\/api\/tags +api::tag\.tag\.find +public +all reader/,
    );
  });

  it('lists the routes of a project without a database, and says what it does not know', async () => {
    const site = createSite(typeFile('note'));
    const { exitCode, stdout, stderr } = await runCommand(Routes, [], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('/api/notes');
    expect(stderr).toContain('cms migrate');
  });
});
