// Runs tests with another version of Node.js: node bin/test-node.js 24 [file…]. Installs that version
// and its SQLite driver into a temporary folder, which the next run reuses, and runs a copy of the sources
// beside them.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

const NEITHER = new Set(['node_modules', '.git', 'demo-site']);

/** Commands in process and as the built program. */
const COMMANDS = [
  'binary',
  'base',
  'generate',
  'locale',
  'access/token-keys',
  'content/content',
  'content/edit',
  'doctor/doctor',
  'import/table-databases',
  'migrations/status',
  'project/new',
  'project/package',
  'schema/field-index',
].map((name) => `test/cli/${name}.test.ts`);

/** Everything that depends on Node.js or on the driver, and all requests to both databases. */
const SELECTED = ['test/unit/', 'test/types/', 'test/contract/database/', 'test/api/', ...COMMANDS];

/** Runs npm, which is a script if npm itself runs this one. */
const npm = (folder, ...argv) => {
  const cli = process.env.npm_execpath;
  const [program, ...before] = cli === undefined ? ['npm'] : [process.execPath, cli];
  execFileSync(program, [...before, ...argv, '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
};

/** Installs a version of Node.js and the SQLite driver that contains a binary for it. */
const install = (home, version) => {
  const node = join(home, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(node)) return node;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  npm(home, 'install', `node@${version}`, 'better-sqlite3@13');
  return node;
};

/** Copies the sources and the build, and links the installed packages except the SQLite driver. */
const copySources = (home) => {
  const copy = join(home, 'galley');
  rmSync(copy, { recursive: true, force: true });
  cpSync(root, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !NEITHER.has(path.slice(root.length)),
  });
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const from = join(name === 'better-sqlite3' ? home : root, 'node_modules', name);
    symlinkSync(from, join(copy, 'node_modules', name), 'junction');
  }
  return copy;
};

const { positionals } = parseArgs({ allowPositionals: true });
const [version, ...files] = positionals;
if (version === undefined || Number.parseInt(version, 10) < 22) {
  console.error('Name a version of Node.js from 22 on: npm run test:node -- 24');
  process.exit(1);
}
const home = join(tmpdir(), `galley-node-${version}`);
const node = install(home, version);
const copy = copySources(home);
const selected = files.length > 0 ? files : SELECTED;
const projects = ['unit', 'database', 'cli'].flatMap((name) => ['--project', name]);
const { status } = spawnSync(
  node,
  [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...projects, ...selected],
  {
    cwd: copy,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${join(node, '..')}${delimiter}${process.env.PATH}` },
  },
);
process.exitCode = status ?? 1;
