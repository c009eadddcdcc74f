import { camelCase, createNamePool } from '../../lib/names.js';
import { FILE_UID, ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import { ADMINISTRATION_OPERATIONS } from '../administration/administration.js';
import type { AccountOperation } from '../rest/routes/account-routes.js';
import type { ContentOperation } from '../rest/routes/content-routes.js';
import type { RemoteOperation, SchemaOperation, UploadOperation } from '../rest/routes/rest-routes.js';
import type { Route } from '../rest/routes/route.js';
import { accountEndpoint } from './account-endpoints.js';
import { CONTENT_ENDPOINTS } from './content-endpoints.js';
import {
  LOCALE_ENDPOINT,
  administrationEndpoint,
  downloadEndpoint,
  eventEndpoint,
  projectEndpoint,
  remoteEndpoint,
  schemaEndpoint,
  transferEndpoint,
  uploadEndpoint,
} from './builtin-endpoints.js';
import type { ImageChoices } from './builtin-endpoints.js';
import { pathTemplate, printOperation, errorResponses } from './endpoint.js';
import type { Endpoint, OpenapiObject, RouteTraits } from './endpoint.js';
import { createSchemaRegistry } from './create-schema-registry.js';
import type { SchemaRegistry } from './schema-registry.js';

const REMOTE_OPERATION_NAMES: readonly RemoteOperation[] = [
  'about',
  'findContent',
  'listSchedules',
  'writeContent',
  'findProgress',
  'removeProgress',
  'findUsages',
  'findStrays',
  'removeStrays',
  'regenerateFormats',
];

/** The endpoints that do not belong to a content-type, by operation. */
const UNTYPED: Readonly<
  Record<string, (registry: SchemaRegistry, images: ImageChoices | undefined, path: string) => Endpoint>
> = {
  streamEvents: (_registry, _images, path) => eventEndpoint(path),
  listLocales: () => LOCALE_ENDPOINT,
  serveUploads: (_registry, images) => downloadEndpoint(images),
  exportArchive: () => transferEndpoint('exportArchive'),
  importArchive: () => transferEndpoint('importArchive'),
  ...Object.fromEntries(
    ADMINISTRATION_OPERATIONS.map((operation) => [operation.id, () => administrationEndpoint(operation)]),
  ),
  ...Object.fromEntries(
    (['getContentTypes', 'getContentType', 'getComponents', 'getComponent'] satisfies SchemaOperation[]).map(
      (operation) => [operation, () => schemaEndpoint(operation)],
    ),
  ),
  ...Object.fromEntries(
    REMOTE_OPERATION_NAMES.map((operation) => [
      operation,
      (registry: SchemaRegistry) => remoteEndpoint(registry, operation),
    ]),
  ),
};

/**
 * Describes the endpoint of a route.
 *
 * @param images the transformations that clients may request
 * @throws TypeError if the operation has no description
 */
function endpointOf(
  registry: SchemaRegistry,
  { contentType, operation, path }: Route,
  images?: ImageChoices,
): Endpoint {
  if (contentType === null) {
    const create = UNTYPED[operation];
    if (create === undefined) throw new TypeError(`The endpoint ${operation} has no description.`);
    return create(registry, images, path);
  }
  if (contentType === FILE_UID) return uploadEndpoint(registry, operation as UploadOperation);
  if (contentType === USER_UID || contentType === ROLE_UID)
    return accountEndpoint(registry, operation as AccountOperation, contentType);
  return CONTENT_ENDPOINTS[operation as ContentOperation](registry, typeOf(registry.model, contentType));
}

/** A route of project code, or a built-in route that the project overrides. */
export interface CustomRoute {
  readonly method: string;
  readonly path: string;
  /** `project`: project code handles it. `core`: the server does. `excluded`: the project removes it. */
  readonly kind: 'project' | 'core' | 'excluded';
  /** The actions that a caller needs. Empty: none. */
  readonly actions: readonly string[];
}

export interface DocumentOptions {
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly projectRoutes: readonly CustomRoute[];
  readonly info: { readonly title: string; readonly version: string };
  /** Transformations that clients may request of uploaded images. Default: none. */
  readonly images?: ImageChoices;
  /** URL of the server: `https://api.example.com`, or `/`. */
  readonly url: string;
}

const DESCRIPTION = [
  'Filters, relations and pages are requested with nested parameters in bracket notation:',
  '`filters[title][$eq]=Lamp`, `populate[author][fields][0]=name`, `pagination[page]=2`.',
  'OpenAPI describes only one level of nesting (`deepObject`). Clients that need more use a library',
  'such as `qs`: `qs.stringify(query)`.',
  '\n\nOperations that require a permission accept an API token or the JWT of a user. If the public role',
  'has the permission, no credential is needed.',
].join(' ');

const SECURITY_SCHEMES = {
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access key of an API token, which `cms token create` creates.',
  },
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The JWT of a signed-in user.',
  },
} as const;

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

const routeKeyOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${pathTemplate(path).replaceAll(/\{\w+\}/g, '{}')}`;

const guardOf = ({ guard }: Route): RouteTraits['guard'] =>
  typeof guard === 'string' ? guard : 'permission';

interface DescribedRoute {
  readonly route: RouteTraits;
  readonly endpoint: Endpoint;
}

const describeServerRoutes = (
  registry: SchemaRegistry,
  { routes, projectRoutes, images }: DocumentOptions,
): readonly DescribedRoute[] => {
  const replaced = new Set(projectRoutes.filter(({ kind }) => kind !== 'core').map(routeKeyOf));
  const publicRoutes = new Set(
    projectRoutes.filter(({ kind, actions }) => kind === 'core' && actions.length === 0).map(routeKeyOf),
  );
  return routes
    .filter((route) => !replaced.has(routeKeyOf(route)))
    .map((route) => ({
      route: {
        ...route,
        guard: publicRoutes.has(routeKeyOf(route)) ? 'none' : guardOf(route),
        isLimited: route.limitedOperation !== undefined,
      },
      endpoint: endpointOf(registry, route, images),
    }));
};

const operationName = ({ method, path }: CustomRoute): string =>
  camelCase(`${method.toLowerCase()} ${path.replaceAll(/\W+/g, ' ')}`);

const describeProjectRoutes = ({ projectRoutes }: DocumentOptions): readonly DescribedRoute[] =>
  [...new Map(projectRoutes.toReversed().map((route) => [routeKeyOf(route), route])).values()]
    .toReversed()
    .filter(({ kind, method }) => kind === 'project' && METHODS.has(method))
    .map((route) => ({
      route: {
        method: route.method as RouteTraits['method'],
        path: route.path,
        description: `${route.method} ${route.path}`,
        guard: route.actions.length === 0 ? 'none' : 'permission',
        isLimited: false,
      },
      endpoint: projectEndpoint(operationName(route)),
    }));

const printPaths = (described: readonly DescribedRoute[]): OpenapiObject => {
  const { allocate } = createNamePool();
  const paths: Record<string, Record<string, OpenapiObject>> = {};
  for (const { route, endpoint } of described)
    (paths[pathTemplate(route.path)] ??= {})[route.method.toLowerCase()] = printOperation(
      route,
      endpoint,
      allocate(endpoint.operationId),
    );
  return paths;
};

/**
 * Describes the REST API of a project as an OpenAPI 3.1 document, without private attributes. Start reading
 * here. The *-endpoints.ts files describe parameters and responses; the schema registry collects the schemas
 * that they refer to.
 *
 * @example
 *   const routes = restRoutes(options);
 *   const { paths } = createDocument({ model, routes, projectRoutes: [], info, url: '/' });
 */
export function createDocument(options: DocumentOptions): OpenapiObject {
  const registry = createSchemaRegistry(options.model);
  const described = [...describeServerRoutes(registry, options), ...describeProjectRoutes(options)];
  const paths = printPaths(described);
  const responses = errorResponses(registry);
  return {
    openapi: '3.1.0',
    info: { ...options.info, description: DESCRIPTION },
    servers: [{ url: options.url }],
    tags: [...new Set(described.map(({ endpoint }) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: registry.all(), responses, securitySchemes: SECURITY_SCHEMES },
  };
}
