import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFakeTerminal } from './support/fake-terminal.js';
import { runCommand, runOn } from './support/run-command.js';
import { createTempFolder } from './support/temp-project.js';
import { Ask, Drop, cwd } from './support/sample-commands.js';

describe('a missing value', () => {
  it('is asked for on a terminal, drawn on stderr, secrets masked', async () => {
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = runOn(terminal, Ask, ['--json', '--template', 'blog']);
    await terminal.waitForText('Folder');
    terminal.type('site\r');
    await terminal.waitForText('Name');
    terminal.type('ci\r');
    await terminal.waitForText('Password');
    terminal.type('s3cret\r');
    expect(await done).toBe(0);
    expect(JSON.parse(terminal.out())).toEqual({
      dir: 'site',
      name: 'ci',
      template: 'blog',
      password: 's3cret',
    });
    expect(terminal.err()).not.toContain('s3cret');
  });

  it.each([
    [[], '<dir>'],
    [['site'], '--name'],
    [['site', '--name', 'ci'], '--password'],
  ])('%j without a terminal is an error naming what is missing', async (argv, label) => {
    const { stderr, exitCode, stdout } = await runCommand(Ask, argv, { cwd });
    expect({ stderr, exitCode, stdout }).toEqual({
      stderr:
        `Error: Missing ${label}.\nHint: Pass ${label}. ` +
        'Commands prompt only on a terminal, and not with --yes or in CI.\n',
      exitCode: 2,
      stdout: '',
    });
  });

  it.each([
    ['--yes is given', ['--yes'], {}],
    ['CI is set', [], { CI: 'true' }],
  ])('is never asked for when %s', async (_name, argv, env) => {
    expect(await runCommand(Ask, argv, { cwd, env, tty: true })).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('left with %s ends with 130 and without a word', async (_name, key) => {
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = runOn(terminal, Ask, []);
    await terminal.waitForText('Folder');
    terminal.type(key);
    expect(await done).toBe(130);
    expect(terminal.out()).toBe('');
    expect(terminal.err()).not.toMatch(/Error|at .*\.js/);
  });
});

describe('a secret', () => {
  const argv = ['site', '--name', 'ci', '--json'];
  const password = async (more: readonly string[], stdin = ''): Promise<unknown> =>
    (await runCommand(Ask, [...argv, ...more], { cwd: folder(), stdin })).json<{ password: unknown }>()
      .password;
  const folder = (): string => {
    const path = createTempFolder();
    writeFileSync(join(path, 'secret.txt'), 'from a file\n');
    return path;
  };

  it('comes from standard input, a file or the flag', async () => {
    expect(await password(['--password', '-'], 'two\nlines\n')).toBe('two\nlines');
    expect(await password(['--password-file', 'secret.txt'])).toBe('from a file');
    expect(await password(['--password', 'plain'])).toBe('plain');
  });

  it('is refused when empty, or given twice', async () => {
    const empty = await runCommand(Ask, [...argv, '--password', '-'], { cwd });
    expect(empty.exitCode).toBe(2);
    expect(empty.json()).toMatchObject({
      error: { code: 'cli/empty-secret', message: 'The value of --password is empty.' },
    });
    const twice = await runCommand(Ask, [...argv, '--password', 'a', '--password-file', 'b'], { cwd });
    expect(twice.exitCode).toBe(2);
    expect(twice.json()).toMatchObject({ error: { code: 'cli/invalid-usage' } });
  });
});

describe('losing data', () => {
  const lossMessage = 'This loses data:\n  article.title: the column is dropped (3 rows hold a value)\n';

  it('is refused with 3, after saying what is lost, also with --yes', async () => {
    for (const argv of [[], ['--yes']]) {
      const { stdout, stderr, exitCode } = await runCommand(Drop, argv, { cwd });
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
      expect(stderr).toBe(
        `${lossMessage}Error: Data would be lost: article.title\n` +
          'Hint: Pass --accept-data-loss to delete the data.\n',
      );
    }
    expect((await runCommand(Drop, ['--yes'], { cwd, tty: true })).exitCode).toBe(3);
  });

  it('goes ahead with --accept-data-loss, having said it all the same', async () => {
    expect(await runCommand(Drop, ['--accept-data-loss'], { cwd })).toMatchObject({
      stdout: 'dropped\n',
      stderr: lossMessage,
      exitCode: 0,
    });
  });

  it('is asked for on a terminal, and Enter means no', async () => {
    for (const [keys, exitCode] of [
      ['\r', 3],
      ['y\r', 0],
    ] as const) {
      const terminal = createFakeTerminal({ cwd, tty: true });
      const done = runOn(terminal, Drop, []);
      await terminal.waitForText('Lose this data?');
      terminal.type(keys);
      expect(await done).toBe(exitCode);
    }
  });

  it('is no question where nothing is lost', async () => {
    expect(await runCommand(Drop, ['--none'], { cwd, tty: true })).toMatchObject({ stderr: '', exitCode: 0 });
  });
});

describe('a routine step', () => {
  it('needs a yes: typed, or --yes', async () => {
    expect(await runCommand(Drop, ['--routine', '--none', '--yes'], { cwd })).toMatchObject({
      stderr: '',
      exitCode: 0,
    });
    const unconfirmed = await runCommand(Drop, ['--routine', '--none'], { cwd });
    expect(unconfirmed).toMatchObject({
      stderr: 'Error: Not confirmed: Write two files?\nHint: Pass --yes to confirm.\n',
      exitCode: 2,
    });
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = runOn(terminal, Drop, ['--routine', '--none']);
    await terminal.waitForText('Write two files?');
    terminal.type('n\r');
    expect(await done).toBe(1);
    expect(terminal.err()).toContain('Cancelled; nothing was changed.');
  });
});
