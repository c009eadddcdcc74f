import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import TokenCreate from '../../../src/commands/token/create.js';
import TokenList from '../../../src/commands/token/list.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { createMigratedSite, createSite, rowsOf } from '../support/migrated-project.js';
import { runCommand, runOn } from '../support/run-command.js';
import { createTempFolder } from '../support/temp-project.js';
import { SALT, KEY, tokensIn, create } from '../support/tokens.js';

describe('cms token create', () => {
  it('leaves just the key in stdout, and keeps a keyed hash of it only', async () => {
    const site = await createMigratedSite();
    const { stdout, stderr, exitCode } = await create(site, '--name', 'ci', '--type', 'read-only');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(KEY);
    const key = stdout.trim();
    expect(tokensIn(site)).toEqual([
      {
        name: 'ci',
        type: 'read-only',
        key_hash: createHmac('sha512', SALT).update(key).digest('hex'),
        expires_at: null,
      },
    ]);
    expect(stderr).not.toContain(key);
    expect(stderr).toContain(`Project site, database file:${site.root}/data.db`);
  });

  it('does nothing with --if-missing where the token exists, and says so', async () => {
    const site = await createMigratedSite();
    const flags = ['--name', 'ci', '--type', 'read-only', '--if-missing'];
    const first = await create(site, ...flags, '--json');
    expect(first.json()).toMatchObject({ name: 'ci', created: true, accessKey: expect.any(String) });
    const stored = tokensIn(site);
    const second = await create(site, ...flags);
    expect({ exitCode: second.exitCode, stdout: second.stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(second.stderr).toContain('already exists');
    const third = await create(site, '--name', 'ci', '--type', 'full-access', '--if-missing', '--json');
    expect(third.json()).toMatchObject({ name: 'ci', type: 'read-only', created: false });
    expect(third.json()).not.toHaveProperty('accessKey');
    expect(tokensIn(site)).toEqual(stored);
    expect((await create(site, ...flags, '--force')).exitCode).toBe(2);
  });

  it('prints one document with --json', async () => {
    const site = await createMigratedSite();
    const { json, exitCode } = await create(
      site,
      '--name',
      'ci',
      '--type',
      'full-access',
      '--description',
      'builds',
      '--lifespan',
      '7d',
      '--json',
    );
    expect(exitCode).toBe(0);
    expect(json()).toEqual({
      id: 1,
      name: 'ci',
      description: 'builds',
      type: 'full-access',
      permissions: [],
      lastUsedAt: null,
      accessKey: expect.stringMatching(/^[0-9a-f]{128}$/),
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { expiresAt } = json<{ expiresAt: string }>();
    expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
  });

  it('takes short and long names of actions, and * for all of a type', async () => {
    const site = await createMigratedSite();
    const { json } = await create(
      site,
      '--name',
      'mixed',
      '--type',
      'custom',
      '--permission',
      'article.find',
      'plugin::upload.content-api.upload',
      '--permission',
      'home-page.*,api::tag.tag.create',
      '--json',
    );
    expect(json<{ permissions: unknown }>().permissions).toEqual([
      'api::article.article.find',
      'api::home-page.home-page.delete',
      'api::home-page.home-page.find',
      'api::home-page.home-page.update',
      'api::tag.tag.create',
      'plugin::upload.content-api.upload',
    ]);
  });

  it('refuses a name that is taken, and replaces it with --force, as often as it runs', async () => {
    const site = await createMigratedSite();
    const first = await create(site, '--name', 'ci', '--type', 'read-only');
    const before = tokensIn(site);
    const again = await create(site, '--name', 'ci', '--type', 'full-access');
    expect({ exitCode: again.exitCode, stdout: again.stdout, rows: tokensIn(site) }).toEqual({
      exitCode: 1,
      stdout: '',
      rows: before,
    });
    expect(again.stderr).toContain('--force');
    expect(again.stderr).toContain('cms token regenerate ci');
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
    expect(dry.json()).toEqual({
      dryRun: true,
      name: 'ci',
      description: null,
      type: 'read-only',
      permissions: [],
      expiresAt: null,
    });
    const text = await create(site, '--name', 'ci', '--type', 'read-only', '--dry-run');
    expect(text.stdout).toBe('Would create the token ci (read-only, unlimited).\n');
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
    [
      ['--name', 'x', '--type', 'custom', '--permission', 'api::article.article'],
      1,
      'api::article.article.find',
    ],
    [['--name', 'x', '--type', 'read-only', '--permission', 'article.find'], 2, 'takes no permissions'],
    [['--name', 'x', '--type', 'read-only', '--lifespan', '5d'], 2, '7d'],
    [['--name', 'x', '--type', 'preview', '--expires-in', '1h'], 2, 'Missing --content'],
    [['--name', 'x', '--type', 'preview', '--content', 'article'], 2, 'Missing --expires-in'],
    [['--name', 'x', '--type', 'preview', '--content', 'article', '--expires-in', '1y'], 2, '30m, 12h or 7d'],
    [['--name', 'x', '--type', 'read-only', '--locale', 'en'], 2, 'takes no locales'],
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
    await terminal.waitForText('Name');
    terminal.type('mine\r');
    await terminal.waitForText('What may it do?');
    terminal.type('\u001B[B\u001B[B\r');
    await terminal.waitForText('Which actions?');
    terminal.type(' \u001B[C\u001B[C ');
    await terminal.waitForText('›[x] create');
    terminal.type('\r');
    await terminal.waitForText('For how long?');
    terminal.type('\r');
    await terminal.waitForText('Review');
    terminal.type('\r');
    expect(await done).toBe(0);
    expect(terminal.out()).toMatch(KEY);
    expect(rowsOf(site, 'SELECT action FROM cms_api_token_permissions ORDER BY action')).toEqual([
      { action: 'api::article.article.create' },
      { action: 'api::article.article.find' },
    ]);
  });
});

describe('a database that is not ready', () => {
  it('is an error that names cms migrate', async () => {
    const { exitCode, stderr, stdout } = await runCommand(TokenList, [], { cwd: createSite().root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(stderr).toContain('cms migrate');
  });

  it('is reported by its address without the password if it does not respond', async () => {
    const site = createSite({ '.env': 'DATABASE_URL=postgresql://cms:hunter2@127.0.0.1:1/site\n' });
    const { exitCode, stdout, stderr } = await runCommand(TokenList, ['--json'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'database/unreachable',
        message: expect.stringMatching(
          /^The database postgresql:\/\/cms:\*\*\*@127\.0\.0\.1:1\/site cannot be reached: .*ECONNREFUSED/,
        ),
        hint: expect.stringContaining('cms doctor'),
      },
    });
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it('is not looked for outside a project', async () => {
    const { exitCode, stderr } = await runCommand(TokenList, [], { cwd: createTempFolder() });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cms new');
  });
});
