import Module, { createRequire } from 'node:module';
import { sep } from 'node:path';

/** The part of Node that finds the file of a `require`. Tools that redirect imports replace it, too. */
interface Resolver {
  _resolveFilename(
    request: string,
    parent?: { readonly filename?: string | null },
    ...rest: unknown[]
  ): string;
}

type Packages = Readonly<Record<string, object>>;

const packagesByRoot = new Map<string, Packages>();
const moduleCache = createRequire(import.meta.url).cache;
const resolver = Module as unknown as Resolver;

const idOf = (root: string, name: string): string => `galley:${root}:${name}`;

const findProvided = (request: string, file: string | null | undefined): string | null => {
  if (typeof file !== 'string') return null;
  for (const [root, packages] of packagesByRoot)
    if (file.startsWith(root + sep) && Object.hasOwn(packages, request)) return idOf(root, request);
  return null;
};

/** Replaces the loader's function once, when a project first provides packages. */
const redirectRequires = (): void => {
  const resolve = resolver._resolveFilename.bind(resolver);
  resolver._resolveFilename = (request, parent, ...rest) =>
    findProvided(request, parent?.filename) ?? resolve(request, parent, ...rest);
};

/**
 * Gives packages to what the files of a folder require, whether or not they are installed. The loader of
 * modules alone does not suffice: files that are plain CommonJS are evaluated by Node, which resolves what
 * they require when they are called.
 */
export function providePackages(root: string, packages: Packages): void {
  if (packagesByRoot.size === 0) redirectRequires();
  packagesByRoot.set(root, packages);
  for (const [name, exported] of Object.entries(packages)) {
    const id = idOf(root, name);
    moduleCache[id] = Object.assign(new Module(id), { filename: id, exports: exported, loaded: true });
  }
}
