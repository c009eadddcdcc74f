import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import TokenList from '../../../src/commands/token/list.js';
import TokenRegenerate from '../../../src/commands/token/regenerate.js';
import TokenRevoke from '../../../src/commands/token/revoke.js';
import TokenShow from '../../../src/commands/token/show.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { createMigratedSite } from '../support/migrated-project.js';
import { runSql } from '../support/rows.js';
import { runCommand, runOn } from '../support/run-command.js';
import { SALT, KEY, tokensIn, create } from '../support/tokens.js';

describe('cms token list and show', () => {
  it('list all but the keys', async () => {
    const site = await createMigratedSite();
    const empty = await runCommand(TokenList, [], { cwd: site.root });
    expect({ stdout: empty.stdout, exitCode: empty.exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(empty.stderr).toContain('cms token create');
    await create(
      site,
      '--name',
      'web',
      '--type',
      'custom',
      '--permission',
      'tag.find,tag.findOne',
      '--description',
      'the site',
    );
    await create(site, '--name', 'ci', '--type', 'read-only', '--lifespan', '30d');
    const { stdout } = await runCommand(TokenList, [], { cwd: site.root });
    const [header, ci, web] = stdout.split('\n');
    expect(header).toMatch(/^NAME +TYPE +ACTIONS +EXPIRES +LAST USED +DESCRIPTION$/);
    expect(ci).toMatch(/^ci +read-only +– +\d{4}-\d\d-\d\d \d\d:\d\d +never/);
    expect(web).toMatch(/^web +custom +2 +never +never +the site$/);
    const { json } = await runCommand(TokenList, ['--json'], { cwd: site.root });
    expect(json<{ name: string }[]>().map(({ name }) => name)).toEqual(['ci', 'web']);
    expect(JSON.stringify(json())).not.toMatch(/[0-9a-f]{64}/);
    const showResult = await runCommand(TokenShow, ['web'], { cwd: site.root });
    expect(showResult.stdout).toContain('api::tag.tag.findOne');
    expect((await runCommand(TokenShow, ['web', '--json'], { cwd: site.root })).json()).toEqual(
      json<unknown[]>()[1],
    );
  });

  it('say that a token is over', async () => {
    const site = await createMigratedSite();
    await create(site, '--name', 'old', '--type', 'read-only', '--lifespan', '7d');
    runSql(site, "UPDATE cms_api_tokens SET expires_at = '2020-01-31T09:30:00.000+00:00'");
    expect((await runCommand(TokenShow, ['old'], { cwd: site.root })).stdout).toContain(
      'expired 2020-01-31 09:30',
    );
    const refused = await runCommand(TokenRegenerate, ['old'], { cwd: site.root });
    expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('--lifespan');
    expect(
      (await runCommand(TokenRegenerate, ['old', '--lifespan', '90d'], { cwd: site.root })).stdout,
    ).toMatch(KEY);
  });
});

describe('cms token revoke and regenerate', () => {
  it('take away a key, or change it', async () => {
    const site = await createMigratedSite();
    const { stdout: key } = await create(site, '--name', 'ci', '--type', 'read-only');
    const renewed = await runCommand(TokenRegenerate, ['ci'], { cwd: site.root });
    expect(renewed.stdout).toMatch(KEY);
    expect(renewed.stdout).not.toBe(key);
    expect(tokensIn(site)[0]?.['key_hash']).toBe(
      createHmac('sha512', SALT).update(renewed.stdout.trim()).digest('hex'),
    );
    const revoked = await runCommand(TokenRevoke, ['ci', '--json'], { cwd: site.root });
    expect({ json: revoked.json(), exitCode: revoked.exitCode, rows: tokensIn(site) }).toEqual({
      json: { revoked: 'ci' },
      exitCode: 0,
      rows: [],
    });
  });

  it('change nothing with --dry-run', async () => {
    const site = await createMigratedSite();
    await create(site, '--name', 'ci', '--type', 'read-only');
    const before = tokensIn(site);
    const renewed = await runCommand(TokenRegenerate, ['ci', '--dry-run'], { cwd: site.root });
    expect(renewed.stdout).toBe('Would replace the key of the token ci (read-only, unlimited).\n');
    const revoked = await runCommand(TokenRevoke, ['ci', '--dry-run', '--json'], { cwd: site.root });
    expect(revoked.json()).toEqual({ revoked: 'ci', dryRun: true });
    expect(tokensIn(site)).toEqual(before);
  });

  it.each([[TokenShow], [TokenRevoke], [TokenRegenerate]] as const)(
    'suggest the nearest name',
    async (command) => {
      const site = await createMigratedSite();
      await create(site, '--name', 'deploy', '--type', 'read-only');
      const before = tokensIn(site);
      const { exitCode, stderr } = await runCommand(command, ['depoly'], { cwd: site.root });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Did you mean deploy?');
      expect(tokensIn(site)).toEqual(before);
    },
  );

  it('ask on a terminal, and a no changes nothing', async () => {
    const site = await createMigratedSite();
    await create(site, '--name', 'ci', '--type', 'read-only');
    const before = tokensIn(site);
    for (const command of [TokenRevoke, TokenRegenerate]) {
      const terminal = createFakeTerminal({ cwd: site.root, tty: true });
      const done = runOn(terminal, command, ['ci']);
      await terminal.waitForText('ci (read-only, unlimited)?');
      terminal.type('n\r');
      expect(await done).toBe(1);
      expect(terminal.out()).toBe('');
    }
    expect(tokensIn(site)).toEqual(before);
    const confirmingTerminal = createFakeTerminal({ cwd: site.root, tty: true });
    expect(await runOn(confirmingTerminal, TokenRevoke, ['ci', '--yes'])).toBe(0);
    expect(tokensIn(site)).toEqual([]);
  });
});
