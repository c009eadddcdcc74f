import { createError } from '../../errors/catalogue.js';
import { createStrapiConfiguration } from '../configuration/strapi-configuration.js';
import { createDirectories } from '../runtime/dirs.js';
import type { PluginHost } from './plugin-host.js';

const doNothing = (): void => undefined;

const LOG = { error: doNothing, warn: doNothing, info: doNothing, debug: doNothing, http: doNothing };

/** The properties of `strapi` that are known before anything is open. */
export function knownProperties(root: string, values: Readonly<Record<string, unknown>>) {
  return { config: createStrapiConfiguration({ ...values }), dirs: createDirectories(root), log: LOG };
}

/**
 * What `strapi` is while content-types are read, before anything is open. Code that is evaluated then finds
 * its configuration and its folders. Modules of packages are evaluated once and keep what they find, so that
 * once an application is open, this is that application.
 */
export function createUnopenedStrapi(
  root: string,
  values: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): object {
  const known: Readonly<Record<string, unknown>> = {
    ...more,
    ...knownProperties(root, values),
    customFields: { register: doNothing },
  };
  const isOpen = (): boolean => ![undefined, strapi].includes(Reflect.get(globalThis, 'strapi') as object);
  const strapi: object = new Proxy(known, {
    has: (object, key) => Reflect.has(isOpen() ? (Reflect.get(globalThis, 'strapi') as object) : object, key),
    get: (object, key): unknown => {
      if (isOpen()) return Reflect.get(Reflect.get(globalThis, 'strapi') as object, key);
      if (typeof key === 'symbol' || key in object || key === 'then') return Reflect.get(object, key);
      throw createError('project/unknown-property', {
        name: `strapi.${key} yet, while content-types are read`,
        remedy: 'Use it in register, in bootstrap, or in a function that runs later.',
      });
    },
  });
  return strapi;
}

/**
 * Runs a function while `strapi` is global. Where an application runs in this process, `strapi` stays its
 * own.
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

/** Stands for whatever is not open yet: it can be taken apart and called, and does nothing. */
export function createPlaceholder(): unknown {
  return new Proxy(doNothing, {
    get: (_target, key): unknown =>
      key === 'then' || typeof key === 'symbol' ? undefined : createPlaceholder(),
    apply: (): unknown => createPlaceholder(),
  });
}

/**
 * A host without services, so that the plugins that Galley brings along can be shown to extensions, which
 * change their routes, controllers and content-types.
 */
export function createUnopenedHost(known: Partial<PluginHost> = {}): PluginHost {
  return new Proxy(known, {
    get: (object, key): unknown => (key in object ? Reflect.get(object, key) : createPlaceholder()),
  }) as PluginHost;
}
