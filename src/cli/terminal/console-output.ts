import { Console } from 'node:console';
import type { Terminal } from './terminal.js';

const STDOUT_METHODS = ['log', 'info', 'debug', 'dir', 'table'] as const;

type ConsoleMethods = Pick<Console, (typeof STDOUT_METHODS)[number]>;

const withMethods = async <T>(methods: ConsoleMethods, work: () => Promise<T>): Promise<T> => {
  const originals = STDOUT_METHODS.map((name) => [name, console[name]] as const);
  for (const name of STDOUT_METHODS) console[name] = methods[name];
  try {
    return await work();
  } finally {
    for (const [name, original] of originals) console[name] = original;
  }
};

/** What a project's code writes to stdout would end up in what a command prints, such as a token. */
export function withConsoleOnStderr<T>(work: () => Promise<T>): Promise<T> {
  const { error } = console;
  return withMethods({ log: error, info: error, debug: error, dir: error, table: error }, work);
}

/** For code whose output is what the command prints. */
export function withConsoleOnStdout<T>(
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  work: () => Promise<T>,
): Promise<T> {
  return withMethods(new Console({ stdout, stderr }), work);
}
