import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished } from 'vitest';
import { binaryPath, plainEnvironment } from '../../cli/support/binary.js';
import { packageRoot } from '../../cli/support/package-root.js';
import { startProcess } from '../../cli/support/server-process.js';
import { installCms, installProgram, runScript } from '../../cli/support/shell.js';
import { createTempFolder, linkPackages } from '../../cli/support/temp-project.js';
import { databases } from '../../support/databases.js';
import type { TestDatabase } from '../../support/databases.js';
import { freePort } from '../../support/free-port.js';
import type { Page } from './code-blocks.js';
import { databasesOf, printPageScript, splitModules } from './page-script.js';

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

const runCms = (folder: string, ...argv: readonly string[]): void => {
  execFileSync(process.execPath, [binaryPath, ...argv], { cwd: folder, stdio: 'pipe' });
};

const prepareSite = (template: string): string => {
  const folder = mkdtempSync(join(inject('runFolder'), `${template}-`));
  runCms(folder, 'new', 'site', '--template', template, '--yes', '--no-install', '--no-git');
  const site = join(folder, 'site');
  linkPackages(site);
  const modules = join(site, 'node_modules');
  symlinkSync(join(packageRoot, 'node_modules', '@types'), join(modules, '@types'), 'dir');
  mkdirSync(join(modules, '.bin'));
  symlinkSync(binaryPath, join(modules, '.bin', 'cms'));
  runCms(site, 'migrate');
  return site;
};

/** By the names of their templates. Generating the client takes longer than most pages do. */
const preparedSites = new Map<string, string>();

/** A new project, migrated and with its seed. */
const createSite = (folder: string, template: string): string => {
  const prepared = preparedSites.get(template) ?? prepareSite(template);
  preparedSites.set(template, prepared);
  const site = join(folder, 'site');
  cpSync(prepared, site, { recursive: true, verbatimSymlinks: true });
  return site;
};

/** A copy of this checkout with its packages and its build, to be started. */
const copyCheckout = (folder: string): string => {
  const checkout = join(folder, 'checkout');
  for (const name of [
    'bin',
    'src',
    'prisma',
    'templates',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'dist',
    // Last, since its time is that of the build.
    'oclif.manifest.json',
  ])
    cpSync(join(packageRoot, name), join(checkout, name), { recursive: true });
  symlinkSync(join(packageRoot, 'node_modules'), join(checkout, 'node_modules'), 'dir');
  return checkout;
};

const COMMAND_SERVER = fileURLToPath(new URL('command-server.mjs', import.meta.url));

/** Starts the process that runs a page's commands, and returns its port. */
const startCommandServer = async (): Promise<string> => {
  const server = spawn(process.execPath, [COMMAND_SERVER], {
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return port.toString().trim();
};

/** Commands that serve, follow or ask run as processes of their own, and so do options without a command. */
const isSeparate = 'case " $1 $* " in " "-*|*" dev "*|*" start "*|*" mcp "*|*" watch "*|*" --follow "*)';

// Only the subshell redirects its output: the server opens that of the process when the request is complete.
const sendToServer = (port: string): string => `exec 3<>/dev/tcp/127.0.0.1/${port}
( printf '%s\\0' $$ "$PWD" $# "$@"; env -0; printf 'end\\0' ) >&3
read -r -u 3 code
exit "\${code:-1}"`;

/** Installs only the program, unless there are packages. */
const installIn = (bin: string): string =>
  '[ -e node_modules ] || ' +
  `{ mkdir -p node_modules/.bin && ln -s '${join(bin, 'cms')}' node_modules/.bin/cms; }`;

/** Installs `cms`, and an `npm` that installs only it. Returns the value of PATH that finds both first. */
const installPrograms = async (folder: string): Promise<string> => {
  // Elsewhere, no process can open the inputs and outputs of another one.
  if (process.platform === 'linux') {
    const separately = `${isSeparate} exec '${process.execPath}' '${binaryPath}' "$@" ;; esac`;
    installProgram(folder, 'cms', `${separately}\n${sendToServer(await startCommandServer())}`);
  } else installCms(folder);
  const install = installIn(join(folder, '.bin'));
  const others = 'PATH="${PATH#*:}" exec npm "$@"';
  return installProgram(folder, 'npm', `case "$1" in ci) ${install} ;; *) ${others} ;; esac`);
};

/** Whoever commits in a page. */
const GIT_IDENTITY = {
  GIT_AUTHOR_NAME: 'Reader',
  GIT_AUTHOR_EMAIL: 'reader@example.com',
  GIT_COMMITTER_NAME: 'Reader',
  GIT_COMMITTER_EMAIL: 'reader@example.com',
};

/** Runs the page's blocks in a folder. The PostgreSQL databases that they name are empty ones. */
const runBlocks = async (
  page: Page,
  port: number,
  { env, ...options }: Parameters<typeof runScript>[1],
): Promise<void> => {
  const postgres = databases.find(({ name }) => name === 'postgresql');
  const created = new Map<string, TestDatabase>();
  for (const address of databasesOf(page)) {
    if (postgres === undefined) throw new Error(`${page.path} needs PostgreSQL, which DIALECTS excludes`);
    created.set(address, await postgres.create());
  }
  const urls = new Map([...created].map(([address, { url }]) => [address, url]));
  const script = printPageScript(page, { port, databases: urls });
  await runScript(script, { ...options, env: { ...GIT_IDENTITY, ...env } });
  await Promise.all([...created.values()].map(({ drop }) => drop()));
};

/** Serves a new project while the page's blocks run in it. */
const runInServedSite = async (page: Page, template: string): Promise<void> => {
  const folder = createTempFolder();
  const site = createSite(folder, template);
  const server = await startProcess(['dev', '--port', '0'], { cwd: site });
  const port = Number(new URL(server.url).port);
  await runBlocks(page, port, { cwd: site, env: { PATH: await installPrograms(folder) } });
  if (splitModules(page).modules.blocks.length === 0) return;
  typeCheck(site);
  await assertStarts(site);
};

/** Runs the page's blocks in a project that was made elsewhere, and whose database is empty here. */
const runInProduction = async (page: Page, template: string): Promise<void> => {
  const folder = createTempFolder();
  const site = createSite(folder, template);
  rmSync(join(site, 'data.db'));
  const port = await freePort();
  const env = { PATH: await installPrograms(folder), PORT: String(port), NODE_ENV: 'production' };
  await runBlocks(page, port, { cwd: site, env });
};

/** Runs the page's blocks in a new folder, and its modules in a project of the blog. */
const runInFolder = async (page: Page): Promise<void> => {
  const { modules, rest } = splitModules(page);
  const folder = createTempFolder();
  const port = await freePort();
  const needsCheckout = rest.blocks.some(({ attributes }) => attributes['in'] === 'checkout');
  const checkout = needsCheckout ? copyCheckout(folder) : '';
  const env = { PATH: await installPrograms(folder), PORT: String(port), DOCS_CHECK_CHECKOUT: checkout };
  await runBlocks(rest, port, { cwd: folder, env });
  if (modules.blocks.length > 0) await runInServedSite(modules, 'blog');
};

/**
 * Does all that a page of the documentation says, in a new folder or in a project of the page's template.
 * Modules are type-checked and loaded in a project of that template, or of the blog.
 *
 * @throws An error with all output; the last `::docs-check line` in it names the block that failed.
 */
export function runPage(page: Page): Promise<void> {
  if (page.template === null) return runInFolder(page);
  return page.isProduction ? runInProduction(page, page.template) : runInServedSite(page, page.template);
}
