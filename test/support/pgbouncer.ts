import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from './executable.js';
import { freePort } from './free-port.js';

const executable = findExecutable(['pgbouncer']);

/** True if tests that need PgBouncer are skipped: only outside of CI, where it is not installed. */
export const isPgBouncerMissing = executable === undefined && !process.env['CI'];

export interface PgBouncer {
  /** Returns the URL of a database through the pooler. */
  readonly through: (url: string) => string;
  readonly stop: () => Promise<void>;
}

/** Fewer than a server's pool has connections, so that sessions are shared from the first requests on. */
const SESSIONS = 5;

const configuration = ({ hostname, port: serverPort, username, password }: URL, port: number): string =>
  `[databases]
* = host=${decodeURIComponent(hostname)} port=${serverPort} user=${username} password=${password}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
max_client_conn = 200
`;

/** Starts PgBouncer in transaction mode before a PostgreSQL server, also as root. */
export async function startPgBouncer(serverUrl: string): Promise<PgBouncer> {
  if (executable === undefined)
    throw new Error('pgbouncer is not installed. On Debian: apt-get install pgbouncer');
  const folder = await mkdtemp(join(tmpdir(), 'galley-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, configuration(new URL(serverUrl), port), { mode: 0o644 });
  // It refuses to run as root. The user of the PostgreSQL server exists by now.
  const asUser = process.getuid?.() === 0 ? ['--user', 'postgres'] : [];
  const child = spawn(executable, [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let log = '';
  const isReady = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('process up')) resolve();
    });
    void exited.then(() => reject(new Error(`PgBouncer did not start. Its last words:\n${log}`)));
  });
  await isReady;
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
