import { DEFAULT_METHODS } from '../../../config/response-settings.js';
import { isRecord } from '../../../lib/is-record.js';
import type { Context, Middleware } from '../context.js';

type OriginFunction = (context: Context) => unknown;

/** The values of the headers that `strapi::cors` sends to the origins that it allows. */
interface CorsHeaders {
  readonly credentials: boolean;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly expose: readonly string[];
  readonly maxAge: number | null;
}

const listOf = (value: unknown): readonly string[] => {
  const items: readonly unknown[] = typeof value === 'string' ? value.split(',') : [value ?? []].flat();
  return items.map((each) => String(each).trim()).filter((each) => each !== '');
};

/** A function that returns nothing allows every origin, as one that is not there. */
const allowedOrigins = (allowed: unknown): readonly string[] => listOf(allowed ?? '*');

const isPreflight = (context: Context): boolean =>
  context.method === 'OPTIONS' && context.get('Access-Control-Request-Method') !== '';

const answerPreflight = (context: Context, { methods, headers, maxAge }: CorsHeaders): void => {
  const asked = context.get('Access-Control-Request-Headers');
  const allowed = headers.length === 0 ? asked : headers.join(',');
  context.set('Access-Control-Allow-Methods', methods.join(','));
  if (allowed !== '') context.set('Access-Control-Allow-Headers', allowed);
  if (maxAge !== null) context.set('Access-Control-Max-Age', String(maxAge));
  context.status = 204;
};

/**
 * Creates `strapi::cors` for a route, or for all of them where its `origin` is a function of the request. The
 * server itself sends these headers where they are the same for all requests.
 */
export function createCors(config: unknown): Middleware {
  const options = isRecord(config) ? config : {};
  const { origin } = options;
  const sent: CorsHeaders = {
    credentials: options['credentials'] !== false,
    methods: options['methods'] === undefined ? DEFAULT_METHODS : listOf(options['methods']),
    headers: listOf(options['headers']),
    expose: listOf(options['expose']),
    maxAge: typeof options['maxAge'] === 'number' ? options['maxAge'] : null,
  };
  return async (context, next) => {
    context.vary('Origin');
    const asking = context.get('Origin');
    if (asking === '') return next();
    const allowed: unknown =
      typeof origin === 'function' ? await (origin as OriginFunction)(context) : origin;
    const origins = allowedOrigins(allowed);
    if (!origins.includes('*') && !origins.includes(asking)) return next();
    context.set('Access-Control-Allow-Origin', asking);
    // Otherwise any page would act in the user's name.
    if (sent.credentials && !origins.includes('*')) context.set('Access-Control-Allow-Credentials', 'true');
    if (isPreflight(context)) return answerPreflight(context, sent);
    if (sent.expose.length > 0) context.set('Access-Control-Expose-Headers', sent.expose.join(','));
    return next();
  };
}
