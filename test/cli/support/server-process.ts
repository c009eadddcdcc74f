import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { binaryPath, plainEnvironment } from './binary.js';

/** A `cms dev` or `cms start` in a process of its own, ended when the test is. */
export interface ServerProcess {
  /** What stands on stdout, and nothing else may. */
  readonly url: string;
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves as soon as stderr holds the text. */
  readonly waitForText: (text: string) => Promise<void>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Tells it and all the processes it has started, as a terminal does at Ctrl-C. */
  readonly signalGroup: (name: NodeJS.Signals) => void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

const TIMEOUT_MS = 90_000;
const POLL_MS = 20;

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Waits until `probe` answers something other than undefined. */
export async function waitFor<T>(
  what: string,
  poll: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const result = await poll();
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
    await sleep(POLL_MS);
  }
}

/** Starts a server and waits for its address on stdout. Throws with what it said where it ends before. */
export async function startProcess(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [binaryPath, ...argv], {
    cwd: options.cwd,
    env: plainEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await ended;
    clearTimeout(timer);
  });
  const url = await waitFor(`an address; stderr holds:\n${stderr}`, () => {
    if (child.exitCode !== null) throw new Error(`Ended with ${child.exitCode}:\n${stderr}`);
    return /https?:\/\/[^\s"]+/.exec(stdout)?.[0];
  });
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    waitForText: (text) =>
      waitFor(`${text} on stderr, which holds:\n${stderr}`, () =>
        stderr.includes(text) ? true : undefined,
      ).then(() => undefined),
    signal: (name) => {
      child.kill(name);
    },
    signalGroup: (name) => {
      process.kill(-(child.pid ?? 0), name);
    },
    ended,
  };
}

/** True if a process of that id lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
