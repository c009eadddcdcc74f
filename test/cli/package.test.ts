import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainEnvironment } from './support/binary.js';
import { packageRoot } from './support/package-root.js';
import { createTempProject } from './support/temp-project.js';

const packedFiles = (): readonly string[] => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: packageRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [tarball] = JSON.parse(output) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return (tarball?.files ?? []).map(({ path }) => path);
};

/** Files outside of dist that the program reads at run time, as its sources name them. */
const runtimeFiles = (): readonly string[] =>
  readdirSync(join(packageRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(packageRoot, 'src', file), 'utf8');
      const named = [...source.matchAll(/new URL\('(\.\.?\/[^']*)', import\.meta\.url\)/g)].map(
        ([, path]) => path ?? '',
      );
      return named
        .map((path) => posix.join('src', posix.dirname(file), path))
        .filter((path) => path !== './' && !path.startsWith('src/'));
    });

describe('the package', () => {
  it('holds all that the program reads, and no sources or tests', () => {
    const files = packedFiles();
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/run.js',
        'dist/index.js',
        'dist/index.d.ts',
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

  it('keeps its inner files to itself', () => {
    const { root } = createTempProject();
    const script =
      "await import('galley/dist/index.js').then(() => 'open', (error) => error.code).then(console.log);";
    expect(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }),
    ).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
  });
});
