import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { createDirectories, createStrapiConfiguration } from '../configuration.js';
import { isUnavailable } from '../unavailable.js';
import type { PluginHost } from './plugin-host.js';

const doNothing = (): void => undefined;

const LOG = { error: doNothing, warn: doNothing, info: doNothing, debug: doNothing, http: doNothing };

/** Returns the properties of `strapi` that exist before the application is open. */
export function knownProperties(root: string, values: Readonly<Record<string, unknown>>) {
  const config = { ...values, ...createStrapiConfiguration({ ...values }) };
  return { config, dirs: createDirectories(root), log: LOG };
}

/** Properties that exist before the application is open, as in Strapi, and do nothing until then. */
const DEFERRED: ReadonlySet<string> = new Set([
  'db',
  'documents',
  'entityService',
  'query',
  'store',
  'eventHub',
  'cron',
  'server',
]);

/** Creates a stand-in for a value that exists later. Until then it can be destructured and called. */
const createDeferred = (resolve: () => unknown): unknown =>
  new Proxy(doNothing, {
    get: (_target, key): unknown => {
      if (key === 'then' || typeof key === 'symbol') return undefined;
      const found = resolve();
      if (typeof found !== 'object' && typeof found !== 'function')
        return createDeferred(() => {
          const later: unknown = resolve();
          return isRecord(later) || typeof later === 'function' ? Reflect.get(later, key) : undefined;
        });
      return found === null ? undefined : Reflect.get(found, key);
    },
    apply: (_target, self, args): unknown => {
      const found = resolve();
      return typeof found === 'function' ? Reflect.apply(found, self, args) : createDeferred(() => undefined);
    },
  });

/**
 * Creates the `strapi` object for the time when content-types are read, before services are open. It has the
 * configuration and the folders. Modules of packages are evaluated once and keep this object. Once an
 * application is open, its properties are those of the application.
 */
export function createStrapiStub(
  root: string,
  values: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): object {
  const known: Readonly<Record<string, unknown>> = {
    ...more,
    ...knownProperties(root, values),
    customFields: { register: doNothing },
    // Code registers tools in register and bootstrap.
    ai: undefined,
  };
  const isOpen = (): boolean => ![undefined, strapi].includes(Reflect.get(globalThis, 'strapi') as object);
  const strapi: object = new Proxy(known, {
    has: (object, key) => Reflect.has(isOpen() ? (Reflect.get(globalThis, 'strapi') as object) : object, key),
    get: (object, key): unknown => {
      if (isOpen()) return Reflect.get(Reflect.get(globalThis, 'strapi') as object, key);
      if (typeof key === 'symbol' || key in object || key === 'then') return Reflect.get(object, key);
      if (DEFERRED.has(key)) return createDeferred(() => (isOpen() ? Reflect.get(strapi, key) : undefined));
      if (isUnavailable(key)) return undefined;
      throw createError('project/unknown-property', {
        name: `strapi.${key} yet, while content-types are read`,
        remedy: 'Use it in register, in bootstrap, or in a function that runs later.',
      });
    },
  });
  return strapi;
}

/**
 * Runs a function while `strapi` is global. If an application runs in this process, the global `strapi` stays
 * that of the application.
 */
export async function withGlobalStrapi<T>(strapi: object, run: () => Promise<T>): Promise<T> {
  if (Reflect.has(globalThis, 'strapi')) return run();
  Object.assign(globalThis, { strapi });
  try {
    return await run();
  } finally {
    if (Reflect.get(globalThis, 'strapi') === strapi) Reflect.deleteProperty(globalThis, 'strapi');
  }
}

/** Creates a stand-in for anything not open yet. It can be destructured and called, and does nothing. */
export function createPlaceholder(): unknown {
  return new Proxy(doNothing, {
    get: (_target, key): unknown =>
      key === 'then' || typeof key === 'symbol' ? undefined : createPlaceholder(),
    apply: (): unknown => createPlaceholder(),
  });
}

/**
 * Creates a host without services, so that extensions can change the routes, controllers and content-types of
 * built-in plugins.
 */
export function createHostStub(known: Partial<PluginHost> = {}): PluginHost {
  return new Proxy(known, {
    get: (object, key): unknown => (key in object ? Reflect.get(object, key) : createPlaceholder()),
  }) as PluginHost;
}
