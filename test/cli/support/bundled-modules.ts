import { readFileSync } from 'node:fs';

/** Returns the paths of the modules in a file of the build, by the comments that the bundler writes. */
export const bundledModules = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^\/\/ (\S*\b(?:src|node_modules)\/\S+)$/gm)].map(
    ([, module]) => module ?? '',
  );
