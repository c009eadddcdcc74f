// Bundles src/ and most packages that it uses into dist/. Loading a hundred small files takes longer than
// most commands work.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/** Modules that are loaded by their paths: the program, its commands, `galley`, and a thread. */
const ENTRIES = [
  /^commands\//,
  /^cli\/hooks\//,
  /^cli\/run$/,
  /^index$/,
  /^database\/sqlite\/reads\/thread$/,
];

const EXTERNAL = [
  // Native code, WebAssembly, or files that they find beside their own.
  /^@prisma\/(client|prisma-schema-wasm|schema-engine-wasm)$/,
  /^(@node-rs\/bcrypt|better-sqlite3|jiti|pino|sharp|tinypool)$/,
  // Projects and other packages use these as well, and must get the same copy.
  /^(galley|graphql|knex|koa|nexus|pg)$/,
  // Installed by those who use them.
  /^@aws-sdk\//,
];

const packageName = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
const isPackage = (specifier) => /^[@a-z]/i.test(specifier) && !specifier.startsWith('node:');
const isExternal = (specifier) =>
  isPackage(specifier) && EXTERNAL.some((pattern) => pattern.test(packageName(specifier)));

const findEntries = (sources) =>
  readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length).split(sep).join('/'))
    .filter((name) => ENTRIES.some((pattern) => pattern.test(name)));

const MODULE_URL = /__MODULE_URL__\("([^"]+)"\)/g;

/** Lets modules find files by the places they would have in dist/ if each were a file of its own. */
const keepModuleUrls = (sources) => ({
  name: 'keep-module-urls',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      if (!id.startsWith(sources + sep)) return null;
      const place = relative(sources, id).split(sep).join('/').replace(/\.ts$/, '.js');
      return code.replaceAll('import.meta.url', `__MODULE_URL__("${place}")`);
    },
  },
  renderChunk(code, { fileName }) {
    if (!code.includes('__MODULE_URL__')) return null;
    return code.replaceAll(MODULE_URL, (_, place) => {
      const path = posix.relative(posix.dirname(fileName), place);
      return path === posix.basename(fileName)
        ? 'import.meta.url'
        : `new URL(${JSON.stringify(path)}, import.meta.url).href`;
    });
  },
});

/**
 * The functions that Prisma's client generator uses of a package that would add 40 MB, with the file of each,
 * or the package that has them as well.
 */
const INTERNALS = {
  '@prisma/get-dmmf': 'externalToInternalDmmf, getInternalDMMF',
  'built-in-provider.js': 'BuiltInProvider',
  'resolvePkg.js': 'resolvePkg',
  'utils/assertNever.js': 'assertNever',
  'utils/hasOwnProperty.js': 'hasOwnProperty',
  'utils/isValidJsIdentifier.js': 'isValidJsIdentifier',
  'utils/parseEnvValue.js': 'parseEnvValue',
  'utils/path.js': 'pathToPosix',
  'utils/setClassName.js': 'setClassName',
};

/** Fails where a new version of the generator uses other functions: rolldown finds no such export. */
const withoutPrismaInternals = {
  name: 'without-prisma-internals',
  resolveId: {
    filter: { id: /^@prisma\/internals$/ },
    handler: () => '\0prisma-internals',
  },
  load: {
    filter: { id: /^\0prisma-internals$/ },
    handler() {
      const { resolve } = createRequire(
        createRequire(import.meta.url).resolve('@prisma/client-generator-js'),
      );
      const folder = dirname(resolve('@prisma/internals'));
      return Object.entries(INTERNALS)
        .map(([file, names]) => {
          const path = file.startsWith('@') ? resolve(file) : join(folder, file);
          return `export { ${names} } from ${JSON.stringify(path)};`;
        })
        .join('\n');
    },
  },
};

/** Leaves out what only developers of React and Ink use, which is slow, large, or not installed. */
const withoutDevelopmentTools = {
  name: 'without-development-tools',
  transform: {
    filter: { id: /node_modules[\\/](ink|react|react-reconciler|scheduler)[\\/]/ },
    handler: (code) => code.replaceAll('process.env.NODE_ENV', '"production"').replaceAll('isDev()', 'false'),
  },
};

const findPackageFolder = (file) => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    // Some packages have a package.json in a folder of theirs, which only says how its files are loaded.
    if (existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version !== undefined) return folder;
  }
};

const describePackage = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
};

/** The licences of the bundled packages, which must accompany copies of their code. */
const printLicences = (modules) => {
  const folders = new Set(
    modules.filter((id) => id.includes(`${sep}node_modules${sep}`)).map((id) => findPackageFolder(id)),
  );
  return `${[...folders]
    .map(describePackage)
    .toSorted()
    .join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
};

/** Throws if the bundle imports a package that is not installed with Galley. */
const assertInstalled = (chunks, { name, dependencies, peerDependencies }) => {
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const installed = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })]);
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((specifier) => !files.has(specifier) && !isBuiltin(specifier))
    .filter((specifier) => !installed.has(packageName(specifier)));
  if (missing.length > 0)
    throw new Error(`These packages are no dependencies: ${[...new Set(missing)].join(', ')}`);
};

/** Bundles the program into one file for each entry and the chunks that they share. Returns these files. */
const bundleProgram = async (sources, folder) => {
  const entries = findEntries(sources).map((name) => [name, join(sources, `${name}.ts`)]);
  const build = await rolldown({
    input: Object.fromEntries(entries),
    platform: 'node',
    external: isExternal,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] },
    plugins: [keepModuleUrls(sources), withoutDevelopmentTools],
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: { jsdoc: false },
  });
  await build.close();
  return output.filter(({ type }) => type === 'chunk');
};

/** Modules that are loaded by `require`. Each is bundled with its packages. */
const COMMON_JS = ['database/prisma/generator-thread.cjs', 'strapi/http/koa-session.cjs'];

const bundleCommonJs = async (sources, folder, file) => {
  const build = await rolldown({
    input: join(sources, file),
    platform: 'node',
    external: isExternal,
    plugins: [withoutPrismaInternals],
  });
  const { output } = await build.write({ file: join(folder, file), format: 'cjs' });
  await build.close();
  return output;
};

/** Bundles the sources into `folder`, with the licences of what is bundled. */
export const bundle = async (sources, folder, manifest) => {
  const chunks = await bundleProgram(sources, folder);
  for (const file of COMMON_JS) chunks.push(...(await bundleCommonJs(sources, folder, file)));
  assertInstalled(chunks, manifest);
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  writeFileSync(join(folder, 'third-party-licences.txt'), printLicences(modules));
};

/** Bundles the client into one small file, which browsers load. */
export const bundleClient = async (sources, folder) => {
  const build = await rolldown({
    input: join(sources, 'client.ts'),
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts'] } },
  });
  await build.write({ file: join(folder, 'client.js'), format: 'esm', minify: true });
  await build.close();
};
