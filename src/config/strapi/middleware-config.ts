import { isRecord } from '../../lib/is-record.js';

const nameOf = (entry: unknown): unknown => (isRecord(entry) ? entry['name'] : entry);

/** Returns the options of a middleware in the list of config/middlewares. Empty where it has none. */
export function middlewareConfig(middlewares: unknown, name: string): Readonly<Record<string, unknown>> {
  const entries: readonly unknown[] = Array.isArray(middlewares) ? middlewares : [];
  const found = entries.filter(isRecord).find((entry) => entry['name'] === name);
  return isRecord(found?.['config']) ? found['config'] : {};
}

/** True if a middleware is in the list of config/middlewares. */
export function listsMiddleware(middlewares: readonly unknown[], name: string): boolean {
  return middlewares.some((entry) => nameOf(entry) === name);
}
