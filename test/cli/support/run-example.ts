import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { answerAll } from './answer-all.js';
import { binaryPath, plainEnvironment } from './binary.js';
import { commandFiles, loadCommand } from './command-files.js';
import type { ExampleState } from './example-states.js';
import { createFakeTerminal } from './fake-terminal.js';
import { runOn } from './run-command.js';
import { startProcess, waitFor } from './server-process.js';
import { installCms, installProgram, runScript } from './shell.js';
import { copyProject, createTempFolder } from './temp-project.js';
import type { TempProject } from './temp-project.js';

/** The words of a command line without their quotes. */
const wordsOf = (line: string): readonly string[] =>
  (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );

/** True if a line is more than words: it has pipes, redirections or variables. */
const needsShell = (line: string): boolean => /[|<>$`;&]/.test(line.replaceAll(/'[^']*'/g, ''));

/** The longest command that a line of words begins with: `cms migrate deploy` is not `cms migrate`. */
const parseLine = (line: string) => {
  const [, ...words] = wordsOf(line);
  const [command] = commandFiles
    .filter(({ id }) => `${words.join(' ')} `.startsWith(`${id} `))
    .toSorted((left, right) => right.id.length - left.id.length);
  if (command === undefined) throw new Error(`${line} is no command`);
  return { file: command.file, argv: words.slice(command.id.split(' ').length) };
};

interface InProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly answers?: ExampleState['answers'];
}

const runInProcess = async (
  line: string,
  { root }: TempProject,
  { env, answers }: InProcessOptions,
): Promise<void> => {
  const { file, argv } = parseLine(line);
  const terminal = createFakeTerminal({ cwd: root, env, tty: answers !== undefined });
  const done = runOn(terminal, await loadCommand(file), argv);
  await answerAll(terminal, answers ?? []);
  const exitCode = await done;
  if (exitCode !== 0) throw new Error(`${line} ended with ${exitCode}:\n${terminal.err()}`);
  if (argv.includes('--json')) JSON.parse(terminal.out());
};

/** Serves, on free ports instead of the usual ones, until the server says that it works. */
const serve = async (line: string, { root }: TempProject): Promise<void> => {
  const port = String(await freePort());
  const argv = wordsOf(line.replace('8080', port)).slice(1);
  const server = await startProcess(argv, { cwd: root, env: { PORT: port } });
  const { status } = await fetch(`http://127.0.0.1:${port}/_health`);
  expect({ line, status, stderr: server.stderr() }).toMatchObject({ status: 204 });
  server.signal('SIGTERM');
  expect({ line, exitCode: await server.ended }).toEqual({ line, exitCode: 0 });
};

/** Runs a command that ends only when it is stopped, until stderr holds the text. */
const runUntil = async (text: string, line: string, { root }: TempProject): Promise<void> => {
  const child = spawn(process.execPath, [binaryPath, ...wordsOf(line).slice(1)], {
    cwd: root,
    env: plainEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  try {
    await waitFor(`${text} on stderr of ${line}`, () => {
      if (child.exitCode !== null) throw new Error(`${line} ended with ${child.exitCode}:\n${stderr}`);
      return stderr.includes(text) ? true : undefined;
    });
  } finally {
    child.kill('SIGKILL');
  }
};

/** Nothing of this process that would change what a command does, and no home but the project. */
const environmentOf = (site: TempProject, { env }: ExampleState): Readonly<Record<string, string>> => ({
  ...plainEnvironment(env),
  HOME: site.root,
  PATH: installCms(site.root),
});

/** Copies a project and brings it into the state that an example needs. */
export async function prepareProject(from: string, to: string, state: ExampleState): Promise<void> {
  const site = copyProject(from, to);
  // As if the packages of new projects were installed.
  installProgram(site.root, 'npm', 'exit 0');
  const env = environmentOf(site, state);
  const cms = async (line: string): Promise<void> => {
    await runInProcess(line, site, { env });
  };
  await state.prepare?.({ ...site, cms });
}

/**
 * Runs an example in a copy of a prepared project and expects it to succeed: in a shell where it is more than
 * words, as a process where it serves, and in this process otherwise.
 */
export async function runExample(line: string, state: ExampleState, project: string): Promise<void> {
  const site = copyProject(project, createTempFolder());
  const env = environmentOf(site, state);
  if (state.isServer === true) return serve(line, site);
  if (state.runsUntil !== undefined) return runUntil(state.runsUntil, line, site);
  if (needsShell(line) || state.shell !== undefined) {
    const { name, setUp } = state.shell ?? { name: 'bash', setUp: '' };
    await runScript(`set -e -o pipefail\n${setUp}\n${line}\n`, { cwd: site.root, env, shell: name });
    return;
  }
  await runInProcess(line, site, { env, ...(state.answers === undefined ? {} : { answers: state.answers }) });
}
