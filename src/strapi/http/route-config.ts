import * as v from 'valibot';
import { check } from '../../config/checks.js';
import { applied, harmless, refused, restricting } from '../../config/strapi/options/option.js';
import type { StrapiOptions } from '../../config/strapi/options/option.js';

const list = check('a list', v.array(v.unknown()));

/** The keys of `config` of a route. */
export const ROUTE_OPTIONS: StrapiOptions = {
  auth: restricting(applied('False, or `scope` and `strategies`.')),
  'auth.scope': restricting(applied()),
  'auth.strategies': restricting(applied()),
  policies: restricting(applied('Also for GraphQL, see `resolversConfig`.'), list),
  policy: restricting(refused('The option is called `policies`.')),
  middlewares: restricting(applied('Those of Strapi, too, such as `strapi::ip`.'), list),
  prefix: applied(),
  description: harmless('It is for documentation.'),
  tags: harmless('It is for documentation.'),
  summary: harmless('It is for documentation.'),
  plugin: harmless('Strapi knows it from the place of the file.'),
  roles: harmless('From older versions of Strapi.'),
  ratelimit: restricting(refused('Use the middleware `plugin::users-permissions.rateLimit`.')),
};

/** The `config` of one route in a file of `routes/`. */
export interface RouteConfig {
  /** False: anybody. Otherwise a caller needs every permission of `scope`. */
  readonly auth?: false | { readonly scope?: readonly string[]; readonly strategies?: readonly unknown[] };
  readonly policies?: readonly unknown[];
  readonly middlewares?: readonly unknown[];
  /** If present, with any value, the prefix of the router is not applied. */
  readonly prefix?: unknown;
  readonly description?: string;
}

/** One route of a file in `routes/`. */
export interface RouteInput {
  readonly method: string;
  readonly path: string;
  readonly handler: unknown;
  readonly config?: RouteConfig;
}

/** The export of a file in `routes/`, instantiated. */
export interface RouterInput {
  readonly type?: string;
  readonly prefix?: string;
  readonly routes: readonly RouteInput[];
}

/** The origin of a router: an API or a plugin of the project, or a call of `strapi.server.routes`. */
export interface RouterOrigin {
  readonly apiName?: string;
  readonly pluginName?: string;
  /** Relative to the project, for messages. */
  readonly file?: string;
}
