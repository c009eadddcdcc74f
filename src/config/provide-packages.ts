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

type Factories = Readonly<Record<string, (...args: readonly unknown[]) => object>>;

const factoriesOf = (root: string): Factories | undefined => {
  const strapi: { readonly factories?: Factories } | undefined = packagesByRoot.get(root)?.['@strapi/strapi'];
  return strapi?.factories;
};

/**
 * Returns `@strapi/strapi` for files of config/, which may import code of the project. They are evaluated
 * before the application is there, so that the factories run when what they return is first used.
 */
export function deferredFactories(root: string): object {
  const defer =
    (name: string) =>
    (...args: readonly unknown[]): object => {
      let made: object | undefined;
      const real = (): object | undefined => (made ??= factoriesOf(root)?.[name]?.(...args));
      return new Proxy(() => undefined, {
        get: (_target, key): unknown => Reflect.get(real() ?? {}, key),
        apply: (_target, context, given): unknown => {
          const run = real();
          return typeof run === 'function' ? Reflect.apply(run, context, given) : run;
        },
      });
    };
  const names = ['createCoreController', 'createCoreService', 'createCoreRouter'];
  return { factories: Object.fromEntries(names.map((name) => [name, defer(name)])) };
}
