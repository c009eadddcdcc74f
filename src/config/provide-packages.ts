import Module, { createRequire } from 'node:module';
import { sep } from 'node:path';

/** The function of Node.js that resolves a `require`. Tools that redirect imports replace it, too. */
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
 * Provides packages to the files of a folder, also if they are not installed. The module loader does not
 * suffice: Node.js evaluates plain CommonJS files, and resolves their `require` calls at run time.
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
 * before the application exists, so each factory runs at the first use of its result.
 */
export function deferredFactories(root: string): object {
  const defer =
    (name: string) =>
    (...args: readonly unknown[]): object => {
      let created: object | undefined;
      const real = (): object | undefined => (created ??= factoriesOf(root)?.[name]?.(...args));
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
