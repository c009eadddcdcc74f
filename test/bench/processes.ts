import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.js';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const USAGE_PROBE = new URL('support/usage-probe.mjs', import.meta.url).href;
const PROBE = new URL('support/server-probe.mjs', import.meta.url).href;

/** As it was at first: filling a site takes the variables of its .env, which are not those of another. */
const ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, CI: '1', NO_COLOR: '1', LOG_LEVEL: 'warn' };

/** Runs one `cms` command and returns what it printed. */
export function cms(folder: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

/** The output of a command, and the resources that its process has used. */
interface MeasuredCommand {
  readonly output: string;
  readonly seconds: number;
  /** CPU of all threads. */
  readonly cpuSeconds: number;
  /** The largest resident memory of the process. */
  readonly peakMegabytes: number;
}

/** Runs one `cms` command and measures its process. Exit code 1 is a result, too. */
export function measureCms(folder: string, ...args: readonly string[]): MeasuredCommand {
  const start = performance.now();
  const { output, status } = spawnSync(process.execPath, ['--import', USAGE_PROBE, BIN, ...args], {
    cwd: folder,
    env: ENVIRONMENT,
    encoding: 'utf8',
    maxBuffer: Number.MAX_SAFE_INTEGER,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  if (status !== 0 && status !== 1) throw new Error(`cms ${args.join(' ')} failed with exit code ${status}`);
  const usage = JSON.parse(output[3] ?? '') as { cpuMicroseconds: number; peakKilobytes: number };
  return {
    output: output[1] ?? '',
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: usage.cpuMicroseconds / 1_000_000,
    peakMegabytes: usage.peakKilobytes / 1024,
  };
}

/** What a server process did since it was last asked. */
export interface ServerLoad {
  /** Of all its threads. */
  readonly cpuMs: number;
  /** How late its event loop was. */
  readonly delayP99: number;
  readonly delayMax: number;
}

export interface RunningServer {
  readonly base: string;
  readonly takeLoad: () => Promise<ServerLoad>;
  readonly stop: () => Promise<void>;
}

const createStop = (child: ChildProcess) => (): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

const createTakeLoad = (child: ChildProcess) => (): Promise<ServerLoad> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as ServerLoad));
    child.send('take', (error) => error && reject(error));
  });

/** Starts a server process and waits until `/_health` answers. */
export async function startServer(
  folder: string,
  command: (port: number) => readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', PROBE, ...command(port)], {
    cwd: folder,
    env: { ...ENVIRONMENT, ...variables },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const base = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the server stopped with ${child.exitCode}`);
    const response = await fetch(`${base}/_health`).catch(() => null);
    if (response?.status === 204) return { base, takeLoad: createTakeLoad(child), stop: createStop(child) };
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Error('the server did not answer within 30 s');
}

export const startGalley = (folder: string, variables: NodeJS.ProcessEnv = {}): Promise<RunningServer> =>
  startServer(folder, (port) => [BIN, 'start', '--port', String(port), '--host', '127.0.0.1'], variables);
