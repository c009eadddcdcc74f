// Compiles src/ to dist/ and writes oclif.manifest.json, from which a start learns every command without loading one.
// Both are made beside the old ones and then renamed, so that a failing build leaves the last good one in place.
// --no-check leaves the types unchecked, for whoever checks them in a step of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core/config';
import { settings } from '@oclif/core/settings';

const root = fileURLToPath(new URL('..', import.meta.url));
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const compile = (folder) => {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc');
  const check = process.argv.includes('--no-check') ? '--noCheck' : '--noEmitOnError';
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', folder, check], { stdio: 'inherit' });
};

/** The manifest of the commands in `folder`, worded as if it were dist already. */
const describeCommands = async (folder) => {
  const { commands, ...oclif } = packageJson.oclif;
  const pjson = { ...packageJson, oclif: { ...oclif, commands: { ...commands, target: `./${basename(folder)}/commands` } } };
  const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
  await plugin.load();
  const entries = Object.entries(plugin.manifest.commands).sort(([left], [right]) => (left < right ? -1 : 1));
  const sorted = entries.map(([id, command]) => [id, { ...command, relativePath: ['dist', ...command.relativePath.slice(1)] }]);
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

const folder = mkdtempSync(join(root, '.dist-'));
try {
  // oclif would look for TypeScript sources whenever NODE_ENV is development or test.
  settings.tsnodeEnabled = false;
  compile(folder);
  install(folder, await describeCommands(folder));
} catch (error) {
  // What tsc has to say it has said already.
  if (error.status === undefined) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
