import { isRecord } from '../../lib/is-record.js';

/**
 * Returns the name by which config/middlewares or a route refers to a middleware or policy. Undefined: it
 * does so by a file or a function. Strapi looks names up as keys of an object, where a list of one name is
 * that name.
 */
export function referredName(entry: unknown): string | undefined {
  const name = isRecord(entry) ? entry['name'] : entry;
  if (Array.isArray(name)) return isRecord(entry) && name.length > 0 ? name.join() : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Returns the options of a middleware in the list of config/middlewares. Empty where it has none. */
export function middlewareConfig(middlewares: unknown, name: string): Readonly<Record<string, unknown>> {
  const entries: readonly unknown[] = Array.isArray(middlewares) ? middlewares : [];
  const found = entries.filter(isRecord).find((entry) => referredName(entry) === name);
  return isRecord(found?.['config']) ? found['config'] : {};
}

/** True if a middleware is in the list of config/middlewares. */
export function listsMiddleware(middlewares: readonly unknown[], name: string): boolean {
  return middlewares.some((entry) => referredName(entry) === name);
}
