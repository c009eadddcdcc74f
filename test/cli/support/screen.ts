import { spawn } from 'node:child_process';
import headless from '@xterm/headless';
import { plainEnvironment } from './binary.js';

const TIMEOUT_MS = 30_000;

export interface ScreenOptions {
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program in a pseudo-terminal, and what its terminal shows. */
export interface ScreenProgram {
  /** The rows of the terminal, without the spaces at their ends. */
  readonly text: () => string;
  /** Resolves with the text as soon as the terminal shows what is looked for. */
  readonly until: (shown: string | RegExp | ((text: string) => boolean)) => Promise<string>;
  readonly type: (keys: string) => void;
  /** The number of bytes that the program has written. */
  readonly bytes: () => number;
  /** All that the program has written. */
  readonly written: () => string;
  /** Makes the terminal larger or smaller, as somebody who drags its corner. */
  readonly resize: (columns: number, rows: number) => void;
  readonly isAlternate: () => boolean;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
}

const matches = (text: string, shown: Parameters<ScreenProgram['until']>[0]): boolean => {
  if (typeof shown === 'string') return text.includes(shown);
  return shown instanceof RegExp ? shown.test(text) : shown(text);
};

/** Tells the terminal's name and the program's process id, and afterwards how the terminal is left. */
const SHELL = `sh -c 'echo "[$(tty) $$]"; eval "exec $PROGRAM"'; echo "[exit $?]"; stty -a`;

/** Runs a program, given as a line for the shell, in a pseudo-terminal of the given size. */
export function runOnScreen(program: string, { cwd, columns, rows, env = {} }: ScreenOptions): ScreenProgram {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const command = `stty rows ${rows} cols ${columns}; ${SHELL}`;
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd,
    env: plainEnvironment({ TERM: 'xterm-256color', ...env, PROGRAM: program, SHELL: '/bin/sh' }),
  });
  let [written, isOver] = ['', false];
  const waiting = new Set<() => void>();
  const text = (): string => {
    const { active } = terminal.buffer;
    const lines = Array.from({ length: terminal.rows }, (_each, row) =>
      active
        .getLine(active.viewportY + row)
        ?.translateToString()
        .trimEnd(),
    );
    return lines.join('\n');
  };
  const look = (): void => {
    for (const each of waiting) each();
  };
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
    terminal.write(chunk, look);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => {
      isOver = true;
      terminal.write('', look);
      resolve(exitCode);
    });
  });
  const [, tty, pid] = [0, 1, 2].map((group) => () => /\[(\S+) (\d+)\]/.exec(written)?.[group] ?? '');
  return {
    text,
    written: () => written,
    bytes: () => Buffer.byteLength(written),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    type: (keys) => void child.stdin.write(keys),
    resize: (newColumns, newRows) => {
      terminal.resize(newColumns, newRows);
      // The kernel tells the program.
      spawn('stty', ['-F', tty?.() ?? '', 'rows', String(newRows), 'cols', String(newColumns)]);
    },
    signal: (signal) => void process.kill(Number(pid?.()), signal),
    ended,
    until: (shown) =>
      new Promise((resolve, reject) => {
        const fail = (reason: string): void => {
          waiting.delete(check);
          reject(new Error(`${reason} ${String(shown)}; the screen shows:\n${text()}`));
        };
        const timer = setTimeout(() => {
          child.kill('SIGKILL');
          fail('Still waiting for');
        }, TIMEOUT_MS);
        const check = (): void => {
          const now = text();
          if (!matches(now, shown)) {
            if (isOver) fail('It ended before it showed');
            return;
          }
          clearTimeout(timer);
          waiting.delete(check);
          resolve(now);
        };
        waiting.add(check);
        check();
      }),
  };
}
