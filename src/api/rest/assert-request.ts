import type { FastifyRequest } from 'fastify';
import { isRecord } from '../../lib/is-record.js';
import { shorten } from '../../query/raw-values.js';
import { READ_PARAMETERS } from '../../query/read-params.js';
import { invalidParameter } from '../../query/read-context.js';
import { unsupportedKey } from '../../documents/validation/issues.js';
import { passedOnOf } from './passed-on.js';
import { queryOf } from './request-params.js';
import type { Route } from './routes/route.js';

/** Parameters of the API, which project code in front of a route does not give another meaning. */
const API_PARAMETERS: ReadonlySet<string> = new Set(READ_PARAMETERS);

const listNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const assertParameters = (
  { method, path, parameters = [], unsupported = {} }: Route,
  request: FastifyRequest,
): void => {
  const isKnown = (name: string): boolean =>
    parameters.includes(name) || (!API_PARAMETERS.has(name) && passedOnOf(request) !== null);
  const name = Object.keys(queryOf(request)).find((key) => !isKnown(key));
  if (name === undefined) return;
  const taken = parameters.length === 0 ? 'no parameters' : listNames(parameters);
  const reason = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined;
  throw invalidParameter(shorten(name), reason ?? `${method} ${path} takes ${taken}.`);
};

const assertBody = ({ parameters = [], bodyKeys }: Route, { body }: FastifyRequest): void => {
  if (bodyKeys === undefined || !isRecord(body)) return;
  const key = Object.keys(body).find((name) => !bodyKeys.includes(name));
  if (key === undefined) return;
  if (parameters.includes(key)) throw unsupportedKey(key, `it is a parameter of the address: ?${key}=….`);
  if (bodyKeys.length === 0) throw unsupportedKey(key, 'this request takes no body.');
  const hint = bodyKeys.includes('data') ? ' Attributes belong into data.' : '';
  throw unsupportedKey(key, `the body takes ${listNames(bodyKeys)}.${hint}`);
};

/**
 * Refuses parameters and keys of the body that an endpoint which writes does not read, so that nothing which
 * a client asks for is dropped. Reads ignore unknown parameters, as in Strapi.
 *
 * @throws `request/invalid-parameter`, `request/invalid-key`
 */
export function assertRequest(route: Route, request: FastifyRequest): void {
  if (route.method === 'GET') return;
  assertParameters(route, request);
  assertBody(route, request);
}
