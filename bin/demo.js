// A blog to look at: scaffolds ./demo-site where there is none, migrates it, makes a token and starts the development server.
// Run again, it takes up the same site. With --once it stops after the first answer, for whoever only wants to see that it works.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOST = '127.0.0.1';
const FIRST_PORT = 1337;
const PATIENCE_MS = 60_000;
const POLL_MS = 100;

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'demo-site');
const cms = join(root, 'bin', 'run.js');

/** Runs one command to its end; its messages are shown, its result is returned. */
const run = (cwd, ...argv) => {
  process.stderr.write(`$ cms ${argv.join(' ')}\n`);
  return execFileSync(process.execPath, [cms, ...argv], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
};

const scaffold = () => {
  if (!existsSync(join(site, 'cms.config.ts'))) {
    run(root, 'new', 'demo-site', '--template', 'blog', '--database', 'sqlite', '--no-install', '--no-git', '--yes');
  }
  // What npm install would do, without asking a registry for this very package.
  const installed = join(site, 'node_modules', 'galley');
  if (existsSync(installed)) return;
  mkdirSync(join(site, 'node_modules'), { recursive: true });
  symlinkSync(root, installed, 'dir');
};

const isFree = (port) => new Promise((resolve) => {
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen(port, HOST, () => probe.close(() => resolve(true)));
});

const freePort = async () => {
  for (let port = FIRST_PORT; ; port++) {
    if (await isFree(port)) return port;
  }
};

const articles = (port, token) => fetch(`http://${HOST}:${port}/api/articles`, { headers: { authorization: `Bearer ${token}` } });

/** The first answer of the server; fails where it ends or stays silent. */
const firstAnswer = async (server, port, token) => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`cms dev ended with ${server.exitCode}.`);
    if (Date.now() > deadline) throw new Error(`cms dev did not answer within ${PATIENCE_MS / 1000} s.`);
    const response = await articles(port, token).catch(() => undefined);
    if (response?.ok) return response.json();
    if (response !== undefined && response.status < 500) throw new Error(`/api/articles answered ${response.status}.`);
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
};

/** Addresses that this version serves, as a browser sees them. */
const addresses = async (port) => {
  const all = [['REST', `http://${HOST}:${port}/api/articles`], ['GraphQL', `http://${HOST}:${port}/graphql`, ' (in a browser: the playground)']];
  const answers = await Promise.all(all.map(([, url]) => fetch(url, { headers: { accept: 'text/html' } }).then(({ status }) => status, () => 404)));
  return all.map(([name, url, note = ''], index) => [name, `${url}${answers[index] === 200 ? note : ''}`]).filter((_, index) => answers[index] !== 404);
};

const instructions = async (port, token, count) => `
The demo runs, with ${count} articles. Stop it with Ctrl-C.

${[...await addresses(port), ['Files', site]].map(([name, place]) => `  ${name.padEnd(8)}  ${place}`).join('\n')}

  curl -H 'Authorization: Bearer ${token}' 'http://${HOST}:${port}/api/articles?populate=*'
`;

const main = async () => {
  scaffold();
  run(site, 'migrate', '--yes');
  const token = run(site, 'token', 'create', '--name', 'demo', '--type', 'full-access', '--force');
  const port = await freePort();
  const server = spawn(process.execPath, [cms, 'dev', '--port', String(port), '--host', HOST], { cwd: site, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => { server.once('exit', resolve); });
  const stop = () => server.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  try {
    const { data } = await firstAnswer(server, port, token);
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
  // A command that failed has said why.
  if (error.status === undefined) process.stderr.write(`Error: ${error.message}\n`);
  process.exitCode = error.status ?? 1;
}
