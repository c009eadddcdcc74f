/** A readable stream that may be a terminal. */
export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean };
/** A writable stream that may be a terminal; `columns` is its width in cells. */
export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Everything a command knows of the process it runs in. Handed in, so that commands run in tests without touching the real one. */
export interface Terminal {
  readonly stdin: InputStream;
  /** The result, and nothing else. */
  readonly stdout: OutputStream;
  /** Progress, questions, hints and errors. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder the command was called in; absolute. */
  readonly cwd: string;
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** Whether the environment says that nobody is watching: `CI` is set to anything but a word for no. */
export function isCi(terminal: Terminal): boolean {
  const value = terminal.env['CI'];
  return isSet(value) && value !== '0' && value !== 'false';
}

/** Somebody is there to answer: questions are read from stdin and drawn on stderr. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true && !isCi(terminal);
}

/** Colour only on a terminal that wants it; `NO_COLOR` counts whatever its value, as long as there is one. */
export function wantsColor(terminal: Terminal, stream: OutputStream): boolean {
  return stream.isTTY === true && !isSet(terminal.env['NO_COLOR']) && terminal.env['TERM'] !== 'dumb';
}

/** Stack traces are shown to those who ask for them. */
export function wantsStacks(terminal: Terminal): boolean {
  return isSet(terminal.env['DEBUG']);
}

/** Writes whole lines: adds the final newline where it is missing. */
export function writeText(stream: OutputStream, text: string): void {
  if (text !== '') stream.write(text.endsWith('\n') ? text : `${text}\n`);
}
