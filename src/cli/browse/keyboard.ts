import { PassThrough } from 'node:stream';
import type { InputStream } from '../terminal/terminal.js';

/** The keys of a terminal, which other programs may read in between. */
export interface Keyboard {
  /** The typed keys, as the stream of a terminal. */
  readonly input: NodeJS.ReadStream;
  readonly listen: () => void;
  /** Leaves the keys, and the terminal's own handling of them, to others. */
  readonly release: () => void;
}

/** `setRawMode` of the stream; in a test it may have none. */
const setRawMode = (stream: InputStream, isRaw: boolean): void => {
  const method: unknown = Reflect.get(stream, 'setRawMode');
  if (typeof method === 'function') method.call(stream, isRaw);
};

export function createKeyboard(stdin: InputStream): Keyboard {
  const typed = new PassThrough();
  // What Ink asks of a terminal. Raw mode is switched here, so that it is switched back in every case.
  const input = Object.assign(typed, {
    isTTY: true,
    isRaw: true,
    fd: 0,
    setRawMode: () => input,
    ref: () => input,
    unref: () => input,
  }) as unknown as NodeJS.ReadStream;
  const pass = (chunk: Buffer | string): void => void typed.write(chunk);
  const restore = (): void => setRawMode(stdin, false);
  return {
    input,
    listen: () => {
      setRawMode(stdin, true);
      process.on('exit', restore);
      stdin.on('data', pass).resume();
    },
    release: () => {
      stdin.off('data', pass).pause();
      process.off('exit', restore);
      restore();
    },
  };
}
