import { execFileSync, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { plainEnvironment } from './binary.js';

/** `script` of util-linux, which runs a command line in a pseudo-terminal; elsewhere it has other options. */
export const hasPty = ((): boolean => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();

/** Waits until the screen shows the text, then types, or does something else. */
export interface Keystroke {
  readonly when: string;
  readonly type: string | (() => void);
}

export interface PtyResult {
  /** All that was drawn, without colours and cursor movements. */
  readonly screen: string;
  readonly exitCode: number | null;
}

const TIMEOUT_MS = 30_000;

/**
 * Runs a shell command line in a pseudo-terminal and types at it as its questions appear, each looked for
 * after the one before. The shell is the same on every machine. It gets a Ctrl-C, too, and ends by it: a
 * command line to be stopped that way begins with `exec`.
 */
export function runInPty(
  command: string,
  keys: readonly Keystroke[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<PtyResult> {
  const env = plainEnvironment({ TERM: 'xterm', ...options.env, SHELL: '/bin/sh' });
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd: options.cwd,
    env,
  });
  let screen = '';
  let from = 0;
  let next = 0;
  const typeWhereAsked = (): void => {
    const key = keys[next];
    const at = key === undefined ? -1 : screen.indexOf(key.when, from);
    if (key === undefined || at === -1) return;
    next++;
    from = screen.length;
    if (typeof key.type === 'string') child.stdin.write(key.type);
    else key.type();
  };
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += stripVTControlCharacters(text);
    typeWhereAsked();
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new Error(
          `Still waiting for ${JSON.stringify(keys[next]?.when ?? 'the end')}; the screen shows:\n${screen}`,
        ),
      );
    }, TIMEOUT_MS);
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ screen, exitCode });
    });
  });
}
