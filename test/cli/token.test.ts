import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import TokenCreate from '../../src/commands/token/create.js';
import TokenList from '../../src/commands/token/list.js';
import TokenRegenerate from '../../src/commands/token/regenerate.js';
import TokenRevoke from '../../src/commands/token/revoke.js';
import TokenShow from '../../src/commands/token/show.js';
import { createFakeTerminal } from './support/fake-terminal.js';
import { createMigratedSite, createSite, rowsOf } from './support/migrated-project.js';
import { runCommand, runOn } from './support/run-command.js';
import { createTempFolder } from './support/temp-project.js';
import type { TempProject } from './support/temp-project.js';

const SALT = 'qW5eRt7yUi9oPa1sDf3gHj5kLz7xCv9b';
const KEY = /^[0-9a-f]{128}\n$/;

const tokensIn = (site: TempProject) => rowsOf(site, 'SELECT name, type, key_hash, expires_at FROM cms_api_tokens ORDER BY name');
const create = (site: TempProject, ...argv: readonly string[]) => runCommand(TokenCreate, argv, { cwd: site.root });

describe('cms token create', () => {
  it('leaves just the key in stdout, and keeps a keyed hash of it only', async () => {
    const site = await createMigratedSite();
    const { stdout, stderr, exitCode } = await create(site, '--name', 'ci', '--type', 'read-only');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(KEY);
    const key = stdout.trim();
    expect(tokensIn(site)).toEqual([{ name: 'ci', type: 'read-only', key_hash: createHmac('sha512', SALT).update(key).digest('hex'), expires_at: null }]);
    expect(stderr).not.toContain(key);
    expect(stderr).toContain(`Project site, database file:${site.root}/data.db`);
  });

  it('prints one document with --json', async () => {
    const site = await createMigratedSite();
    const { json, exitCode } = await create(site, '--name', 'ci', '--type', 'full-access', '--description', 'builds', '--lifespan', '7d', '--json');
    expect(exitCode).toBe(0);
    expect(json()).toEqual({
      id: 1, name: 'ci', description: 'builds', type: 'full-access', permissions: [], lastUsedAt: null, accessKey: expect.stringMatching(/^[0-9a-f]{128}$/),
      expiresAt: expect.any(String), createdAt: expect.any(String), updatedAt: expect.any(String),
    });
    const { expiresAt } = json<{ expiresAt: string }>();
    expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
  });

  it('takes short and long names of actions, and * for all of a type', async () => {
    const site = await createMigratedSite();
    const { json } = await create(site, '--name', 'mixed', '--type', 'custom', '--permission', 'article.find', 'plugin::upload.content-api.upload', '--permission', 'home-page.*,api::tag.tag.create', '--json');
    expect(json<{ permissions: unknown }>().permissions).toEqual([
      'api::article.article.find', 'api::home-page.home-page.delete', 'api::home-page.home-page.find', 'api::home-page.home-page.update', 'api::tag.tag.create', 'plugin::upload.content-api.upload',
    ]);
  });

  it('refuses a name that is taken, and replaces it with --force, as often as it runs', async () => {
    const site = await createMigratedSite();
    const first = await create(site, '--name', 'ci', '--type', 'read-only');
    const before = tokensIn(site);
    const again = await create(site, '--name', 'ci', '--type', 'full-access');
    expect({ exitCode: again.exitCode, stdout: again.stdout, rows: tokensIn(site) }).toEqual({ exitCode: 1, stdout: '', rows: before });
    expect(again.stderr).toContain('--force');
    for (let run = 0; run < 2; run++) {
      const forced = await create(site, '--name', 'ci', '--type', 'full-access', '--force');
      expect(forced.stdout).toMatch(KEY);
      expect(forced.stdout).not.toBe(first.stdout);
      expect(tokensIn(site)).toEqual([expect.objectContaining({ name: 'ci', type: 'full-access' })]);
    }
  });

  it('changes nothing with --dry-run, and finds the same faults', async () => {
    const site = await createMigratedSite();
    const dry = await create(site, '--name', 'ci', '--type', 'read-only', '--dry-run', '--json');
    expect(dry.json()).toEqual({ dryRun: true, name: 'ci', description: null, type: 'read-only', permissions: [], expiresAt: null });
    const text = await create(site, '--name', 'ci', '--type', 'read-only', '--dry-run');
    expect(text.stdout).toBe('Would make the token ci (read-only, unlimited).\n');
    expect(tokensIn(site)).toEqual([]);
    await create(site, '--name', 'ci', '--type', 'read-only');
    expect((await create(site, '--name', 'ci', '--type', 'read-only', '--dry-run')).exitCode).toBe(1);
  });

  it.each([
    [['--type', 'read-only'], 2, 'Missing --name'],
    [['--name', 'x'], 2, 'Missing --type'],
    [['--name', 'x', '--type', 'readonly'], 2, 'Did you mean --type read-only?'],
    [['--name', 'x', '--type', 'custom'], 2, 'Missing --permission'],
    [['--name', 'x', '--type', 'custom', '--permission', 'articel.find'], 1, 'Did you mean article?'],
    [['--name', 'x', '--type', 'custom', '--permission', 'article.fnid'], 1, 'Did you mean find?'],
    [['--name', 'x', '--type', 'custom', '--permission', 'article'], 1, 'api::article.article.*'],
    [['--name', 'x', '--type', 'custom', '--permission', 'api::article.article'], 1, 'api::article.article.find'],
    [['--name', 'x', '--type', 'read-only', '--permission', 'article.find'], 2, 'takes no permissions'],
    [['--name', 'x', '--type', 'read-only', '--lifespan', '5d'], 2, '7d'],
    [['--name', '  ', '--type', 'read-only'], 2, '--name'],
    [['--nmae', 'x'], 2, 'Did you mean --name?'],
  ])('refuses %j with %i, says why and makes nothing', async (argv, exitCode, words) => {
    const site = await createMigratedSite();
    const result = await create(site, ...argv);
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' });
    expect(result.stderr).toContain(words);
    expect(tokensIn(site)).toEqual([]);
  });

  it('names the salt that is missing', async () => {
    const site = await createMigratedSite();
    site.write({ '.env': 'JWT_SECRET=vGh2sQ8fLw0pXz4nTb6yRk1mJc9dEa7u\n' });
    const { exitCode, stderr } = await create(site, '--name', 'ci', '--type', 'read-only');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('API_TOKEN_SALT');
    expect(tokensIn(site)).toEqual([]);
  });

  it('asks on a terminal for what was not said, in a grid for a custom token', async () => {
    const site = await createMigratedSite();
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, TokenCreate, []);
    await terminal.seen('Name');
    terminal.type('mine\r');
    await terminal.seen('What may it do?');
    terminal.type('\u001B[B\u001B[B\r');
    await terminal.seen('Which actions?');
    terminal.type(' \u001B[C\u001B[C ');
    await terminal.seen('›[x] create');
    terminal.type('\r');
    await terminal.seen('For how long?');
    terminal.type('\r');
    expect(await done).toBe(0);
    expect(terminal.out()).toMatch(KEY);
    expect(rowsOf(site, 'SELECT action FROM cms_api_token_permissions ORDER BY action')).toEqual([{ action: 'api::article.article.create' }, { action: 'api::article.article.find' }]);
  });
});

describe('a database that is not ready', () => {
  it('is an error that names cms migrate', async () => {
    const { exitCode, stderr, stdout } = await runCommand(TokenList, [], { cwd: createSite().root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(stderr).toContain('cms migrate');
  });

  it('is told by its address without the password where it does not answer', async () => {
    const site = createSite({ '.env': 'DATABASE_URL=postgresql://cms:hunter2@127.0.0.1:1/site\n' });
    const { exitCode, stdout, stderr } = await runCommand(TokenList, ['--json'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'database/unreachable', message: expect.stringMatching(/^The database postgresql:\/\/cms:\*\*\*@127\.0\.0\.1:1\/site does not answer: .*ECONNREFUSED/), hint: expect.stringContaining('cms doctor') },
    });
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it('is not looked for outside a project', async () => {
    const { exitCode, stderr } = await runCommand(TokenList, [], { cwd: createTempFolder() });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cms new');
  });
});

describe('cms token list and show', () => {
  it('tell all but the keys', async () => {
    const site = await createMigratedSite();
    const empty = await runCommand(TokenList, [], { cwd: site.root });
    expect({ stdout: empty.stdout, exitCode: empty.exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(empty.stderr).toContain('cms token create');
    await create(site, '--name', 'web', '--type', 'custom', '--permission', 'tag.find,tag.findOne', '--description', 'the site');
    await create(site, '--name', 'ci', '--type', 'read-only', '--lifespan', '30d');
    const { stdout } = await runCommand(TokenList, [], { cwd: site.root });
    const [header, ci, web] = stdout.split('\n');
    expect(header).toMatch(/^NAME +TYPE +ACTIONS +EXPIRES +LAST USED +DESCRIPTION$/);
    expect(ci).toMatch(/^ci +read-only +– +\d{4}-\d\d-\d\d \d\d:\d\d +never/);
    expect(web).toMatch(/^web +custom +2 +never +never +the site$/);
    const { json } = await runCommand(TokenList, ['--json'], { cwd: site.root });
    expect(json<{ name: string }[]>().map(({ name }) => name)).toEqual(['ci', 'web']);
    expect(JSON.stringify(json())).not.toMatch(/[0-9a-f]{64}/);
    const shown = await runCommand(TokenShow, ['web'], { cwd: site.root });
    expect(shown.stdout).toContain('api::tag.tag.findOne');
    expect((await runCommand(TokenShow, ['web', '--json'], { cwd: site.root })).json()).toEqual(json<unknown[]>()[1]);
  });

  it('say that a token is over', async () => {
    const site = await createMigratedSite();
    await create(site, '--name', 'old', '--type', 'read-only', '--lifespan', '7d');
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(`${site.root}/data.db`);
    database.exec("UPDATE cms_api_tokens SET expires_at = '2020-01-31T09:30:00.000+00:00'");
    database.close();
    expect((await runCommand(TokenShow, ['old'], { cwd: site.root })).stdout).toContain('expired 2020-01-31 09:30');
    const refused = await runCommand(TokenRegenerate, ['old'], { cwd: site.root });
    expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('--lifespan');
    expect((await runCommand(TokenRegenerate, ['old', '--lifespan', '90d'], { cwd: site.root })).stdout).toMatch(KEY);
  });
});

describe('cms token revoke and regenerate', () => {
  it('take away a key, or change it', async () => {
    const site = await createMigratedSite();
    const { stdout: key } = await create(site, '--name', 'ci', '--type', 'read-only');
    const renewed = await runCommand(TokenRegenerate, ['ci'], { cwd: site.root });
    expect(renewed.stdout).toMatch(KEY);
    expect(renewed.stdout).not.toBe(key);
    expect(tokensIn(site)[0]?.['key_hash']).toBe(createHmac('sha512', SALT).update(renewed.stdout.trim()).digest('hex'));
    const revoked = await runCommand(TokenRevoke, ['ci', '--json'], { cwd: site.root });
    expect({ json: revoked.json(), exitCode: revoked.exitCode, rows: tokensIn(site) }).toEqual({ json: { revoked: 'ci' }, exitCode: 0, rows: [] });
  });

  it('change nothing with --dry-run', async () => {
    const site = await createMigratedSite();
    await create(site, '--name', 'ci', '--type', 'read-only');
    const before = tokensIn(site);
    const renewed = await runCommand(TokenRegenerate, ['ci', '--dry-run'], { cwd: site.root });
    expect(renewed.stdout).toBe('Would give a new key to the token ci (read-only, unlimited).\n');
    const revoked = await runCommand(TokenRevoke, ['ci', '--dry-run', '--json'], { cwd: site.root });
    expect(revoked.json()).toEqual({ revoked: 'ci', dryRun: true });
    expect(tokensIn(site)).toEqual(before);
  });

  it.each([[TokenShow], [TokenRevoke], [TokenRegenerate]] as const)('suggest the nearest name', async (command) => {
    const site = await createMigratedSite();
    await create(site, '--name', 'deploy', '--type', 'read-only');
    const before = tokensIn(site);
    const { exitCode, stderr } = await runCommand(command, ['depoly'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Did you mean deploy?');
    expect(tokensIn(site)).toEqual(before);
  });

  it('ask on a terminal, and a no changes nothing', async () => {
    const site = await createMigratedSite();
    await create(site, '--name', 'ci', '--type', 'read-only');
    const before = tokensIn(site);
    for (const command of [TokenRevoke, TokenRegenerate]) {
      const terminal = createFakeTerminal({ cwd: site.root, tty: true });
      const done = runOn(terminal, command, ['ci']);
      await terminal.seen('ci (read-only, unlimited)?');
      terminal.type('n\r');
      expect(await done).toBe(1);
      expect(terminal.out()).toBe('');
    }
    expect(tokensIn(site)).toEqual(before);
    const agreed = createFakeTerminal({ cwd: site.root, tty: true });
    expect(await runOn(agreed, TokenRevoke, ['ci', '--yes'])).toBe(0);
    expect(tokensIn(site)).toEqual([]);
  });
});
