import { isRecord } from '../../../lib/is-record.js';
import type { WithApplication } from './configuration.js';
import { getNamedCode } from './get-named-code.js';
import type { ConfigLocation } from './get-named-code.js';
import { createExtensionError } from './evaluate-extensions.js';
import { isFunction } from './is-function.js';
import type { AnyFunction } from './is-function.js';

/** `(next, parent, args, context, info)` */
export type BoundMiddleware = (next: AnyFunction, ...call: readonly unknown[]) => unknown;

/** A function with that many parameters is a middleware itself, not a factory. */
const MIDDLEWARE_PARAMETERS = 3;

/** A registered function is a middleware factory, or a middleware itself, which takes no options. */
const createMiddleware = async (
  code: AnyFunction,
  options: unknown,
  tools: WithApplication,
): Promise<AnyFunction> => {
  if (code.length >= MIDDLEWARE_PARAMETERS) return code;
  try {
    const middleware = await code(options, tools);
    return isFunction(middleware) ? middleware : code;
  } catch (error) {
    // A middleware such as `(next, ...call) => next(...call)` is recognised only by calling it.
    if (error instanceof TypeError && code.length === 1) return code;
    throw error;
  }
};

const bindMiddleware = async (
  location: ConfigLocation,
  entry: unknown,
  tools: WithApplication,
): Promise<BoundMiddleware> => {
  if (isFunction(entry)) return entry;
  const { name, options = {} } = isRecord(entry) ? entry : { name: entry };
  if (typeof name !== 'string')
    throw createExtensionError(
      location.source,
      location.key,
      'a middleware must be a function, a name, or an object with a name and options.',
    );
  const code = await getNamedCode(location, 'middleware', name);
  if (!isFunction(code))
    throw createExtensionError(location.source, location.key, `the middleware ${name} is not a function.`);
  try {
    return await createMiddleware(code, options, tools);
  } catch (error) {
    throw createExtensionError(location.source, location.key, error);
  }
};

/**
 * Returns the middlewares of one field, the outermost first.
 *
 * @throws `graphql/invalid-extension` for names that are not registered
 */
export async function bindMiddlewares(
  location: ConfigLocation,
  entries: unknown,
  tools: WithApplication,
): Promise<readonly BoundMiddleware[]> {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries))
    throw createExtensionError(location.source, location.key, 'middlewares must be a list.');
  return Promise.all(entries.map((entry) => bindMiddleware(location, entry, tools)));
}
