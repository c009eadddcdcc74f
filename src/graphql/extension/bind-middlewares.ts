import { isRecord } from '../../lib/is-record.js';
import type { WithApplication } from './configuration.js';
import { getNamed } from './get-named.js';
import type { ConfigPlace } from './get-named.js';
import { broken } from './read-uses.js';

type Resolve = (...args: readonly unknown[]) => unknown;

/** `(next, parent, args, context, info)` */
export type BoundMiddleware = (next: Resolve, ...call: readonly unknown[]) => unknown;

const isFunction = (value: unknown): value is Resolve => typeof value === 'function';

/** Parameters of a function that is a middleware itself, and not what makes one. */
const OWN_PARAMETERS = 3;

/** A registered function is what makes a middleware, or one itself, which takes no options. */
const made = async (code: Resolve, options: unknown, tools: WithApplication): Promise<Resolve> => {
  if (code.length >= OWN_PARAMETERS) return code;
  try {
    const middleware = await code(options, tools);
    return isFunction(middleware) ? middleware : code;
  } catch (error) {
    // `(next, ...call) => next(...call)` is told apart only by trying.
    if (error instanceof TypeError && code.length === 1) return code;
    throw error;
  }
};

const bindOne = async (at: ConfigPlace, entry: unknown, tools: WithApplication): Promise<BoundMiddleware> => {
  if (isFunction(entry)) return entry;
  const { name, options = {} } = isRecord(entry) ? entry : { name: entry };
  if (typeof name !== 'string') throw broken(at.place, at.key, 'a middleware is a function, a name, or an object with a name and options.');
  const code = await getNamed(at, 'middleware', name);
  if (!isFunction(code)) throw broken(at.place, at.key, `the middleware ${name} is no function.`);
  try {
    return await made(code, options, tools);
  } catch (error) {
    throw broken(at.place, at.key, error);
  }
};

/** The middlewares of one field, the first outermost. Throws `graphql/broken-extension` for names nobody has registered. */
export async function bindMiddlewares(at: ConfigPlace, entries: unknown, tools: WithApplication): Promise<readonly BoundMiddleware[]> {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries)) throw broken(at.place, at.key, 'middlewares must be a list.');
  return Promise.all(entries.map((entry) => bindOne(at, entry, tools)));
}
