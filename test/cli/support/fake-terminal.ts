import { PassThrough, Writable } from 'node:stream';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';

/** Keeps what is written. A prompt that ends its output does not end this stream, as with the real ones. */
class Recorder extends Writable {
  readonly isTTY: boolean;
  readonly columns = 80;
  text = '';

  constructor(isTTY: boolean) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }

  override end(): this {
    return this;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface FakeTerminalOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in; absent: nothing, at once. Ignored where `tty` is on. */
  readonly stdin?: string;
  /** Stdin, stdout and stderr are terminals. Keys are typed with `type`. */
  readonly tty?: boolean;
}

/** A terminal in memory: what a command prints can be read, and what is typed can be sent. */
export interface FakeTerminal extends Terminal {
  readonly out: () => string;
  readonly err: () => string;
  /** Sends keys as a terminal would: `\r` is Enter, `\u0003` is Ctrl-C. */
  readonly type: (keys: string) => void;
  /** Resolves as soon as stderr holds the text. */
  readonly waitForText: (text: string) => Promise<void>;
}

const POLL_MS = 5;
const TIMEOUT_MS = 10_000;

export function createFakeTerminal({
  cwd,
  env = {},
  stdin = '',
  tty = false,
}: FakeTerminalOptions): FakeTerminal {
  const [stdout, stderr] = [new Recorder(tty), new Recorder(tty)];
  const input = Object.assign(new PassThrough(), { isTTY: tty });
  if (!tty) input.end(stdin);
  const waitForText = async (text: string): Promise<void> => {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!stderr.text.includes(text)) {
      if (Date.now() > deadline)
        throw new Error(`stderr never showed ${JSON.stringify(text)}; it holds:\n${stderr.text}`);
      await new Promise((resolve) => {
        setTimeout(resolve, POLL_MS);
      });
    }
  };
  return {
    stdin: input,
    stdout,
    stderr,
    env,
    cwd,
    out: () => stdout.text,
    err: () => stderr.text,
    type: (keys) => {
      input.write(keys);
    },
    waitForText,
  };
}
