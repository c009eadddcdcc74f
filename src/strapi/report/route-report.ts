import { lineAt } from '../../lib/source-text.js';
import { readWithoutComments, relativePath } from './source-files.js';

/** A route that a file of the project declares itself. */
export interface OwnRoute {
  readonly method: string;
  readonly path: string;
  /** `src/api/article/routes/custom.ts:4` */
  readonly place: string;
}

const PROPERTY = /\b(method|path)["']?\s*:\s*(['"`])([^'"`]*)\2/g;

/** Returns the routes of one file: each `method` with the `path` that stands next to it. */
const routesIn = (root: string, file: string): readonly OwnRoute[] => {
  const text = readWithoutComments(file);
  const routes: OwnRoute[] = [];
  let pending: { readonly key: string; readonly value: string; readonly index: number } | null = null;
  for (const { 1: key = '', 3: value = '', index } of text.matchAll(PROPERTY)) {
    if (pending === null || pending.key === key) {
      pending = { key, value, index };
      continue;
    }
    const [method, path] = key === 'path' ? [pending.value, value] : [value, pending.value];
    routes.push({
      method: method.toUpperCase(),
      path,
      place: `${relativePath(root, file)}:${lineAt(text, pending.index)}`,
    });
    pending = null;
  }
  return routes;
};

/** Finds the routes that files declare. Core routes, which factories make, are not among them. */
export function findRoutes(root: string, files: readonly string[]): readonly OwnRoute[] {
  return files.flatMap((file) => routesIn(root, file));
}
