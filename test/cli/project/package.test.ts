import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hasNodeSqlite, sqlitePackages } from '../../../src/database/sqlite/driver.js';
import { databases } from '../../support/databases.js';
import { plainEnvironment, runBinary } from '../support/binary.js';
import { bundledModules } from '../support/bundled-modules.js';
import { packageRoot } from '../support/package-root.js';
import { createTempProject } from '../support/temp-project.js';

const packedFiles = (): readonly string[] => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: packageRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [tarball] = JSON.parse(output) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return (tarball?.files ?? []).map(({ path }) => path);
};

const sourceFiles = (): readonly string[] =>
  readdirSync(join(packageRoot, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );

const sources = (): readonly string[] =>
  sourceFiles().map((file) => readFileSync(join(packageRoot, 'src', file), 'utf8'));

/** Files outside of dist that the program reads at run time, as its sources name them. */
const runtimeFiles = (): readonly string[] =>
  sourceFiles().flatMap((file) => {
    const source = readFileSync(join(packageRoot, 'src', file), 'utf8');
    const named = [...source.matchAll(/new URL\('(\.\.?\/[^']*)', import\.meta\.url\)/g)].map(
      ([, path]) => path ?? '',
    );
    return named
      .map((path) => posix.join('src', posix.dirname(file), path))
      .filter((path) => path !== './' && !path.startsWith('src/'));
  });

/** Names of packages that the build has copied code of. */
const bundledPackages = (): readonly string[] => {
  const files = readdirSync(join(packageRoot, 'dist'), { recursive: true, encoding: 'utf8' });
  const modules = files
    .filter((file) => /\.c?js$/.test(file))
    .flatMap((file) => bundledModules(join(packageRoot, 'dist', file)));
  const names = modules.flatMap((module) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? []);
  return [...new Set(names)];
};

interface PackageManifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly version: string;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(packageRoot, path), 'utf8'));

/** Fails to load the SQLite driver with a message. */
const failingDriver = (message: string): Readonly<Record<string, string>> => {
  const hooks = `
    export const resolve = (name, context, next) => {
      if (/better-sqlite3/.test(name)) throw new Error(${JSON.stringify(message)});
      return next(name, context);
    };`;
  const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hooks))});`;
  return { NODE_OPTIONS: `--import=${asModule(register)}` };
};

/** As if the driver could not be compiled when the package was installed. */
const WITHOUT_DRIVER = failingDriver('Cannot find package better-sqlite3');

/** As if the driver was installed by another version of Node.js. */
const WITH_OTHER_DRIVER = failingDriver(
  "The module '/a/b.node'\nwas compiled against a different Node.js version using\n" +
    'NODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 127.',
);

const POSTGRES = databases.find(({ name }) => name === 'postgresql');

describe('the package', () => {
  it('holds all that the program reads, and no sources or tests', () => {
    const files = packedFiles();
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/run.js',
        'dist/index.js',
        'dist/api/graphql/http/altair/LICENSE',
        'dist/api/graphql/http/altair/build/dist/index.html',
        'dist/database/prisma/generator-thread.cjs',
        'dist/strapi/http/koa-session.cjs',
        'dist/client.d.ts',
        'dist/client.js',
        'dist/index.d.ts',
        'dist/server/reference/redoc/LICENSE',
        'dist/server/reference/redoc/redoc.standalone.js',
        'dist/server/reference/redoc/redoc.standalone.js.LICENSE.txt',
        'oclif.manifest.json',
        'package.json',
      ]),
    );
    const needed = runtimeFiles();
    expect(needed.length).toBeGreaterThan(0);
    expect(
      needed.filter(
        (path) => !files.some((file) => file === path || (path.endsWith('/') && file.startsWith(path))),
      ),
    ).toEqual([]);
    expect(
      files.filter((file) => /^(src|test|demo-site|\.ci)\//.test(file) || file === 'bin/build.js'),
    ).toEqual([]);
  });

  it('carries the licences of all packages that it holds copies of', () => {
    const names = bundledPackages();
    const some = ['@oclif/core', '@prisma/client-generator-js', 'fastify', 'koa-session', 'kysely'];
    expect(names).toEqual(expect.arrayContaining(some));
    const licences = `\n${readFileSync(join(packageRoot, 'dist', 'third-party-licences.txt'), 'utf8')}`;
    expect(names.filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
    expect(licences).toContain('Sami Koskimäki');
  });

  it('depends on all packages that it loads by name; the build checks what it imports', () => {
    const { dependencies, peerDependencies } = readJson('package.json') as PackageManifest;
    const loaded = sources().flatMap((source) =>
      [...source.matchAll(/\brequire(?:\.resolve|Exports)?\(['"`]((?:@[\w-]+\/)?[a-z][\w-]*)/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    const names = new Set(loaded);
    expect([...names]).toEqual(expect.arrayContaining(['@prisma/client', 'koa', 'nexus']));
    expect(
      [...names].filter((name) => !Object.hasOwn({ ...dependencies, ...peerDependencies }, name)),
    ).toEqual([]);
  });

  it('is imported by its name', () => {
    const { root } = createTempProject();
    const script = `
      import { defineConfig } from 'galley';
      console.log(JSON.stringify(defineConfig({ server: { port: 4000 } })));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      env: plainEnvironment(),
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({ server: { port: 4000 } });
  });

  it('has a client of one small file that imports nothing', () => {
    const client = readFileSync(join(packageRoot, 'dist', 'client.js'));
    expect(client.toString()).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b/);
    expect(client.length).toBeLessThan(11_500);
    expect(gzipSync(client).length).toBeLessThan(4_900);
    const { root } = createTempProject();
    const script = "import * as client from 'galley/client'; console.log(Object.keys(client).join(' '));";
    const argv = ['--input-type=module', '-e', script];
    expect(execFileSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })).toContain('createClient');
  });

  it('keeps its inner files to itself', () => {
    const { root } = createTempProject();
    const script =
      "await import('galley/dist/index.js').then(() => 'open', (error) => error.code).then(console.log);";
    expect(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }),
    ).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
  });

  it('installs without a compiler, and builds when it is packed', () => {
    const manifest = readJson('package.json') as Readonly<Record<string, Readonly<Record<string, string>>>>;
    expect(manifest).not.toHaveProperty('optionalDependencies');
    expect(manifest['dependencies']).not.toHaveProperty(['better-sqlite3']);
    expect(manifest['peerDependenciesMeta']).toMatchObject({ 'better-sqlite3': { optional: true } });
    expect(manifest['scripts']).toMatchObject({ prepack: 'npm run build' });
    expect(manifest['scripts']).not.toHaveProperty('prepare');
  });

  it('installs no package that wants a newer Node', () => {
    const { packages } = readJson('package-lock.json') as {
      readonly packages: Readonly<Record<string, LockedPackage>>;
    };
    const wanting = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .filter(([, { engines }]) => /^>=\s*2[1-9]/.test(engines?.node ?? ''))
      .map(([path, { version }]) => `${path} ${version}`);
    expect(wanting).toEqual([]);
  });

  it.skipIf(hasNodeSqlite())('says what is missing without the SQLite driver', async () => {
    const { root } = createTempProject();
    const { exitCode, stderr } = await runBinary(['migrate', 'status'], { cwd: root, env: WITHOUT_DRIVER });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The SQLite driver better-sqlite3 cannot be loaded: Cannot find package');
    expect(stderr).toContain(`npm install better-sqlite3@${sqlitePackages()['better-sqlite3'] ?? ''}`);
  });

  it.skipIf(hasNodeSqlite())('names the reason if the SQLite driver is for another Node.js', async () => {
    const { root } = createTempProject();
    const { stderr } = await runBinary(['migrate', 'status'], { cwd: root, env: WITH_OTHER_DRIVER });
    expect(stderr).toContain(
      "The module '/a/b.node' was compiled against a different Node.js version using " +
        'NODE_MODULE_VERSION 115\n',
    );
  });

  it.runIf(POSTGRES !== undefined)('serves PostgreSQL without the SQLite driver', async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    const { root } = createTempProject();
    const env = { ...WITHOUT_DRIVER, DATABASE_URL: url };
    const { exitCode, stderr } = await runBinary(['migrate', '--yes'], { cwd: root, env });
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  });
});
