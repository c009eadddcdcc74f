/** A readable stream that may be a terminal. */
export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean };
/** A writable stream that may be a terminal; `columns` and `rows` are its size in cells. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/**
 * The parts of its process that a command uses. They are passed in, so that commands can be tested without
 * touching the real process.
 */
export interface Terminal {
  readonly stdin: InputStream;
  /** Only results are printed here. */
  readonly stdout: OutputStream;
  /** Progress, questions, hints and errors. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The absolute path of the working directory. */
  readonly cwd: string;
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** True where `CI` is set, except to `0` or `false`. */
function isCi(terminal: Terminal): boolean {
  const value = terminal.env['CI'];
  return isSet(value) && value !== '0' && value !== 'false';
}

/** True where questions can be answered: they are read from stdin and drawn on stderr. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true && !isCi(terminal);
}

/** True where the stream is a terminal that shows colour and `NO_COLOR` is empty or not set. */
export function wantsColor(terminal: Terminal, stream: OutputStream): boolean {
  return stream.isTTY === true && !isSet(terminal.env['NO_COLOR']) && terminal.env['TERM'] !== 'dumb';
}

/** True where `DEBUG` is set. */
export function wantsStackTraces(terminal: Terminal): boolean {
  return isSet(terminal.env['DEBUG']);
}

/** Writes text and adds a final newline where it is missing. */
export function writeText(stream: OutputStream, text: string): void {
  if (text !== '') stream.write(text.endsWith('\n') ? text : `${text}\n`);
}
