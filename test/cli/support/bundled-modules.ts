import { readFileSync } from 'node:fs';

/** Returns the paths of the modules that a file of the build holds, by the comments that the bundler writes. */
export const bundledModules = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^\/\/ (\S*\b(?:src|node_modules)\/\S+)$/gm)].map(
    ([, module]) => module ?? '',
  );
