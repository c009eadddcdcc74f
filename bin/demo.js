// Runs a demo blog: scaffolds ./demo-site where there is none, migrates it, creates a token and starts the
// development server. The next run uses the same site. With --once it stops after the first response; --port
// chooses the port.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HOST = '127.0.0.1';
const FIRST_PORT = 1337;
const TIMEOUT_MS = 60_000;
const POLL_MS = 100;

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'demo-site');
const cms = join(root, 'bin', 'run.js');

/** Runs one command, shows its messages and returns its result. */
const run = (cwd, ...argv) => {
  process.stderr.write(`$ cms ${argv.join(' ')}\n`);
  return execFileSync(process.execPath, [cms, ...argv], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
};

const scaffold = () => {
  if (!existsSync(join(site, 'cms.config.ts'))) {
    run(
      root,
      'new',
      'demo-site',
      '--template',
      'blog',
      '--database',
      'sqlite',
      '--no-install',
      '--no-git',
      '--yes',
    );
  }
  // Links this package, as npm install would do, without a registry.
  const installed = join(site, 'node_modules', 'galley');
  if (existsSync(installed)) return;
  mkdirSync(join(site, 'node_modules'), { recursive: true });
  symlinkSync(root, installed, 'dir');
};

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });

/** Returns the port of --port, or the first free one. Says at once where one is in use. */
const choosePort = async () => {
  const { values } = parseArgs({ options: { port: { type: 'string' }, once: { type: 'boolean' } } });
  if (values.port !== undefined) {
    if (await isFree(Number(values.port))) return Number(values.port);
    throw new Error(`Port ${values.port} on ${HOST} is in use. Choose another one with --port.`);
  }
  for (let port = FIRST_PORT; ; port++) {
    if (await isFree(port)) return port;
    process.stderr.write(
      `Port ${port} on ${HOST} is in use. --port chooses the port; the next one is tried.\n`,
    );
  }
};

const articles = (port, token) =>
  fetch(`http://${HOST}:${port}/api/articles`, { headers: { authorization: `Bearer ${token}` } });

/** Waits for the first response of the server. Throws where the server ends or does not respond in time. */
const firstResponse = async (server, port, token) => {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`cms dev ended with ${server.exitCode}.`);
    if (Date.now() > deadline) throw new Error(`cms dev did not respond within ${TIMEOUT_MS / 1000} s.`);
    const response = await articles(port, token).catch(() => undefined);
    if (response?.ok) return response.json();
    if (response !== undefined && response.status < 500)
      throw new Error(`/api/articles responded with ${response.status}.`);
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
};

/** Returns the addresses that this version serves. */
const addresses = async (port) => {
  const all = [
    ['REST', `http://${HOST}:${port}/api/articles`],
    ['GraphQL', `http://${HOST}:${port}/graphql`, ' (in a browser: the playground)'],
  ];
  const statuses = await Promise.all(
    all.map(([, url]) =>
      fetch(url, { headers: { accept: 'text/html' } }).then(
        ({ status }) => status,
        () => 404,
      ),
    ),
  );
  return all
    .map(([name, url, hint = ''], index) => [name, `${url}${statuses[index] === 200 ? hint : ''}`])
    .filter((_, index) => statuses[index] !== 404);
};

const instructions = async (port, token, count) => {
  const rows = [...(await addresses(port)), ['Files', site]];
  return `
The demo is running with ${count} articles. Stop it with Ctrl-C.

${rows.map(([name, value]) => `  ${name.padEnd(8)}  ${value}`).join('\n')}

  curl -H 'Authorization: Bearer ${token}' 'http://${HOST}:${port}/api/articles?populate=*'
`;
};

const main = async () => {
  const port = await choosePort();
  scaffold();
  run(site, 'migrate', '--yes');
  const token = run(site, 'token', 'create', '--name', 'demo', '--type', 'full-access', '--force');
  const server = spawn(process.execPath, [cms, 'dev', '--port', String(port), '--host', HOST], {
    cwd: site,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  const stop = () => server.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  try {
    const { data } = await firstResponse(server, port, token);
    process.stdout.write(await instructions(port, token, data.length));
    if (!process.argv.includes('--once')) await ended;
  } finally {
    stop();
    await ended;
  }
};

try {
  await main();
} catch (error) {
  // A command that failed has printed the reason.
  if (error.status === undefined) process.stderr.write(`Error: ${error.message}\n`);
  process.exitCode = error.status ?? 1;
}
