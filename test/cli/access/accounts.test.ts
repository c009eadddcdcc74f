import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareSync } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import RoleCreate from '../../../src/commands/role/create.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import RoleRemove from '../../../src/commands/role/remove.js';
import RoleShow from '../../../src/commands/role/show.js';
import UserBlock from '../../../src/commands/user/block.js';
import UserCreate from '../../../src/commands/user/create.js';
import UserList from '../../../src/commands/user/list.js';
import UserRemove from '../../../src/commands/user/remove.js';
import UserSetPassword from '../../../src/commands/user/set-password.js';
import UserSetRole from '../../../src/commands/user/set-role.js';
import UserShow from '../../../src/commands/user/show.js';
import UserUnblock from '../../../src/commands/user/unblock.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

type Runnable = Parameters<typeof runCommand>[0];

const run = (site: TempProject, command: Runnable, ...argv: readonly string[]) =>
  runCommand(command, argv, { cwd: site.root });
const create = (site: TempProject, name: string, ...argv: readonly string[]) =>
  runCommand(UserCreate, [name, '--email', `${name}@Example.com`, '--password', '-', ...argv], {
    cwd: site.root,
    stdin: 'secret123\n',
  });
const users = (site: TempProject) =>
  rowsOf(
    site,
    `SELECT u.username, u.email, u.blocked, u.confirmed, u.password, r.type AS role
     FROM up_users u LEFT JOIN up_roles r ON r.document_id = u.role_document_id
     ORDER BY u.id`,
  );

describe('cms user', () => {
  it('makes users who can sign in, with their password hashed and never printed', async () => {
    const site = await createMigratedSite();
    const made = await create(site, 'ann', '--json');
    expect(made.json()).toEqual({
      documentId: expect.stringMatching(/^[a-z0-9]{24}$/),
      username: 'ann',
      email: 'ann@example.com',
      role: 'authenticated',
    });
    expect(made.stdout + made.stderr).not.toContain('secret123');
    const [row] = users(site);
    expect(row).toMatchObject({
      username: 'ann',
      email: 'ann@example.com',
      blocked: 0,
      confirmed: 1,
      role: 'authenticated',
    });
    expect(compareSync('secret123', String(row?.['password']))).toBe(true);
    expect((await create(site, 'bob', '--dry-run')).exitCode).toBe(0);
    expect(users(site)).toHaveLength(1);
    expect((await run(site, UserList, '--json')).json()).toMatchObject([
      { username: 'ann', role: 'authenticated', blocked: false, confirmed: true },
    ]);
  });

  it('refuses what cannot be, and changes nothing', async () => {
    const site = await createMigratedSite();
    await create(site, 'ann');
    const refused = await Promise.all([
      create(site, 'ann'),
      create(site, 'bob', '--role', 'authenticatde'),
      runCommand(UserCreate, ['bob', '--email', 'nope', '--password', 'secret123'], { cwd: site.root }),
      runCommand(UserCreate, ['bob', '--email', 'b@example.com', '--password', '123'], { cwd: site.root }),
      runCommand(UserCreate, ['bob', '--email', 'b@example.com', '--password', 'a'.repeat(73)], {
        cwd: site.root,
      }),
      runCommand(UserCreate, ['bob', '--email', 'b@example.com'], { cwd: site.root }),
      run(site, UserBlock, 'nobody'),
    ]);
    expect(refused.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1, 1, 2, 1]);
    expect(refused[1]?.stderr).toContain('Did you mean authenticated?');
    expect(refused[5]?.stderr).toContain('--password');
    expect(users(site)).toHaveLength(1);
  });

  it('blocks, lets in again, changes passwords and removes', async () => {
    const site = await createMigratedSite();
    await create(site, 'ann');
    expect((await run(site, UserBlock, 'ANN@example.com')).stdout).toBe('Blocked ann.\n');
    expect(users(site)[0]?.['blocked']).toBe(1);
    expect((await run(site, UserUnblock, 'ann', '--json')).json()).toMatchObject({
      username: 'ann',
      blocked: false,
    });
    expect(users(site)[0]?.['blocked']).toBe(0);
    await runCommand(UserSetPassword, ['ann', '--password', '-'], { cwd: site.root, stdin: 'another-one' });
    expect(compareSync('another-one', String(users(site)[0]?.['password']))).toBe(true);
    const refused = await run(site, UserRemove, 'ann', '--json');
    expect(refused.exitCode).toBe(3);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'cli/data-loss',
        changes: [{ kind: 'dropped', type: 'plugin::users-permissions.user', path: null, values: 1 }],
      },
    });
    expect((await run(site, UserRemove, 'ann', '--yes')).exitCode).toBe(3);
    expect(users(site)).toHaveLength(1);
    expect((await run(site, UserRemove, 'ann', '--accept-data-loss')).exitCode).toBe(0);
    expect(users(site)).toEqual([]);
    expect((await run(site, UserList)).stderr).toContain('cms user create');
  });
});

describe('hooks of the project', () => {
  it('take part in what is done to users, and may refuse it', async () => {
    const site = await createMigratedSite();
    const log = join(site.root, 'log.txt');
    const entry = `
      import { appendFileSync } from 'node:fs';
      export const register = ({ documents }) => {
        const log = ({ action, type }) => appendFileSync(${JSON.stringify(log)}, action + ' ' + type + '\\n');
        for (const action of ['create', 'update', 'delete']) documents.after(action, log);
        documents.before('update', (event) => {
          if (event.data.blocked === true) throw new Error('nobody is blocked here');
        });
      };
    `;
    mkdirSync(join(site.root, 'src'), { recursive: true });
    writeFileSync(join(site.root, 'src', 'index.ts'), entry);
    expect((await create(site, 'ann', '--dry-run')).exitCode).toBe(0);
    expect((await create(site, 'ann')).exitCode).toBe(0);
    const refused = await run(site, UserBlock, 'ann');
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(users(site)[0]?.['blocked']).toBe(0);
    expect((await run(site, UserBlock, 'ann', '--dry-run')).stdout).toBe('Would block ann.\n');
    expect((await run(site, UserUnblock, 'ann')).exitCode).toBe(0);
    expect((await run(site, UserRemove, 'ann', '--accept-data-loss')).exitCode).toBe(0);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(
      ['create', 'update', 'delete'].map((action) => `${action} plugin::users-permissions.user`),
    );
  });
});

describe('what a hook throws once the work is done', () => {
  it('is a warning on stderr, and the command has succeeded', async () => {
    const site = await createMigratedSite();
    mkdirSync(join(site.root, 'src'), { recursive: true });
    writeFileSync(
      join(site.root, 'src', 'index.ts'),
      `
        export const register = ({ documents }) => {
          const fail = () => { throw new Error('the mailing list is away'); };
          for (const action of ['create', 'update', 'delete']) documents.after(action, fail);
        };
      `,
    );
    const done = [
      await create(site, 'ann', '--json'),
      await run(site, UserBlock, 'ann'),
      await run(site, UserUnblock, 'ann'),
      await runCommand(UserSetPassword, ['ann', '--password', '-'], { cwd: site.root, stdin: 'another-one' }),
      await run(site, UserRemove, 'ann', '--accept-data-loss'),
    ];
    for (const { exitCode, stdout, stderr } of done) {
      expect({
        exitCode,
        warnings: stderr.split('\n').filter((line) => line.startsWith('Warning:')),
      }).toEqual({
        exitCode: 0,
        warnings: ['Warning: A hook failed after the write: the mailing list is away (src/index.ts:3)'],
      });
      expect(stdout).not.toContain('away');
    }
    expect(done[0]?.json()).toMatchObject({ username: 'ann' });
  });
});

describe('cms user set-role', () => {
  it('gives a user another role, which cms user show prints', async () => {
    const site = await createMigratedSite();
    await create(site, 'ann');
    await run(site, RoleCreate, 'Editor');
    const shown = await run(site, UserShow, 'ANN@example.com', '--json');
    expect(shown.json()).toMatchObject({ username: 'ann', role: 'authenticated', blocked: false });
    expect(shown.json()).not.toHaveProperty('passwordHash');
    expect((await run(site, UserSetRole, 'ann', 'editor', '--dry-run')).stdout).toContain('Would give');
    expect(users(site)[0]?.['role']).toBe('authenticated');
    expect((await run(site, UserSetRole, 'ann', 'Editor', '--json')).json()).toMatchObject({
      role: 'editor',
    });
    expect(users(site)[0]?.['role']).toBe('editor');
    expect((await run(site, UserShow, 'ann')).stdout).toMatch(/Role +editor\nState +active\n/);
    expect((await run(site, UserSetRole, 'ann', 'editr')).stderr).toContain('editor');
    expect((await run(site, UserSetRole, 'nobody', 'editor')).exitCode).toBe(1);
    expect((await run(site, UserShow, 'nobody')).exitCode).toBe(1);
    expect(users(site)[0]?.['role']).toBe('editor');
  });
});

describe('cms role', () => {
  it('makes roles and removes them, but not from users without a word', async () => {
    const site = await createMigratedSite();
    expect((await run(site, RoleCreate, 'Chef éditeur', '--json')).json()).toMatchObject({
      type: 'chef-editeur',
      name: 'Chef éditeur',
    });
    const again = await run(site, RoleCreate, 'chef ÉDITEUR');
    expect({ exitCode: again.exitCode, stdout: again.stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect((await run(site, RoleCreate, 'xy')).exitCode).toBe(1);
    expect((await run(site, RoleCreate, '読者')).exitCode).toBe(1);
    expect((await run(site, RoleCreate, '読者の役', '--type', 'readers', '--dry-run')).exitCode).toBe(0);
    await create(site, 'ann', '--role', 'chef-editeur');
    const refused = await run(site, RoleRemove, 'chef-editeur', '--json');
    expect(refused.exitCode).toBe(3);
    expect(refused.json()).toMatchObject({
      error: { changes: [{ type: 'plugin::users-permissions.user', path: 'role', values: 1 }] },
    });
    expect((await run(site, RoleShow, 'Chef éditeur', '--json')).json()).toMatchObject({
      type: 'chef-editeur',
      users: 1,
      permissions: {},
    });
    await runCommand(PermissionsSet, ['chef-editeur', 'tag', 'find', 'create'], { cwd: site.root });
    const shown = await run(site, RoleShow, 'chef-editeur');
    expect(shown.stdout).toMatch(/Users +1\n/);
    expect(shown.stdout).toMatch(/api::tag\.tag +create find\n/);
    expect((await run(site, RoleShow, 'chef')).stderr).toContain('chef-editeur');
    expect((await run(site, RoleRemove, 'chef-editeur', '--dry-run')).stdout).toContain('of 1 user');
    expect(users(site)[0]?.['role']).toBe('chef-editeur');
    expect((await run(site, RoleRemove, 'chef-editeur', '--accept-data-loss')).exitCode).toBe(0);
    expect(users(site)[0]).toMatchObject({ username: 'ann', role: null });
    for (const builtin of ['public', 'Authenticated'])
      expect((await run(site, RoleRemove, builtin, '--accept-data-loss')).exitCode).toBe(1);
  });
});
