import { describe, expect, it } from 'vitest';
import PermissionsList from '../../../src/commands/permissions/list.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import PermissionsUnset from '../../../src/commands/permissions/unset.js';
import RoleList from '../../../src/commands/role/list.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { createMigratedSite, createSite, rowsOf } from '../support/migrated-project.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const set = (site: TempProject, ...argv: readonly string[]) =>
  runCommand(PermissionsSet, argv, { cwd: site.root });
const unset = (site: TempProject, ...argv: readonly string[]) =>
  runCommand(PermissionsUnset, argv, { cwd: site.root });

/** Full actions of the public role, straight from its rows. */
const publicActions = (site: TempProject): readonly unknown[] =>
  rowsOf(
    site,
    `SELECT p.action FROM up_permissions p
     JOIN up_roles r ON r.document_id = p.role_document_id
     WHERE r.type = 'public' ORDER BY p.action`,
  ).map(({ action }) => action);

describe('cms permissions set', () => {
  it('states the whole list of a role and a type', async () => {
    const site = await createMigratedSite();
    const first = await set(site, 'public', 'api::tag.tag', 'find', 'findOne');
    expect({ exitCode: first.exitCode, stdout: first.stdout }).toEqual({
      exitCode: 0,
      stdout: '+ api::tag.tag.find\n+ api::tag.tag.findOne\n',
    });
    expect(first.stderr).toContain('Project site, database file:');
    expect(first.stderr).toContain('public: 2 actions granted');
    await set(site, 'public', 'article', 'find');
    const second = await set(site, 'Public', 'tag', 'find', 'create', '--json');
    expect(second.json()).toEqual({
      role: 'public',
      added: ['api::tag.tag.create'],
      removed: ['api::tag.tag.findOne'],
      permissions: { 'api::tag.tag': ['create', 'find'] },
    });
    expect(second.stderr).toContain('public: 1 action granted, 1 action revoked');
    expect(publicActions(site)).toEqual([
      'api::article.article.find',
      'api::tag.tag.create',
      'api::tag.tag.find',
    ]);
  });

  it('changes nothing the second time', async () => {
    const site = await createMigratedSite();
    await set(site, 'public', 'tag', 'find');
    const before = rowsOf(site, 'SELECT * FROM up_permissions');
    const again = await set(site, 'public', 'tag', 'find');
    expect({ exitCode: again.exitCode, stdout: again.stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(again.stderr).toContain('public: no changes');
    expect(rowsOf(site, 'SELECT * FROM up_permissions')).toEqual(before);
  });

  it('takes * for all, and the controllers of plugins by uid or last name', async () => {
    const site = await createMigratedSite();
    await set(site, 'public', 'home-page', '*');
    await set(site, 'public', 'plugin::users-permissions.auth', 'callback', 'register');
    await set(site, 'public', 'content-api', 'upload');
    expect(publicActions(site)).toEqual([
      'api::home-page.home-page.delete',
      'api::home-page.home-page.find',
      'api::home-page.home-page.update',
      'plugin::upload.content-api.upload',
      'plugin::users-permissions.auth.callback',
      'plugin::users-permissions.auth.register',
    ]);
  });

  it('changes nothing with --dry-run', async () => {
    const site = await createMigratedSite();
    await set(site, 'public', 'tag', 'find');
    const { json, exitCode } = await set(site, 'public', 'tag', 'create', '--dry-run', '--json');
    expect({ json: json(), exitCode }).toEqual({
      exitCode: 0,
      json: {
        role: 'public',
        added: ['api::tag.tag.create'],
        removed: ['api::tag.tag.find'],
        permissions: { 'api::tag.tag': ['create'] },
        dryRun: true,
      },
    });
    expect(publicActions(site)).toEqual(['api::tag.tag.find']);
  });

  it.each([
    [[], 2, '<role>'],
    [['public'], 2, '<type>'],
    [['public', 'tag'], 2, 'cms permissions unset'],
    [['pubilc', 'tag', 'find'], 1, 'Did you mean public?'],
    [['public', 'tga', 'find'], 1, 'Did you mean tag?'],
    [['public', 'api::tga.tag', 'find'], 1, 'Did you mean api::tag.tag?'],
    [
      ['public', 'plugin::users-permissions.auht', 'callback'],
      1,
      'Did you mean plugin::users-permissions.auth?',
    ],
    [['public', 'tag', 'find', 'fidnOne'], 1, 'Did you mean findOne?'],
    [['public', 'home-page', 'create'], 1, 'create'],
  ])('refuses %j with %i, says why and changes nothing', async (argv, exitCode, words) => {
    const site = await createMigratedSite();
    await set(site, 'public', 'tag', 'find');
    const result = await set(site, ...argv);
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' });
    expect(result.stderr).toContain(words);
    expect(publicActions(site)).toEqual(['api::tag.tag.find']);
  });

  it('names cms migrate where the database is not there yet', async () => {
    const { exitCode, stderr } = await set(createSite(), 'public', 'tag', 'find');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('cms migrate');
  });

  it('is a grid to tick on a terminal', async () => {
    const site = await createMigratedSite();
    await set(site, 'public', 'article', 'find');
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, PermissionsSet, []);
    await terminal.waitForText('Whose permissions?');
    terminal.type('\u001B[B\r');
    await terminal.waitForText('What may public do?');
    await terminal.waitForText('›[x] find');
    // Article: find goes, findOne comes; the home page below: all of it.
    terminal.type(' \u001B[C \u001B[Ba');
    await terminal.waitForText('›[x] update');
    terminal.type('\r');
    await terminal.waitForText('Review');
    terminal.type('\r');
    expect(await done).toBe(0);
    expect(
      terminal
        .out()
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual([
      '- api::article.article.find',
      '+ api::article.article.findOne',
      '+ api::home-page.home-page.delete',
      '+ api::home-page.home-page.find',
      '+ api::home-page.home-page.findDeleted',
      '+ api::home-page.home-page.purgeDeleted',
      '+ api::home-page.home-page.restoreDeleted',
      '+ api::home-page.home-page.update',
    ]);
    expect(publicActions(site)).toEqual([
      'api::article.article.findOne',
      'api::home-page.home-page.delete',
      'api::home-page.home-page.find',
      'api::home-page.home-page.findDeleted',
      'api::home-page.home-page.purgeDeleted',
      'api::home-page.home-page.restoreDeleted',
      'api::home-page.home-page.update',
    ]);
  });

  it('shows the grid of one type where no actions are given; Ctrl-C changes nothing', async () => {
    const site = await createMigratedSite();
    await set(site, 'public', 'tag', 'find');
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, PermissionsSet, ['public', 'tag']);
    await terminal.waitForText('›[x] find');
    expect(terminal.err()).toContain('api::tag.tag.find');
    expect(terminal.err()).not.toContain('article');
    terminal.type(' \u0003');
    expect(await done).toBe(130);
    expect(publicActions(site)).toEqual(['api::tag.tag.find']);
  });
});

describe('cms permissions unset', () => {
  it('withdraws what is named, or all of a type', async () => {
    const site = await createMigratedSite();
    await set(site, 'public', 'tag', 'find', 'findOne', 'create');
    await set(site, 'public', 'article', 'find');
    const some = await unset(site, 'public', 'tag', 'create', '--json');
    expect(some.json()).toEqual({
      role: 'public',
      added: [],
      removed: ['api::tag.tag.create'],
      permissions: { 'api::tag.tag': ['find', 'findOne'] },
    });
    expect((await unset(site, 'public', 'tag', '--dry-run')).stdout).toBe(
      '- api::tag.tag.find\n- api::tag.tag.findOne\n',
    );
    expect(publicActions(site)).toEqual([
      'api::article.article.find',
      'api::tag.tag.find',
      'api::tag.tag.findOne',
    ]);
    const rest = await unset(site, 'public', 'tag');
    expect(rest.stderr).toContain('public: 2 actions revoked');
    expect(publicActions(site)).toEqual(['api::article.article.find']);
    expect((await unset(site, 'public', 'tag')).exitCode).toBe(0);
  });

  it.each([
    [['public'], 2, '<type>'],
    [['public', 'tag', 'finde'], 1, 'Did you mean find?'],
    [['nobody', 'tag'], 1, 'authenticated, public'],
  ])('refuses %j', async (argv, exitCode, words) => {
    const site = await createMigratedSite();
    await set(site, 'public', 'tag', 'find');
    const result = await unset(site, ...argv);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(words);
    expect(publicActions(site)).toEqual(['api::tag.tag.find']);
  });
});

describe('a new database', () => {
  it('lets people sign in and up without a command, as Strapi does', async () => {
    const site = await createMigratedSite();
    site.write({ 'cms.config.js': 'export default {};\n' });
    const list = async () => (await runCommand(PermissionsList, ['--json'], { cwd: site.root })).json();
    const auth = 'plugin::users-permissions.auth';
    expect(await list()).toEqual([
      {
        role: 'authenticated',
        name: 'Authenticated',
        permissions: { [auth]: ['changePassword', 'logout'], 'plugin::users-permissions.user': ['me'] },
      },
      {
        role: 'public',
        name: 'Public',
        permissions: {
          [auth]: [
            'callback',
            'connect',
            'emailConfirmation',
            'forgotPassword',
            'refresh',
            'register',
            'resetPassword',
            'sendEmailConfirmation',
          ],
        },
      },
    ]);
    await unset(site, 'public', auth);
    expect(publicActions(site)).toEqual([]);
    await list();
    expect(publicActions(site)).toEqual([]);
  });

  it('keeps its original grants, for any later configuration', async () => {
    const site = await createMigratedSite();
    await set(site, 'public', 'tag', 'find');
    site.write({ 'cms.config.js': 'export default {};\n' });
    await runCommand(PermissionsList, [], { cwd: site.root });
    expect(publicActions(site)).toEqual(['api::tag.tag.find']);
  });
});

describe('cms permissions list and role list', () => {
  it('list who may do what', async () => {
    const site = await createMigratedSite();
    const empty = await runCommand(PermissionsList, [], { cwd: site.root });
    expect({ stdout: empty.stdout, exitCode: empty.exitCode }).toEqual({ stdout: '', exitCode: 0 });
    await set(site, 'public', 'tag', 'find', 'findOne');
    await set(site, 'authenticated', 'plugin::users-permissions.user', 'me');
    const { stdout } = await runCommand(PermissionsList, [], { cwd: site.root });
    expect(
      stdout
        .split('\n')
        .slice(1, 3)
        .map((line) => line.replaceAll(/ +/g, ' ')),
    ).toEqual(['authenticated plugin::users-permissions.user me', 'public api::tag.tag find findOne']);
    const { json } = await runCommand(PermissionsList, ['--role', 'public', '--json'], { cwd: site.root });
    expect(json()).toEqual([
      { role: 'public', name: 'Public', permissions: { 'api::tag.tag': ['find', 'findOne'] } },
    ]);
    const unknown = await runCommand(PermissionsList, ['--role', 'publik'], { cwd: site.root });
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('Did you mean public?');
    const roles = await runCommand(RoleList, ['--json'], { cwd: site.root });
    expect(roles.json()).toEqual([
      {
        id: 1,
        documentId: expect.any(String),
        name: 'Authenticated',
        description: 'Default role given to authenticated user.',
        type: 'authenticated',
        actionCount: 1,
      },
      {
        id: 2,
        documentId: expect.any(String),
        name: 'Public',
        description: 'Default role given to unauthenticated user.',
        type: 'public',
        actionCount: 2,
      },
    ]);
    expect((await runCommand(RoleList, [], { cwd: site.root })).stdout).toMatch(
      /^ROLE +NAME +ACTIONS +DESCRIPTION\nauthenticated +Authenticated +1 +Default/,
    );
  });
});
