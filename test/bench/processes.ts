import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';

const BIN = new URL('../../bin/run.js', import.meta.url).pathname;
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, CI: '1', NO_COLOR: '1', LOG_LEVEL: 'warn' });

/** Runs one `cms` command and returns what it printed. */
export function cms(folder: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve(address.port);
      });
    });
  });

export interface RunningServer {
  readonly base: string;
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

/** Starts a server process and waits until `/_health` answers. */
export async function startServer(
  folder: string,
  command: (port: number) => readonly string[],
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, command(port), {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const base = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the server stopped with ${child.exitCode}`);
    const response = await fetch(`${base}/_health`).catch(() => null);
    if (response?.status === 204) return { base, stop: createStop(child) };
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Error('the server did not answer within 30 s');
}

export const startGalley = (folder: string): Promise<RunningServer> =>
  startServer(folder, (port) => [BIN, 'start', '--port', String(port), '--host', '127.0.0.1']);
