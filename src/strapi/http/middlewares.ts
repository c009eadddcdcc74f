import { referredName } from '../../config/strapi/config-values.js';
import { locateKeys } from '../../config/strapi/load-strapi-config.js';
import type { UnappliedOption } from '../../config/strapi/options/option.js';
import { checkMiddleware } from '../../config/strapi/options/check-options.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { Middleware } from './context.js';
import type { HttpHost } from './http-host.js';

const ALWAYS_IN_FRONT: ReadonlySet<string> = new Set([
  'strapi::ip',
  'strapi::responseTime',
  'strapi::responses',
]);

/** Middlewares before it get requests without a parsed body, as in Strapi. */
const BODY = 'strapi::body';

type MiddlewareFactory = (config: unknown, tools: { readonly strapi: object }) => unknown;

/** An entry of a list of middlewares: a name or file, and its configuration. */
interface MiddlewareEntry {
  readonly name: string;
  readonly config: unknown;
  readonly isFile: boolean;
}

const parseEntry = (entry: unknown): MiddlewareEntry => {
  const { resolve, config = {} } = isRecord(entry) ? entry : {};
  const name = referredName(entry);
  if (name !== undefined) return { name, config, isFile: false };
  if (typeof resolve === 'string') return { name: resolve, config, isFile: true };
  throw createError('project/unknown-middleware', { name: JSON.stringify(entry) });
};

/** Creates a middleware. A factory that returns nothing adds none. */
const instantiate = (factory: unknown, name: string, config: unknown, { strapi }: HttpHost): Middleware => {
  if (typeof factory !== 'function') throw createError('project/unknown-middleware', { name });
  const created = (factory as MiddlewareFactory)(config, { strapi });
  return typeof created === 'function' ? (created as Middleware) : (_context, next) => next();
};

/** Loads a middleware from a file or package for a route. Its first request waits until it is loaded. */
const instantiateFile = ({ name, config }: MiddlewareEntry, host: HttpHost): Middleware => {
  const loading = host.loadModule(name).then((factory) => instantiate(factory, name, config, host));
  loading.catch(() => undefined);
  return async (context, next) => (await loading)(context, next);
};

interface Declaration {
  /** The file that declares a route. */
  readonly file: string;
  /** The keys in the file that lead to the option. */
  readonly keys: readonly string[];
}

/**
 * Warns of options that have no effect.
 *
 * @throws `strapi/unapplied-options` if one of them restricts access
 */
export function assertApplied(
  { root, logger }: HttpHost,
  unapplied: readonly UnappliedOption[],
  { file, keys }: Declaration,
): void {
  const printed = unapplied.map(({ path, reason, isFatal }) => ({
    text: `${locateKeys(root, file, [...keys, ...path])} ${[...keys, ...path].join(' ')} ${reason}`,
    isFatal,
  }));
  const fatal = printed.filter(({ isFatal }) => isFatal).map(({ text }) => text);
  if (fatal.length > 0) throw createError('strapi/unapplied-options', { options: fatal.join('\n') });
  for (const { text } of printed) logger.warn(text);
}

/**
 * Returns the middlewares of a route in a file: functions in Koa's style, names of factories, or files and
 * packages that export one.
 *
 * @throws `project/unknown-middleware`, `strapi/unapplied-options`
 */
export function routeMiddlewares(
  host: HttpHost,
  entries: readonly unknown[],
  file: string,
): readonly Middleware[] {
  return entries.map((each) => {
    if (typeof each === 'function') return each as Middleware;
    const entry = parseEntry(each);
    if (entry.isFile) return instantiateFile(entry, host);
    if (entry.name.startsWith('strapi::'))
      assertApplied(host, checkMiddleware(entry.name, entry.config), { file, keys: [] });
    return instantiate(host.middlewares.get(entry.name), entry.name, entry.config, host);
  });
}

/** True if one of Strapi's middlewares must run around every request. The server replaces most others. */
const runsInFront = ({ name, config }: MiddlewareEntry): boolean =>
  ALWAYS_IN_FRONT.has(name) ||
  (name === 'strapi::cors' && isRecord(config) && typeof config['origin'] === 'function');

/**
 * Returns the project's middlewares in config/middlewares, in their order, with `readBody` at its position,
 * and Strapi's middlewares that inspect each request. The server does the work of the others. Empty if the
 * project has none.
 *
 * @throws `project/unknown-middleware`
 */
export async function globalMiddlewares(
  host: HttpHost,
  entries: readonly unknown[],
  readBody: Middleware,
): Promise<readonly Middleware[]> {
  const found: Middleware[] = [];
  for (const each of entries) {
    if (typeof each === 'function') {
      found.push(each as Middleware);
      continue;
    }
    const entry = parseEntry(each);
    const { name, config, isFile } = entry;
    if (!isFile && name === BODY) found.push(readBody);
    if (!isFile && name.startsWith('strapi::') && !runsInFront(entry)) continue;
    const factory = isFile ? await host.loadModule(name) : host.middlewares.get(name);
    found.push(instantiate(factory, name, config, host));
  }
  return found.every((each) => each === readBody) ? [] : found;
}
