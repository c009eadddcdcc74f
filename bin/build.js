// Bundles src/ into dist/, with declarations, and writes oclif.manifest.json, which lists the commands so
// that a start need not load them. Both are written beside the old ones and then renamed: a failing build
// leaves the last good one in place. --no-check skips type checking; --if-changed builds only if a source is
// newer than the last build.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core/config';
import { settings } from '@oclif/core/settings';
import { bundle, bundleClient } from './bundle.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Checks the types and writes the declarations. */
const declare = (folder) => {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc');
  const check = process.argv.includes('--no-check') ? '--noCheck' : '--noEmitOnError';
  const options = [
    '-p',
    join(root, 'tsconfig.build.json'),
    '--outDir',
    folder,
    '--emitDeclarationOnly',
    check,
  ];
  execFileSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
};

const packageFolder = (name) => join(createRequire(import.meta.url).resolve(`${name}/package.json`), '..');

/** Copies the script of the API's reference, with the licences of what it is made of. */
const copyRedoc = (folder) => {
  mkdirSync(folder, { recursive: true });
  for (const file of ['LICENSE', 'bundles/redoc.standalone.js', 'bundles/redoc.standalone.js.LICENSE.txt'])
    cpSync(join(packageFolder('redoc'), file), join(folder, basename(file)));
};

/** Copies the GraphQL playground without the page that is never served. */
const copyAltair = (folder) => {
  for (const file of ['LICENSE', 'package.json', 'build/dist'])
    cpSync(join(packageFolder('altair-static'), file), join(folder, file), {
      recursive: true,
      filter: (path) => basename(path) !== 'iframe-sandbox',
    });
};

/** Removes the declarations that those of the public modules do not import. */
const removeInternalDeclarations = (folder) => {
  const isPublic = new Set();
  const follow = (file) => {
    if (isPublic.has(file) || !existsSync(file)) return;
    isPublic.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?['"](\.[^'"]+)\.js['"]/g))
      follow(join(file, '..', `${path}.d.ts`));
  };
  for (const name of ['index', 'client']) follow(join(folder, `${name}.d.ts`));
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.d.ts') && !isPublic.has(join(folder, file))) rmSync(join(folder, file));
};

const compile = async (folder) => {
  declare(folder);
  removeInternalDeclarations(folder);
  await bundle(join(root, 'src'), folder, packageJson);
  await bundleClient(join(root, 'src'), folder);
  copyRedoc(join(folder, 'server/reference/redoc'));
  copyAltair(join(folder, 'api/graphql/http/altair'));
  // Neither writes declaration files, which commands read and the other declarations refer to.
  cpSync(join(root, 'src/generate/typegen/declarations'), join(folder, 'generate/typegen/declarations'), {
    recursive: true,
  });
};

/** Returns the manifest of the commands in `folder`, with paths as if the folder were dist already. */
const describeCommands = async (folder) => {
  const { commands, ...oclif } = packageJson.oclif;
  const pjson = {
    ...packageJson,
    oclif: { ...oclif, commands: { ...commands, target: `./${basename(folder)}/commands` } },
  };
  const plugin = new Plugin({
    root,
    pjson,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  });
  await plugin.load();
  const entries = Object.entries(plugin.manifest.commands).sort(([left], [right]) => (left < right ? -1 : 1));
  const sorted = entries.map(([id, command]) => [
    id,
    { ...command, relativePath: ['dist', ...command.relativePath.slice(1)] },
  ]);
  return { version: plugin.manifest.version, commands: Object.fromEntries(sorted) };
};

const install = (folder, manifest) => {
  const manifestFile = join(root, 'oclif.manifest.json');
  writeFileSync(`${folder}.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  const previous = `${folder}-previous`;
  if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), previous);
  renameSync(folder, join(root, 'dist'));
  renameSync(`${folder}.json`, manifestFile);
  rmSync(previous, { recursive: true, force: true });
};

/** Returns the time of the latest change below a path. The time of a folder shows that a file was removed. */
const changedAt = (path) => {
  const found = statSync(path);
  const names = found.isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return Math.max(found.mtimeMs, ...names.map((name) => statSync(join(path, name)).mtimeMs));
};

const isCurrent = () => {
  const manifest = statSync(join(root, 'oclif.manifest.json'), { throwIfNoEntry: false });
  if (manifest === undefined || !existsSync(join(root, 'dist'))) return false;
  return ['src', 'bin', 'package.json'].every((name) => changedAt(join(root, name)) < manifest.mtimeMs);
};

if (process.argv.includes('--if-changed') && isCurrent()) process.exit();

const folder = mkdtempSync(join(root, '.dist-'));
try {
  // Otherwise oclif looks for TypeScript sources where NODE_ENV is development or test.
  settings.tsnodeEnabled = false;
  await compile(folder);
  install(folder, await describeCommands(folder));
} catch (error) {
  // tsc has printed its own errors.
  if (error.status === undefined) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
