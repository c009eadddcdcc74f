import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { describe, expect, it } from 'vitest';
import { BaseCommand } from '../../src/commands/base.js';
import type { Loss } from '../../src/commands/support/consent.js';
import { acceptDataLossFlag } from '../../src/commands/support/flags.js';
import type { Outcome } from '../../src/commands/support/outcome.js';
import { secretFlags } from '../../src/commands/support/secret.js';
import { fail } from '../../src/errors/catalogue.js';
import { createFakeTerminal } from './support/fake-terminal.js';
import { runCommand, runOn } from './support/run-command.js';
import { createTempFolder, createTempProject } from './support/temp-project.js';

class Greet extends BaseCommand<typeof Greet> {
  static override id = 'sample:greet';
  static override args = { who: Args.string({ required: true }), rest: Args.string() };
  static override flags = {
    loud: Flags.boolean(),
    tone: Flags.string({ options: ['formal', 'friendly'] }),
    times: Flags.integer(),
  };

  async run(): Promise<Outcome> {
    this.info('greeting');
    this.warn('careful');
    return { json: { who: this.args.who, loud: this.flags.loud }, text: `hello ${this.args.who}` };
  }
}

class Ask extends BaseCommand<typeof Ask> {
  static override id = 'sample:ask';
  static override args = { dir: Args.string() };
  static override flags = { name: Flags.string(), template: Flags.string(), ...secretFlags('password', 'The password.') };

  async run(): Promise<Outcome> {
    const dir = await this.promptOr('<dir>', this.args.dir, (prompts, screen) => prompts.input({ message: 'Folder' }, screen));
    const name = await this.promptOr('name', this.flags.name, (prompts, screen) => prompts.input({ message: 'Name' }, screen));
    const template = await this.promptOr('template', this.flags.template, (prompts, screen) => prompts.input({ message: 'Template' }, screen), 'blank');
    const password = await this.secret('password', 'Password');
    return { json: { dir, name, template, password } };
  }
}

class Drop extends BaseCommand<typeof Drop> {
  static override id = 'sample:drop';
  static override flags = { ...acceptDataLossFlag, none: Flags.boolean(), routine: Flags.boolean() };

  async run(): Promise<Outcome> {
    const losses: readonly Loss[] = [{ what: 'article.title', rows: 3, reason: 'the column is dropped' }];
    if (this.flags.routine === true) await this.confirm('Write two files?');
    await this.acceptLoss(this.flags.none === true ? [] : losses);
    return { json: { dropped: true }, text: 'dropped' };
  }
}

class Throw extends BaseCommand<typeof Throw> {
  static override id = 'sample:throw';
  static override args = { what: Args.string({ required: true }) };

  async run(): Promise<Outcome> {
    if (this.args.what === 'pending') return { json: { pending: 1 }, text: '1 pending', exitCode: 4 };
    if (this.args.what === 'surprise') throw new TypeError('x is not a function', { cause: new Error('the root of it') });
    if (this.args.what === 'project') return { json: { root: this.projectRoot } };
    if (this.args.what === 'progress') {
      const sum = await this.progress('Counting', async (progress) => { progress.update('half way'); return 2; });
      return { json: { sum }, text: String(sum) };
    }
    const details = { errors: [{ path: ['title'], message: 'is too long', name: 'ValidationError' }] } as const;
    throw fail('request/invalid-values', { summary: '1 error occurred' }, { details });
  }
}


const cwd = process.cwd();

describe('a result', () => {
  it('goes to stdout alone, everything else to stderr', async () => {
    const { stdout, stderr, exitCode } = await runCommand(Greet, ['Ada'], { cwd });
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'hello Ada\n', stderr: 'greeting\nWarning: careful\n', exitCode: 0 });
  });

  it('is exactly one JSON document with --json, wherever the flag stands', async () => {
    for (const argv of [['--json', 'Ada', '--loud'], ['Ada', '--loud', '--json']]) {
      const { json, stderr, exitCode } = await runCommand(Greet, argv, { cwd });
      expect({ document: json(), stderr, exitCode }).toEqual({ document: { who: 'Ada', loud: true }, stderr: 'greeting\nWarning: careful\n', exitCode: 0 });
    }
  });

  it('may carry an exit code of its own', async () => {
    expect(await runCommand(Throw, ['pending'], { cwd })).toMatchObject({ stdout: '1 pending\n', stderr: '', exitCode: 4 });
  });

  it('does not treat what follows -- as a flag', async () => {
    expect(await runCommand(Greet, ['--', '--json'], { cwd })).toMatchObject({ stdout: 'hello --json\n', exitCode: 0 });
  });

  it('does not take a missing argument from piped input', async () => {
    expect(await runCommand(Greet, ['Ada'], { cwd, stdin: 'Grace\n' })).toMatchObject({ stdout: 'hello Ada\n' });
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
    [['Ada', '--tone', 'frendly'], 'Expected --tone=frendly to be one of: formal, friendly', 'Did you mean --tone friendly?'],
    [['Ada', '--tone', 'zzz'], 'Expected --tone=zzz to be one of: formal, friendly', 'See: cms sample greet --help'],
    [['Ada', '--tone'], 'Flag --tone expects one of these values: formal, friendly', 'See: cms sample greet --help'],
    [['Ada', '--times', 'many'], 'Parsing --times Expected an integer but received: many', 'See: cms sample greet --help'],
  ])('%j', async (argv, message, hint) => {
    const text = await runCommand(Greet, argv, { cwd });
    expect({ stdout: text.stdout, stderr: text.stderr, exitCode: text.exitCode }).toEqual({ stdout: '', stderr: `Error: ${message}\nHint: ${hint}\n`, exitCode: 2 });
    const document = await runCommand(Greet, [...argv, '--json'], { cwd });
    expect({ stderr: document.stderr, exitCode: document.exitCode }).toEqual({ stderr: '', exitCode: 2 });
    expect(document.json()).toEqual({ error: { code: expect.stringMatching(/^cli\//), message, hint } });
  });
});

describe('errors', () => {
  it('list their faults and exit with 1', async () => {
    expect(await runCommand(Throw, ['values'], { cwd })).toMatchObject({ stdout: '', stderr: 'Error: 1 error occurred\n  title: is too long\n', exitCode: 1 });
  });

  it('nobody foresaw show their message, and their stack only with DEBUG', async () => {
    const quiet = await runCommand(Throw, ['surprise'], { cwd });
    expect(quiet).toMatchObject({ stdout: '', stderr: 'Error: x is not a function\nHint: Set DEBUG=1 for the stack trace.\n', exitCode: 1 });
    const loud = await runCommand(Throw, ['surprise'], { cwd, env: { DEBUG: '1' } });
    expect(loud.stderr).toMatch(/TypeError: x is not a function\n\s+at /);
    expect(loud.stderr).toContain('Caused by: Error: the root of it');
  });

  it('are one JSON document with --json, also with DEBUG', async () => {
    const { json, stderr, exitCode } = await runCommand(Throw, ['surprise', '--json'], { cwd, env: { DEBUG: '1' } });
    expect(json()).toEqual({ error: { code: 'cli/unexpected', message: 'x is not a function', hint: 'Set DEBUG=1 for the stack trace.' } });
    expect(stderr).toContain('TypeError');
    expect(exitCode).toBe(1);
  });

  it('name cms new outside a project, and find the project from below', async () => {
    const folder = createTempFolder();
    const outside = await runCommand(Throw, ['project', '--json'], { cwd: folder });
    expect(outside.exitCode).toBe(1);
    expect(outside.json()).toEqual({ error: {
      code: 'cli/no-project',
      message: `No cms.config.ts, .js or .mjs in ${folder} or any folder above it.`,
      hint: 'Change into a project, or make one with: cms new my-site',
    } });
    const project = createTempProject({ 'src/api/deep/file.txt': '' });
    const inside = await runCommand(Throw, ['project', '--json'], { cwd: join(project.root, 'src/api/deep') });
    expect(inside.json()).toEqual({ root: project.root });
  });
});

describe('colour and progress', () => {
  const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => runCommand(Throw, argv, { cwd, env, tty: true });

  it('are for terminals, and NO_COLOR, TERM=dumb and --no-color switch them off', async () => {
    expect((await run(['values'])).stderr).toContain('\u001B[31m');
    for (const plain of [await run(['values'], { NO_COLOR: '1' }), await run(['values'], { TERM: 'dumb' }), await run(['values', '--no-color'])]) {
      expect(plain.stderr).not.toContain('\u001B');
    }
  });

  it('show a spinner on a terminal and plain lines elsewhere', async () => {
    const terminal = await run(['progress'], { NO_COLOR: '1' });
    expect(terminal.stderr).toContain('\r\u001B[2K⠋ Counting');
    expect(terminal.stderr).toMatch(/✔ Counting \(\d+ ms\)\n$/);
    const piped = await runCommand(Throw, ['progress'], { cwd });
    expect(piped.stderr).toMatch(/^Counting…\n✔ Counting \(\d+ ms\)\n$/);
    expect([terminal.stdout, piped.stdout]).toEqual(['2\n', '2\n']);
  });
});

describe('a missing value', () => {
  it('is asked for on a terminal, drawn on stderr, secrets masked', async () => {
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = runOn(terminal, Ask, ['--json', '--template', 'blog']);
    await terminal.seen('Folder');
    terminal.type('site\r');
    await terminal.seen('Name');
    terminal.type('ci\r');
    await terminal.seen('Password');
    terminal.type('s3cret\r');
    expect(await done).toBe(0);
    expect(JSON.parse(terminal.out())).toEqual({ dir: 'site', name: 'ci', template: 'blog', password: 's3cret' });
    expect(terminal.err()).not.toContain('s3cret');
  });

  it.each([
    [[], '<dir>'],
    [['site'], '--name'],
    [['site', '--name', 'ci'], '--password'],
  ])('%j without a terminal is an error naming what is missing', async (argv, label) => {
    const { stderr, exitCode, stdout } = await runCommand(Ask, argv, { cwd });
    expect({ stderr, exitCode, stdout }).toEqual({ stderr: `Error: Missing ${label}.\nHint: Pass ${label}; it is asked for on a terminal only, and not with --yes or in CI.\n`, exitCode: 2, stdout: '' });
  });

  it.each([
    ['--yes is given', ['--yes'], {}],
    ['CI is set', [], { CI: 'true' }],
  ])('is never asked for when %s', async (_name, argv, env) => {
    expect(await runCommand(Ask, argv, { cwd, env, tty: true })).toMatchObject({ exitCode: 2 });
  });

  it('left with Ctrl-C ends with 130 and without a word', async () => {
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = runOn(terminal, Ask, []);
    await terminal.seen('Folder');
    terminal.type('\u0003');
    expect(await done).toBe(130);
    expect(terminal.out()).toBe('');
    expect(terminal.err()).not.toMatch(/Error|at .*\.js/);
  });
});

describe('a secret', () => {
  const argv = ['site', '--name', 'ci', '--json'];
  const password = async (more: readonly string[], stdin = ''): Promise<unknown> =>
    (await runCommand(Ask, [...argv, ...more], { cwd: folder(), stdin })).json<{ password: unknown }>().password;
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
    expect(empty.json()).toMatchObject({ error: { code: 'cli/empty-secret', message: 'The value of --password is empty.' } });
    const twice = await runCommand(Ask, [...argv, '--password', 'a', '--password-file', 'b'], { cwd });
    expect(twice.exitCode).toBe(2);
    expect(twice.json()).toMatchObject({ error: { code: 'cli/invalid-usage' } });
  });
});

describe('losing data', () => {
  const told = 'This loses data:\n  article.title: the column is dropped (3 rows hold a value)\n';

  it('is refused with 3, after saying what is lost, also with --yes', async () => {
    for (const argv of [[], ['--yes']]) {
      const { stdout, stderr, exitCode } = await runCommand(Drop, argv, { cwd });
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
      expect(stderr).toBe(`${told}Error: Refused, because data would be lost: article.title: the column is dropped (3 rows hold a value)\nHint: Pass --accept-data-loss to go ahead.\n`);
    }
    expect((await runCommand(Drop, ['--yes'], { cwd, tty: true })).exitCode).toBe(3);
  });

  it('goes ahead with --accept-data-loss, having said it all the same', async () => {
    expect(await runCommand(Drop, ['--accept-data-loss'], { cwd })).toMatchObject({ stdout: 'dropped\n', stderr: told, exitCode: 0 });
  });

  it('is asked about on a terminal, and no is the answer of Enter', async () => {
    for (const [keys, exitCode] of [['\r', 3], ['y\r', 0]] as const) {
      const terminal = createFakeTerminal({ cwd, tty: true });
      const done = runOn(terminal, Drop, []);
      await terminal.seen('Lose this data?');
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
    expect(await runCommand(Drop, ['--routine', '--none', '--yes'], { cwd })).toMatchObject({ stderr: '', exitCode: 0 });
    const unasked = await runCommand(Drop, ['--routine', '--none'], { cwd });
    expect(unasked).toMatchObject({ stderr: 'Error: Not confirmed: Write two files?\nHint: Pass --yes to go ahead.\n', exitCode: 2 });
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = runOn(terminal, Drop, ['--routine', '--none']);
    await terminal.seen('Write two files?');
    terminal.type('n\r');
    expect(await done).toBe(1);
    expect(terminal.err()).toContain('Stopped; nothing was changed.');
  });
});
