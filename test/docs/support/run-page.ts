import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binaryPath, plainEnvironment } from '../../cli/support/binary.js';
import { packageRoot } from '../../cli/support/package-root.js';
import { startProcess } from '../../cli/support/server-process.js';
import { createTempFolder } from '../../cli/support/temp-project.js';
import type { Page } from './code-blocks.js';
import { printPageScript, splitModules } from './page-script.js';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** A folder whose `cms` is the built program, for PATH. */
const installProgram = (folder: string): string => {
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'cms'), `#!/bin/sh\nexec '${process.execPath}' '${binaryPath}' "$@"\n`);
  chmodSync(join(bin, 'cms'), 0o755);
  return bin;
};

const searchPath = (first: string): string => `${first}:${process.env['PATH'] ?? ''}`;

const linkPackages = (project: string): void => {
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(packageRoot, join(project, 'node_modules', 'galley'), 'dir');
  for (const name of ['@types', '@prisma'])
    symlinkSync(join(packageRoot, 'node_modules', name), join(project, 'node_modules', name), 'dir');
};

const runScript = (script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const child = spawn('bash', ['-s'], { cwd, env: plainEnvironment({ ...env, CI: 'true' }) });
  let output = '';
  const collect = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  child.stdin.end(script);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve(output) : reject(new Error(`ended with ${String(status)}:\n${output}`)),
    );
  });
};

const typeCheck = (project: string): void => {
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', project], {
    cwd: project,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The page's modules do not type-check:\n${stdout}`);
};

/** Starts the page's project as production does, which fails where any of its code cannot be loaded. */
const assertStarts = async (project: string): Promise<void> => {
  const server = await startProcess(['start', '--port', '0'], { cwd: project, env: { LOG_LEVEL: 'error' } });
  const { status } = await fetch(new URL('/_health', server.url));
  if (status >= 400) throw new Error(`/_health returns ${status}:\n${server.stderr()}`);
};

const createSite = (folder: string, template: string): string => {
  const flags = ['--template', template, '--yes', '--no-install', '--no-git'];
  execFileSync(process.execPath, [binaryPath, 'new', 'site', ...flags], { cwd: folder, stdio: 'pipe' });
  const site = join(folder, 'site');
  linkPackages(site);
  return site;
};

/** Serves a new project while the page's blocks run in it. */
const runInSite = async (page: Page, template: string): Promise<void> => {
  const folder = createTempFolder();
  const site = createSite(folder, template);
  const server = await startProcess(['dev', '--port', '0'], { cwd: site });
  const port = Number(new URL(server.url).port);
  await runScript(printPageScript(page, port), site, { PATH: searchPath(installProgram(folder)) });
  if (splitModules(page).modules.blocks.length === 0) return;
  typeCheck(site);
  await assertStarts(site);
};

/**
 * Does all that a page of the documentation says, in a new folder or in a served project of the page's
 * template. Modules are type-checked and loaded in a project of that template, or of the blog.
 *
 * @throws An error with all output; the last `::docs-check line` in it names the block that failed.
 */
export async function runPage(page: Page): Promise<void> {
  if (page.template !== null) {
    await runInSite(page, page.template);
    return;
  }
  const { modules, rest } = splitModules(page);
  const folder = createTempFolder();
  const port = await freePort();
  const env = { PATH: searchPath(installProgram(folder)), PORT: String(port) };
  await runScript(printPageScript(rest, port), folder, env);
  if (modules.blocks.length > 0) await runInSite(modules, 'blog');
}
