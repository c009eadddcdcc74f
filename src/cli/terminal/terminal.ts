/**
 * The folder terminal contains input, output, signals and errors of commands, beginning with the streams in
 * this file.
 */
import { Console } from 'node:console';
import { Config } from '@oclif/core/config';
import type { Options } from '@oclif/core/interfaces';

/** A readable stream that may be a terminal. */
export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean };
/** A writable stream that may be a terminal; `columns` and `rows` are its size in cells. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The parts of the process that a command uses, passed as an argument so that tests can replace them. */
export interface Terminal {
  readonly stdin: InputStream;
  /** For results only. */
  readonly stdout: OutputStream;
  /** Progress, questions, hints and errors. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The absolute path of the working directory. */
  readonly cwd: string;
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** True if `CI` is set, except to `0` or `false`. */
function isCi(terminal: Terminal): boolean {
  const value = terminal.env['CI'];
  return isSet(value) && value !== '0' && value !== 'false';
}

/**
 * True if the user can answer questions: stdin, which has the answers, and stderr, which shows the questions,
 * are terminals.
 */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true && !isCi(terminal);
}

/** True if the stream is a terminal that supports color, and `NO_COLOR` is empty or not set. */
export function wantsColor(terminal: Terminal, stream: OutputStream): boolean {
  return stream.isTTY === true && !isSet(terminal.env['NO_COLOR']) && terminal.env['TERM'] !== 'dumb';
}

/** True if `DEBUG` is set. */
export function wantsStackTraces(terminal: Terminal): boolean {
  return isSet(terminal.env['DEBUG']);
}

/** Writes text, and adds a missing final newline. */
export function writeText(stream: OutputStream, text: string): void {
  if (text !== '') stream.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** The style of text on a stream. The functions return it unchanged if color is off. */
export interface Style {
  /** The width of the terminal in cells. Undefined for pipes and files, where text is not wrapped. */
  readonly width?: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly inverse: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const wrap =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001B[${open}m${text}\u001B[${close}m`;
const plain = (text: string): string => text;

const COLORED: Style = Object.freeze({
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  inverse: wrap(7, 27),
  red: wrap(31, 39),
  green: wrap(32, 39),
  yellow: wrap(33, 39),
  cyan: wrap(36, 39),
});

const PLAIN: Style = Object.freeze({
  bold: plain,
  dim: plain,
  inverse: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
});

export function styleFor(color: boolean, width?: number): Style {
  const style = color ? COLORED : PLAIN;
  return width === undefined ? style : { ...style, width };
}

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

/** Runs work with the console on stdout, for code whose output is the result of the command. */
export function withConsoleOnStdout<T>(
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  work: () => Promise<T>,
): Promise<T> {
  const { log, info, debug, dir, table } = new Console({ stdout, stderr });
  return withMethods({ log, info, debug, dir, table }, work);
}

/** Runs work with a callback for console lines, for commands that draw on the whole screen. */
export function withConsoleOn<T>(lines: NodeJS.WritableStream, work: () => Promise<T>): Promise<T> {
  return withMethods(new Console({ stdout: lines, stderr: lines }), work);
}

/** oclif's configuration with the terminal that commands read from and print to. */
export class CliConfig extends Config {
  readonly terminal: Terminal;

  constructor(options: Options, terminal: Terminal) {
    super(options);
    this.terminal = terminal;
  }
}
