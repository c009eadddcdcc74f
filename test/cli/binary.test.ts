import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binaryPath, plainEnvironment, runBinary } from './support/binary.js';
import { loadedModules } from './support/loaded-modules.js';
import { packageRoot } from './support/package-root.js';
import { createTempFolder, createTempProject } from './support/temp-project.js';

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const run = (...argv: readonly string[]) => runBinary(argv, { cwd: createTempFolder() });

describe('cms --version', () => {
  it.each([['--version'], ['-v']])('%s tells the version from any folder', async (flag) => {
    expect(await run(flag)).toEqual({
      stdout: `galley/${version} ${process.platform}-${process.arch} node-${process.version}\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it.each([
    ['--version', '--json'],
    ['--json', '--version'],
  ])('is a document with --json: %s %s', async (...argv) => {
    const { stdout } = await run(...argv);
    expect(JSON.parse(stdout)).toEqual({
      name: 'galley',
      version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    });
  });
});

describe('an installation', () => {
  const NOBODY = 65_534;
  const isRoot = process.getuid?.() === 0;
  const install = (files: readonly string[]): string => {
    const root = createTempFolder();
    for (const folder of ['bin', 'dist/cli']) mkdirSync(join(root, folder), { recursive: true });
    copyFileSync(binaryPath, join(root, 'bin/run.js'));
    copyFileSync(join(packageRoot, 'package.json'), join(root, 'package.json'));
    for (const file of files) writeFileSync(join(root, file), '');
    return root;
  };
  /** Nothing is unreadable for root, so that root tries as another user. */
  const runIn = (root: string) =>
    spawnSync(process.execPath, [join(root, 'bin/run.js'), 'doctor'], {
      cwd: '/',
      encoding: 'utf8',
      env: plainEnvironment(),
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });

  it('that is not built is distinguished from one that this user may not read', () => {
    const bare = install([]);
    const locked = install(['dist/cli/run.js']);
    for (const root of [bare, locked]) chmodSync(root, 0o755);
    chmodSync(join(locked, 'dist'), 0);
    expect(runIn(bare)).toMatchObject({
      status: 1,
      stderr: 'Error: cms is not built.\nHint: run "npm run build" in its folder.\n',
    });
    const { status, stderr } = runIn(locked);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error: cms cannot be read: EACCES.*\nHint: .*chmod -R a\+rX '.*'\n$/);
  });
});

describe('help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists the commands on stdout', async (argv) => {
    const { stdout, stderr, exitCode } = await run(...argv);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/USAGE\n\s+\$ cms \[COMMAND\]/);
    expect(stdout).toMatch(/^ {2}completion {2}/m);
    expect(stdout).not.toMatch(/^ {2}complete /m);
  });

  it('says what a command does once', async () => {
    const { stdout } = await run('content', 'edit', '--help');
    const sentences = stdout.replaceAll(/\s+/g, ' ');
    expect(sentences.split('Edit the draft of a document').length).toBe(2);
    expect(sentences).toMatch(/ DESCRIPTION Opens \$VISUAL or \$EDITOR /);
    expect((await run('content', 'list', '--help')).stdout).not.toContain('DESCRIPTION');
  });

  it.each([[['completion', '--help']], [['help', 'completion']], [['completion', '-h']]])(
    '%j explains one command',
    async (argv) => {
      const { stdout, exitCode } = await run(...argv);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/USAGE\n\s+\$ cms completion \[SHELL\]/);
      expect(stdout).toContain('EXAMPLES');
      expect(stdout).toContain('--json');
    },
  );

  it('is a document with --json', async () => {
    const { stdout } = await run('completion', '--help', '--json');
    const names = ['json', 'yes', 'no-color'].map((name) =>
      expect.objectContaining({ name, takesValue: false }),
    );
    expect(JSON.parse(stdout)).toEqual({
      commands: [
        {
          command: 'completion',
          description: expect.stringMatching(/^Print a shell completion script/),
          arguments: [{ name: 'shell', multiple: false, options: ['bash', 'zsh', 'fish'] }],
          flags: names,
        },
      ],
    });
    expect(JSON.parse((await run('--json')).stdout)).toMatchObject({
      commands: expect.arrayContaining([expect.objectContaining({ command: 'completion' })]),
    });
  });

  it('of something unknown suggests and exits with 2', async () => {
    expect(await run('help', 'completon')).toEqual({
      stdout: '',
      stderr: 'Error: Unknown command: cms completon\nHint: Did you mean: cms completion?\n',
      exitCode: 2,
    });
  });
});

describe('a wrong command line', () => {
  it('gets the nearest command', async () => {
    expect(await run('completino', 'bash')).toEqual({
      stdout: '',
      stderr: 'Error: Unknown command: cms completino bash\nHint: Did you mean: cms completion?\n',
      exitCode: 2,
    });
  });

  it('is one JSON document with --json, wherever the flag stands', async () => {
    for (const argv of [
      ['--json', 'nonsense-here'],
      ['nonsense-here', '--json'],
    ]) {
      const { stdout, stderr, exitCode } = await run(...argv);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 2 });
      expect(JSON.parse(stdout)).toEqual({
        error: {
          code: 'cli/unknown-command',
          message: 'Unknown command: cms nonsense-here',
          hint: 'See: cms --help',
        },
      });
    }
  });

  it('gets the nearest flag', async () => {
    expect(await run('completion', 'bash', '--jason')).toEqual({
      stdout: '',
      stderr: 'Error: Unknown flag --jason for cms completion.\nHint: Did you mean --json?\n',
      exitCode: 2,
    });
  });

  it.each([
    [['--versoin'], 'Unknown flag --versoin for cms.', 'Did you mean --version?'],
    [['--jsn', '--help'], 'Unknown flag --jsn for cms.', 'Did you mean --json?'],
    [['--port=80'], 'Unknown flag --port for cms.', 'See: cms --help'],
    [['token', '--hlep'], 'Unknown flag --hlep for cms token.', 'Did you mean --help?'],
  ])('%j is no request for help', async (argv, message, hint) => {
    expect(await run(...argv)).toEqual({
      stdout: '',
      stderr: `Error: ${message}\nHint: ${hint}\n`,
      exitCode: 2,
    });
  });

  it('shows no stack, but for DEBUG', async () => {
    const { stderr } = await runBinary(['nonsense'], { cwd: createTempFolder(), env: { DEBUG: 'yes' } });
    expect(stderr).toMatch(/Error: Unknown command: cms nonsense\n/);
    expect(stderr).toMatch(/\n\s+at .*command-not-found\.js/);
  });
});

describe('the process', () => {
  it('carries the result on stdout and ends, with NODE_ENV of any kind', async () => {
    for (const NODE_ENV of ['development', 'test', 'production']) {
      const { stdout, stderr, exitCode } = await runBinary(['completion', 'fish', '--json'], {
        cwd: createTempFolder(),
        env: { NODE_ENV },
      });
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ shell: 'fish' });
    }
  });

  it('reports an error that nobody waited for like any other', async () => {
    const crash = `
      setTimeout(() => { throw new Error('a stray error'); }, 0);
      await new Promise((resolve) => { setTimeout(resolve, 200); });
      export default {};
    `;
    const { root } = createTempProject({ 'cms.config.js': crash });
    expect(await runBinary(['type', 'list'], { cwd: root })).toEqual({
      stdout: '',
      stderr: 'Error: a stray error (cms.config.js:2)\nHint: Set DEBUG=1 for the stack trace.\n',
      exitCode: 1,
    });
    const { stdout, exitCode } = await runBinary(['type', 'list', '--json'], { cwd: root });
    expect([JSON.parse(stdout), exitCode]).toEqual([
      {
        error: {
          code: 'cli/unexpected',
          message: 'a stray error (cms.config.js:2)',
          hint: 'Set DEBUG=1 for the stack trace.',
        },
      },
      1,
    ]);
  });

  it('prints an error whose report cannot be loaded, such as during an update, and ends', async () => {
    const hooks = 'export const load = () => { throw new Error("nothing can be loaded"); };';
    const crash = `
      import { register } from 'node:module';
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
      setTimeout(() => { throw new Error('a stray error'); }, 0);
      await new Promise((resolve) => { setTimeout(resolve, 200); });
      export default {};
    `;
    const { root } = createTempProject({ 'cms.config.js': crash });
    expect(await runBinary(['type', 'list'], { cwd: root })).toMatchObject({
      stderr: expect.stringContaining('Error: a stray error'),
      exitCode: 1,
    });
  });

  it('is not upset by a reader that leaves early', () => {
    const script = `set -o pipefail; "${process.execPath}" "${binaryPath}" completion bash | true; echo "$?"`;
    const output = execFileSync('bash', ['-c', script], {
      cwd: createTempFolder(),
      env: plainEnvironment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(output).toBe('0\n');
  });

  it('loads the command that runs and no other, and no prompts, server or database', () => {
    const loaded = loadedModules(['completion', 'bash']);
    expect(loaded.filter((name) => name.startsWith('src/commands/'))).toEqual(['src/commands/completion.ts']);
    const needless =
      /@inquirer|fastify|mercurius|kysely|@prisma|^src\/(project|server|model|database\/(?!dialect))\//;
    expect(loaded.filter((name) => needless.test(name))).toEqual([]);
  });
});
