import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from './support/run-command.js';
import { createTempFolder, createTempProject } from './support/temp-project.js';
import { Greet, Throw, cwd } from './support/sample-commands.js';

describe('a result', () => {
  it('goes to stdout alone, everything else to stderr', async () => {
    const { stdout, stderr, exitCode } = await runCommand(Greet, ['Ada'], { cwd });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: 'hello Ada\n',
      stderr: 'greeting\nWarning: careful\n',
      exitCode: 0,
    });
  });

  it('is exactly one JSON document with --json, wherever the flag stands', async () => {
    for (const argv of [
      ['--json', 'Ada', '--loud'],
      ['Ada', '--loud', '--json'],
    ]) {
      const { json, stderr, exitCode } = await runCommand(Greet, argv, { cwd });
      expect({ document: json(), stderr, exitCode }).toEqual({
        document: { who: 'Ada', loud: true },
        stderr: 'greeting\nWarning: careful\n',
        exitCode: 0,
      });
    }
  });

  it('may carry an exit code of its own', async () => {
    expect(await runCommand(Throw, ['pending'], { cwd })).toMatchObject({
      stdout: '1 pending\n',
      stderr: '',
      exitCode: 4,
    });
  });

  it('does not treat what follows -- as a flag', async () => {
    expect(await runCommand(Greet, ['--', '--json'], { cwd })).toMatchObject({
      stdout: 'hello --json\n',
      exitCode: 0,
    });
  });

  it('does not take a missing argument from piped input', async () => {
    expect(await runCommand(Greet, ['Ada'], { cwd, stdin: 'Grace\n' })).toMatchObject({
      stdout: 'hello Ada\n',
    });
    expect((await runCommand(Greet, [], { cwd, stdin: 'Grace\n' })).exitCode).toBe(2);
  });
});

describe('wrong usage exits with 2', () => {
  it.each([
    [['Ada', '--lodu'], 'Unknown flag --lodu for cms sample greet.', 'Did you mean --loud?'],
    [['Ada', '--lodu=yes'], 'Unknown flag --lodu for cms sample greet.', 'Did you mean --loud?'],
    [['Ada', '--zzzzzz'], 'Unknown flag --zzzzzz for cms sample greet.', 'See: cms sample greet --help'],
    [['Ada', '--jsn'], 'Unknown flag --jsn for cms sample greet.', 'Did you mean --json?'],
    [[], 'Missing <who>.', 'Usage: cms sample greet <who> [<rest>]'],
    [['a', 'b', 'c'], 'Unexpected argument c for cms sample greet.', 'See: cms sample greet --help'],
    [
      ['Ada', '--tone', 'frendly'],
      'Expected --tone=frendly to be one of: formal, friendly',
      'Did you mean --tone friendly?',
    ],
    [
      ['Ada', '--tone', 'zzz'],
      'Expected --tone=zzz to be one of: formal, friendly',
      'See: cms sample greet --help',
    ],
    [
      ['Ada', '--tone'],
      'Flag --tone expects one of these values: formal, friendly',
      'See: cms sample greet --help',
    ],
    [
      ['Ada', '--times', 'many'],
      'Parsing --times Expected an integer but received: many',
      'See: cms sample greet --help',
    ],
  ])('%j', async (argv, message, hint) => {
    const text = await runCommand(Greet, argv, { cwd });
    expect({ stdout: text.stdout, stderr: text.stderr, exitCode: text.exitCode }).toEqual({
      stdout: '',
      stderr: `Error: ${message}\nHint: ${hint}\n`,
      exitCode: 2,
    });
    const document = await runCommand(Greet, [...argv, '--json'], { cwd });
    expect({ stderr: document.stderr, exitCode: document.exitCode }).toEqual({ stderr: '', exitCode: 2 });
    expect(document.json()).toEqual({ error: { code: expect.stringMatching(/^cli\//), message, hint } });
  });
});

describe('errors', () => {
  it('list their faults and exit with 1', async () => {
    expect(await runCommand(Throw, ['values'], { cwd })).toMatchObject({
      stdout: '',
      stderr: 'Error: 1 error occurred\n  title: is too long\n',
      exitCode: 1,
    });
  });

  it('spell the commands of their hints as they can be typed', async () => {
    const folder = createTempFolder();
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/.bin/cms'), '');
    const options = { cwd: folder };
    expect((await runCommand(Throw, ['project'], options)).stderr).toContain('with: npx cms new my-site\n');
    expect((await runCommand(Throw, ['project', '--json'], options)).json()).toMatchObject({
      error: { hint: expect.stringContaining('with: npx cms new my-site') as string },
    });
  });

  it('nobody foresaw show their message, and their stack only with DEBUG', async () => {
    const quiet = await runCommand(Throw, ['surprise'], { cwd });
    expect(quiet).toMatchObject({
      stdout: '',
      stderr: 'Error: x is not a function\nHint: Set DEBUG=1 for the stack trace.\n',
      exitCode: 1,
    });
    const loud = await runCommand(Throw, ['surprise'], { cwd, env: { DEBUG: '1' } });
    expect(loud.stderr).toMatch(/TypeError: x is not a function\n\s+at /);
    expect(loud.stderr).toContain('Caused by: Error: the root of it');
  });

  it('are one JSON document with --json, also with DEBUG', async () => {
    const { json, stderr, exitCode } = await runCommand(Throw, ['surprise', '--json'], {
      cwd,
      env: { DEBUG: '1' },
    });
    expect(json()).toEqual({
      error: {
        code: 'cli/unexpected',
        message: 'x is not a function',
        hint: 'Set DEBUG=1 for the stack trace.',
      },
    });
    expect(stderr).toContain('TypeError');
    expect(exitCode).toBe(1);
  });

  it('name cms new outside a project, and find the project from below', async () => {
    const folder = createTempFolder();
    const outside = await runCommand(Throw, ['project', '--json'], { cwd: folder });
    expect(outside.exitCode).toBe(1);
    expect(outside.json()).toEqual({
      error: {
        code: 'cli/project-not-found',
        message: `There is no cms.config.ts, .js or .mjs in ${folder} or any folder above it.`,
        hint: 'Change to the folder of a project, or create a project with: cms new my-site',
      },
    });
    const project = createTempProject({ 'src/api/deep/file.txt': '' });
    const inside = await runCommand(Throw, ['project', '--json'], {
      cwd: join(project.root, 'src/api/deep'),
    });
    expect(inside.json()).toEqual({ root: project.root });
  });
});

describe('colour and progress', () => {
  const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(Throw, argv, { cwd, env, tty: true });

  it('are for terminals, and NO_COLOR, TERM=dumb and --no-color switch them off', async () => {
    expect((await run(['values'])).stderr).toContain('\u001B[31m');
    for (const plain of [
      await run(['values'], { NO_COLOR: '1' }),
      await run(['values'], { TERM: 'dumb' }),
      await run(['values', '--no-color']),
    ]) {
      expect(plain.stderr).not.toContain('\u001B');
    }
  });

  it('show a spinner on a terminal, and plain lines without one', async () => {
    const terminal = await run(['progress'], { NO_COLOR: '1' });
    expect(terminal.stderr).toContain('\r\u001B[2K⠋ Counting');
    expect(terminal.stderr).toMatch(/✔ Counting \(\d+ ms\)\n$/);
    const piped = await runCommand(Throw, ['progress'], { cwd });
    expect(piped.stderr).toMatch(/^Counting…\n✔ Counting \(\d+ ms\)\n$/);
    expect([terminal.stdout, piped.stdout]).toEqual(['2\n', '2\n']);
  });
});
