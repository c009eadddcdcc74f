import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import Api from '../../../src/commands/api.js';
import ContentCreate from '../../../src/commands/content/create.js';
import Doctor from '../../../src/commands/doctor.js';
import IndexSuggest from '../../../src/commands/index/suggest.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import LocaleApply from '../../../src/commands/locale/apply.js';
import LocaleExport from '../../../src/commands/locale/export.js';
import LocaleList from '../../../src/commands/locale/list.js';
import LocaleRemove from '../../../src/commands/locale/remove.js';
import PermissionsApply from '../../../src/commands/permissions/apply.js';
import PermissionsDiff from '../../../src/commands/permissions/diff.js';
import PermissionsExport from '../../../src/commands/permissions/export.js';
import PermissionsList from '../../../src/commands/permissions/list.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import PermissionsUnset from '../../../src/commands/permissions/unset.js';
import ProviderDisable from '../../../src/commands/provider/disable.js';
import ProviderEnable from '../../../src/commands/provider/enable.js';
import ProviderList from '../../../src/commands/provider/list.js';
import ProviderSet from '../../../src/commands/provider/set.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import RoleCreate from '../../../src/commands/role/create.js';
import RoleList from '../../../src/commands/role/list.js';
import RoleRemove from '../../../src/commands/role/remove.js';
import RoleShow from '../../../src/commands/role/show.js';
import TokenCreate from '../../../src/commands/token/create.js';
import TokenList from '../../../src/commands/token/list.js';
import TokenRegenerate from '../../../src/commands/token/regenerate.js';
import TokenRevoke from '../../../src/commands/token/revoke.js';
import TokenShow from '../../../src/commands/token/show.js';
import UserBlock from '../../../src/commands/user/block.js';
import UserCreate from '../../../src/commands/user/create.js';
import UserList from '../../../src/commands/user/list.js';
import UserRemove from '../../../src/commands/user/remove.js';
import UserSetPassword from '../../../src/commands/user/set-password.js';
import UserSetRole from '../../../src/commands/user/set-role.js';
import UserShow from '../../../src/commands/user/show.js';
import UserUnblock from '../../../src/commands/user/unblock.js';
import WebhookAdd from '../../../src/commands/webhook/add.js';
import WebhookDisable from '../../../src/commands/webhook/disable.js';
import WebhookEnable from '../../../src/commands/webhook/enable.js';
import WebhookList from '../../../src/commands/webhook/list.js';
import WebhookLog from '../../../src/commands/webhook/log.js';
import WebhookRedeliver from '../../../src/commands/webhook/redeliver.js';
import WebhookRemove from '../../../src/commands/webhook/remove.js';
import WebhookShow from '../../../src/commands/webhook/show.js';
import WebhookTest from '../../../src/commands/webhook/test.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { runCommand } from '../../cli/support/run-command.js';
import { databases } from '../../support/databases.js';
import { migrateProject } from '../../support/migrate-project.js';
import { fixtureProject } from '../../support/models.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

type Command = Parameters<typeof runCommand>[0];
type Json = Readonly<Record<string, unknown>>;

const PASSWORD = 'correct horse';

/** A clone of the project with a database of its own, whose roles are granted nothing. */
const createClone = async (): Promise<string> => {
  const root = mkdtempSync(join(inject('runFolder'), 'clone-'));
  cpSync(join(fixtureProject('magazine'), 'src'), join(root, 'src'), { recursive: true });
  writeFileSync(
    join(root, 'cms.config.mjs'),
    'const config = { advanced: { defaultGrants: false } };\n' +
      "export default { plugins: { 'users-permissions': { config } } };\n",
  );
  writeFileSync(
    join(root, '.env'),
    'JWT_SECRET=vGh2sQ8fLw0pXz4nTb6yRk1mJc9dEa7u\nAPI_TOKEN_SALT=qW5eRt7yUi9oPa1sDf3gHj5kLz7xCv9b\n',
  );
  await migrateProject(await openProject(root), { label: 'model' });
  return root;
};

describe.each(databases)('the administration of a remote server on $name', (database) => {
  let site: Site;
  let clone: string;
  const run = (command: Command, ...argv: readonly string[]) => runCommand(command, argv, { cwd: clone });
  const add = (name: string, token: string) =>
    runCommand(RemoteAdd, [name, `${site.server.url}/api`, '--token', '-', '--no-check'], {
      cwd: clone,
      stdin: `${token}\n`,
    });
  /** Runs a command that works with the server, and has to succeed. Returns what it prints as JSON. */
  const there = async <T = Json>(command: Command, ...argv: readonly string[]): Promise<T> => {
    const result = await run(command, ...argv, '--remote', 'live', '--json');
    expect(result.exitCode, `${argv.join(' ')}: ${result.stdout} ${result.stderr}`).toBe(0);
    return result.json<T>();
  };
  const namesThere = async (command: Command, key: string): Promise<readonly unknown[]> =>
    (await there<readonly Json[]>(command)).map((entry) => entry[key]);

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    clone = await createClone();
    await add('live', site.tokens['full'] ?? '');
  });
  afterAll(() => site.close());

  it('manages tokens, whose keys work there', async () => {
    await there(TokenCreate, '--name', 'plan', '--type', 'read-only', '--dry-run');
    const { accessKey } = await there(TokenCreate, '--name', 'ci', '--type', 'read-only');
    const isAccepted = async (key: unknown): Promise<boolean> =>
      (await fetch(`${site.server.url}/api/tags`, { headers: { authorization: `Bearer ${String(key)}` } }))
        .ok;
    expect(await isAccepted(accessKey)).toBe(true);
    expect(await namesThere(TokenList, 'name')).toEqual(['ci', 'full', 'readonly', 'tagger']);
    expect(await there(TokenShow, 'ci')).toMatchObject({ name: 'ci', type: 'read-only' });
    expect(await there(TokenCreate, '--name', 'ci', '--type', 'read-only', '--if-missing')).toMatchObject({
      created: false,
    });
    const { accessKey: next } = await there(TokenRegenerate, 'ci', '--lifespan', '7d');
    expect([await isAccepted(accessKey), await isAccepted(next)]).toEqual([false, true]);
    await there(TokenRevoke, 'ci');
    expect(await isAccepted(next)).toBe(false);
    expect((await run(TokenList, '--json')).json()).toEqual([]);
  });

  it('manages roles and their permissions', async () => {
    await there(RoleCreate, 'Editor', '--description', 'Writes');
    expect(await namesThere(RoleList, 'type')).toContain('editor');
    expect(await there(PermissionsSet, 'editor', 'tag', 'find', 'create')).toMatchObject({
      added: ['api::tag.tag.create', 'api::tag.tag.find'],
    });
    const limits = ['--keep', '--where', '{"name":"mine"}'];
    await there(PermissionsSet, 'editor', 'tag', 'update', ...limits);
    await there(PermissionsUnset, 'editor', 'tag', 'create');
    expect(await there(RoleShow, 'editor')).toMatchObject({
      users: 0,
      permissions: { 'api::tag.tag': ['find', 'update'] },
      limits: { 'api::tag.tag.update': { where: { name: 'mine' } } },
    });
    expect(await there(PermissionsList, '--role', 'editor')).toMatchObject([{ role: 'editor' }]);
    await there(RoleRemove, 'editor');
    expect(await namesThere(RoleList, 'type')).not.toContain('editor');
  });

  it('compares and copies permissions until both are equal', async () => {
    for (const actions of [
      ['public', 'tag', 'find'],
      ['authenticated', 'article', 'find', 'findOne'],
    ])
      expect((await run(PermissionsSet, ...actions)).exitCode).toBe(0);
    const compare = () => run(PermissionsDiff, '--remote', 'live', '--exit-code');
    const different = await compare();
    expect(different).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^[+-]/m) as string });
    const file = join(clone, 'permissions.yaml');
    await run(PermissionsExport, file);
    await there(PermissionsApply, file, '--prune', '--yes');
    expect(await compare()).toMatchObject({ exitCode: 0, stdout: '' });
    const exported = await run(PermissionsExport, '--remote', 'live');
    expect(exported.stdout).toBe(readFileSync(file, 'utf8'));
    expect(exported.stdout).toBe((await run(PermissionsExport)).stdout);
    expect(await run(PermissionsDiff, file, '--exit-code')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await run(PermissionsDiff)).toMatchObject({ exitCode: 2 });
  });

  it('manages users, who can sign in there', async () => {
    await there(RoleCreate, 'Author');
    await there(UserCreate, 'ada', '--email', 'Ada@example.com', '--password', PASSWORD);
    const signIn = async (password: string): Promise<number> => {
      const body = JSON.stringify({ identifier: 'ada', password });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${site.server.url}/api/auth/local`, { method: 'POST', headers, body })).status;
    };
    await there(PermissionsSet, 'public', 'plugin::users-permissions.auth', 'callback');
    expect(await signIn(PASSWORD)).toBe(200);
    expect(await namesThere(UserList, 'username')).toEqual(['ada']);
    await there(UserBlock, 'ada');
    expect(await there(UserShow, 'ada@example.com')).toMatchObject({ blocked: true, role: 'authenticated' });
    expect(await signIn(PASSWORD)).toBe(400);
    await there(UserUnblock, 'ada');
    await there(UserSetPassword, 'ada', '--password', 'another horse');
    expect([await signIn(PASSWORD), await signIn('another horse')]).toEqual([400, 200]);
    expect(await there(UserSetRole, 'ada', 'author')).toMatchObject({ role: 'author' });
    expect(await run(UserRemove, 'ada', '--remote', 'live')).toMatchObject({ exitCode: 3 });
    expect(await run(RoleRemove, 'author', '--remote', 'live')).toMatchObject({ exitCode: 3 });
    await there(UserRemove, 'ada', '--accept-data-loss');
    expect(await namesThere(UserList, 'username')).toEqual([]);
    await there(RoleRemove, 'author');
  });

  it('manages locales', async () => {
    await there(LocaleAdd, 'pt');
    expect(await there(LocaleAdd, 'pt', '--force')).toMatchObject({ code: 'pt', added: false });
    expect(await namesThere(LocaleList, 'code')).toContain('pt');
    const file = join(clone, 'locales.yaml');
    await there(LocaleExport, file);
    await there(LocaleRemove, 'pt');
    expect(await namesThere(LocaleList, 'code')).not.toContain('pt');
    expect(await there(LocaleApply, file, '--dry-run')).toMatchObject({ changed: true, losses: [] });
    expect(await namesThere(LocaleList, 'code')).not.toContain('pt');
    await there(LocaleApply, file, '--yes');
    expect(await namesThere(LocaleList, 'code')).toContain('pt');
    expect(await there(LocaleApply, file, '--yes')).toMatchObject({ changed: false, diff: '' });
    expect((await run(LocaleExport, '--remote', 'live')).stdout).toBe(readFileSync(file, 'utf8'));
    await there(ContentCreate, 'article', '--set', 'title=Luz', '--set', 'slug=luz', '--locale', 'pt');
    const applied = readFileSync(file, 'utf8');
    writeFileSync(file, applied.replace(/^ {2}pt:.*\n/m, ''));
    const refused = await run(LocaleApply, file, '--yes', '--remote', 'live');
    expect(refused).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('api::article.article in pt') as string,
    });
    expect(await namesThere(LocaleList, 'code')).toContain('pt');
    await there(LocaleApply, file, '--yes', '--accept-data-loss');
    expect(await namesThere(LocaleList, 'code')).not.toContain('pt');
  });

  it('manages providers, with the redirect URL of the server', async () => {
    await there(ProviderSet, 'github', '--key', 'k');
    expect(await there(ProviderEnable, 'github')).toMatchObject({ isEnabled: true });
    expect(await there<Json[]>(ProviderList)).toMatchObject([
      {
        name: 'github',
        key: 'k',
        hasSecret: false,
        redirect: expect.stringContaining('/connect/github') as string,
      },
    ]);
    await there(ProviderDisable, 'github');
    expect((await run(ProviderList, '--json')).json()).toEqual([]);
  });

  it('manages webhooks', async () => {
    const url = `${site.server.url}/_health`;
    const { secret, isSigned } = await there(WebhookAdd, 'build', url, '--event', 'entry.create', '--sign');
    expect({ secret, isSigned }).toEqual({
      secret: expect.stringMatching(/^whsec_/) as string,
      isSigned: true,
    });
    await there(WebhookDisable, 'build');
    expect(await there(WebhookShow, 'build')).toMatchObject({ isEnabled: false });
    await there(WebhookEnable, 'build');
    expect(JSON.stringify(await there(WebhookList))).not.toContain(String(secret));
    const tested = await run(WebhookTest, 'build', '--remote', 'live', '--json');
    expect(tested.json()).toMatchObject({ name: 'build', url });
    expect(await there(WebhookLog, 'build')).toEqual([]);
    expect(await there(WebhookRedeliver, '--failed', '--webhook', 'build')).toEqual({ redelivered: 0 });
    await there(WebhookRemove, 'build');
    expect(await there(WebhookList)).toEqual([]);
  });

  it('examines the server, not this project', async () => {
    const checked = await run(Doctor, '--remote', 'live', '--json');
    expect(checked.json()).toHaveProperty('findings');
    const { findings } = checked.json<{ findings: readonly { check: string; message: string }[] }>();
    const databaseFinding = findings.find(({ check }) => check === 'database');
    expect(databaseFinding?.message).toContain(database.name === 'sqlite' ? 'file:' : 'postgres');
    expect(databaseFinding?.message).not.toContain(clone);
    expect(await there(IndexSuggest)).toEqual({ reads: expect.any(Array) as unknown[], declared: [] });
  });

  it('sends requests', async () => {
    expect(await there(Api, '/tags')).toMatchObject({ status: 200 });
    expect(await there(Api, '--graphql', '{ tags { name } }')).toMatchObject({ status: 200 });
    const missing = await run(Api, '/nothing', '--remote', 'live');
    expect(missing).toMatchObject({ exitCode: 1 });
    expect(missing.json()).toMatchObject({ error: { status: 404 } });
  });

  it('reports errors of the server with their remedies', async () => {
    expect(await run(TokenShow, 'ful', '--remote', 'live')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/live: There is no token named ful\.[^]*Did you mean full\?/) as string,
    });
    await add('weak', site.tokens['readonly'] ?? '');
    expect(await run(TokenList, '--remote', 'weak')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('plugin::cms.tokens.read') as string,
    });
    const permission = 'plugin::cms.locales.read';
    const { accessKey } = await there(
      TokenCreate,
      '--name',
      'narrow',
      '--type',
      'custom',
      '--permission',
      permission,
    );
    await add('narrow', String(accessKey));
    expect(await run(LocaleList, '--remote', 'narrow')).toMatchObject({ exitCode: 0 });
    expect(await run(LocaleAdd, 'pt', '--remote', 'narrow')).toMatchObject({ exitCode: 1 });
    expect(await run(TokenList, '--remote', 'narrow')).toMatchObject({ exitCode: 1 });
  });
});
