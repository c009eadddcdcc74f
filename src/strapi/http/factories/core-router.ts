import type { ContentType } from '../../../model/model.js';
import type { RouteConfig, RouteInput, RouterInput } from '../routes.js';
import type { CoreStrapi } from './core.js';

/** The options with which a project declares the routes of a type. */
interface RouterOptions {
  readonly prefix?: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly config?: Readonly<Record<string, RouteConfig | undefined>>;
  readonly type?: string;
}

export interface ActionRoute {
  readonly action: string;
  readonly method: string;
  readonly path: string;
}

const SINGLE_METHODS = { find: 'GET', update: 'PUT', delete: 'DELETE' } as const;

/** Returns the core routes of a type, in Strapi's order. */
export function coreRoutes(
  type: Pick<ContentType, 'kind' | 'singularName' | 'pluralName'>,
): readonly ActionRoute[] {
  if (type.kind === 'singleType')
    return Object.entries(SINGLE_METHODS).map(([action, method]) => ({
      action,
      method,
      path: `/${type.singularName}`,
    }));
  const path = `/${type.pluralName}`;
  return [
    { action: 'find', method: 'GET', path },
    { action: 'findOne', method: 'GET', path: `${path}/:id` },
    { action: 'create', method: 'POST', path },
    { action: 'update', method: 'PUT', path: `${path}/:id` },
    { action: 'delete', method: 'DELETE', path: `${path}/:id` },
  ];
}

/** Returns the running application. Routers created before it is complete look up their type there. */
const runningStrapi = (): CoreStrapi | undefined =>
  Reflect.get(globalThis, 'strapi') as CoreStrapi | undefined;

/**
 * `factories.createCoreRouter`. The routes are created at the first access, since projects wrap routers in
 * others.
 */
export function createCoreRouter(uid: string, options: RouterOptions = {}): RouterInput {
  const { prefix, only, except, config = {}, type = 'content-api' } = options;
  const createRoutes = (): readonly RouteInput[] => {
    const contentType = runningStrapi()?.contentType(uid);
    if (contentType === undefined) throw new Error(`createCoreRouter: there is no content-type ${uid}`);
    return coreRoutes(contentType)
      .filter(({ action }) => (only?.includes(action) ?? true) && !(except?.includes(action) ?? false))
      .map(({ action, method, path }) => ({
        method,
        path,
        handler: `${uid}.${action}`,
        config: config[action] ?? {},
      }));
  };
  let routes: readonly RouteInput[] | undefined;
  return {
    type,
    ...(prefix === undefined ? {} : { prefix }),
    get routes() {
      return (routes ??= createRoutes());
    },
  };
}
