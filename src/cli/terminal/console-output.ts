import { Console } from 'node:console';
import type { Terminal } from './terminal.js';

const STDOUT_METHODS = ['log', 'info', 'debug', 'dir', 'table'] as const;
const STDERR_METHODS = ['error', 'warn', 'trace'] as const;

type ConsoleMethods = Partial<
  Pick<Console, (typeof STDOUT_METHODS)[number] | (typeof STDERR_METHODS)[number]>
>;

const withMethods = async <T>(methods: ConsoleMethods, work: () => Promise<T>): Promise<T> => {
  const originals = [...STDOUT_METHODS, ...STDERR_METHODS].map((name) => [name, console[name]] as const);
  for (const [name, original] of originals) console[name] = methods[name] ?? original;
  try {
    return await work();
  } finally {
    for (const [name, original] of originals) console[name] = original;
  }
};

/**
 * Runs work with the console on stderr. Output of project code on stdout would otherwise mix with a command's
 * result, such as a token.
 */
export function withConsoleOnStderr<T>(work: () => Promise<T>): Promise<T> {
  const { error } = console;
  return withMethods({ log: error, info: error, debug: error, dir: error, table: error }, work);
}

/** For code whose output is what the command prints. */
export function withConsoleOnStdout<T>(
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  work: () => Promise<T>,
): Promise<T> {
  const { log, info, debug, dir, table } = new Console({ stdout, stderr });
  return withMethods({ log, info, debug, dir, table }, work);
}

/** For commands that draw on the whole screen, where a line of project code has a place of its own. */
export function withConsoleOn<T>(lines: NodeJS.WritableStream, work: () => Promise<T>): Promise<T> {
  return withMethods(new Console({ stdout: lines, stderr: lines }), work);
}
