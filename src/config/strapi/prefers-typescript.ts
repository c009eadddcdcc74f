import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * True if TypeScript takes precedence over JavaScript of the same name: in a project of TypeScript, Strapi
 * runs what it compiles, otherwise it runs the JavaScript.
 */
export function prefersTypeScript(root: string): boolean {
  if (existsSync(join(root, 'tsconfig.json'))) return true;
  const manifest = join(root, 'package.json');
  return existsSync(manifest) && /"typescript"\s*:/.test(readFileSync(manifest, 'utf8'));
}
