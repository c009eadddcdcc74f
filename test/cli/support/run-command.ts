import { CliConfig } from '../../../src/cli/terminal/terminal.js';
import type { Outcome } from '../../../src/cli/outcome.js';
import { runAndReport } from '../../../src/cli/run.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';
import { createFakeTerminal } from './fake-terminal.js';
import type { FakeTerminalOptions } from './fake-terminal.js';
import { packageRoot } from './package-root.js';

interface RunnableCommand {
  id: string;
  readonly name: string;
  run(argv: string[], config: CliConfig): Promise<unknown>;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Stdout read as JSON. Throws where it is not exactly one document. */
  readonly json: <T = unknown>() => T;
}

/**
 * Commands are named after their ids (`TokenCreate` is `token:create`), which oclif gives them only when it
 * finds them itself.
 */
const nameCommand = (command: RunnableCommand): void => {
  command.id ??= command.name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ':').toLowerCase();
};

/** Runs a command class in this process on the given terminal and returns the exit code. */
export function runOn(
  terminal: Terminal,
  command: RunnableCommand,
  argv: readonly string[],
): Promise<number> {
  nameCommand(command);
  return runAndReport(terminal, argv, async () => {
    const config = new CliConfig({ root: packageRoot }, terminal);
    await config.load();
    return (await command.run([...argv], config)) as Outcome;
  });
}

/**
 * Runs a command class in this process, in a folder, with its output captured.
 *
 * @example
 *   const { json, exitCode } = await runCommand(TokenList, ['--json'], { cwd: project.root });
 */
export async function runCommand(
  command: RunnableCommand,
  argv: readonly string[],
  options: FakeTerminalOptions,
): Promise<CommandResult> {
  const terminal = createFakeTerminal(options);
  const exitCode = await runOn(terminal, command, argv);
  return {
    stdout: terminal.out(),
    stderr: terminal.err(),
    exitCode,
    json: <T>() => JSON.parse(terminal.out()) as T,
  };
}
