import { describe, expect, it } from 'vitest';
import ProviderDisable from '../../../src/commands/provider/disable.js';
import ProviderEnable from '../../../src/commands/provider/enable.js';
import ProviderList from '../../../src/commands/provider/list.js';
import ProviderSet from '../../../src/commands/provider/set.js';
import { createMigratedSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';

describe('cms provider', () => {
  it('keeps settings, switches providers on and off, and never prints a secret', async () => {
    const site = await createMigratedSite();
    const options = { cwd: site.root, stdin: 'hidden-secret\n' };
    const list = async (): Promise<unknown> => (await runCommand(ProviderList, ['--json'], options)).json();
    const set = ['github', '--key', 'k', '--secret', '-', '--callback', 'https://example.com/done'];
    expect((await runCommand(ProviderSet, [...set, '--dry-run'], options)).exitCode).toBe(0);
    expect(await list()).toEqual([]);
    const made = await runCommand(ProviderSet, set, options);
    expect(made.stdout).toContain('Set up signing in with github.');
    expect(made.stderr).toContain('/api/connect/github/callback');
    const github = {
      name: 'github',
      isEnabled: false,
      key: 'k',
      hasSecret: true,
      callback: 'https://example.com/done',
      redirect: expect.stringMatching(/\/api\/connect\/github\/callback$/),
      isDeclared: false,
    };
    expect(await list()).toEqual([github]);
    await runCommand(ProviderEnable, ['github'], options);
    await runCommand(ProviderSet, ['github', '--key', 'other'], options);
    expect(await list()).toEqual([{ ...github, isEnabled: true, key: 'other' }]);
    await runCommand(ProviderDisable, ['github'], options);
    const listed = await runCommand(ProviderList, [], options);
    expect(listed.stdout).toMatch(/github +disabled +other/);
    expect(made.stdout + made.stderr + listed.stdout).not.toContain('hidden-secret');
  });

  it.each([
    [ProviderSet, ['twiter', '--key', 'k'], 'auth/unknown-provider', /There is no provider twiter/],
    [ProviderSet, ['twitter', '--key', 'k'], 'auth/provider-unsupported', /OAuth 1/],
    [ProviderEnable, ['google'], 'auth/provider-without-key', /cms provider set google/],
  ])('%# says what is wrong', async (command, argv, code, message) => {
    const site = await createMigratedSite();
    const failed = await runCommand(command, [...argv, '--json'], { cwd: site.root });
    expect(failed.exitCode).not.toBe(0);
    expect(JSON.stringify(failed.json())).toContain(code);
    expect(failed.stdout).toMatch(message);
  });
});
