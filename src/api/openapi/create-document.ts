import { camelCase, createNamePool } from '../../lib/names.js';
import { FILE_UID, ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import type { AccountOperation } from '../rest/routes/account-routes.js';
import type { ContentOperation } from '../rest/routes/content-routes.js';
import type { RemoteOperation, SchemaOperation, UploadOperation } from '../rest/routes/rest-routes.js';
import type { Route } from '../rest/routes/route.js';
import { accountEndpoint } from './account-endpoints.js';
import { CONTENT_ENDPOINTS } from './content-endpoints.js';
import {
  LOCALE_ENDPOINT,
  downloadEndpoint,
  ownEndpoint,
  remoteEndpoint,
  schemaEndpoint,
  transferEndpoint,
  uploadEndpoint,
} from './builtin-endpoints.js';
import type { ImageChoices } from './builtin-endpoints.js';
import { pathTemplate, printOperation, refusalResponses } from './endpoint.js';
import type { Endpoint, OpenapiObject, RouteTraits } from './endpoint.js';
import { createSchemaBook } from './create-schema-book.js';
import type { SchemaBook } from './schema-book.js';

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

/** The endpoints that are about no type, by their operations. */
const UNTYPED: Readonly<Record<string, (book: SchemaBook, images?: ImageChoices) => Endpoint>> = {
  listLocales: () => LOCALE_ENDPOINT,
  serveUploads: (_book, images) => downloadEndpoint(images),
  exportArchive: () => transferEndpoint('exportArchive'),
  importArchive: () => transferEndpoint('importArchive'),
  ...Object.fromEntries(
    (['getContentTypes', 'getContentType', 'getComponents', 'getComponent'] satisfies SchemaOperation[]).map(
      (operation) => [operation, () => schemaEndpoint(operation)],
    ),
  ),
  ...Object.fromEntries(
    REMOTE_OPERATION_NAMES.map((operation) => [
      operation,
      (book: SchemaBook) => remoteEndpoint(book, operation),
    ]),
  ),
};

/**
 * Describes the endpoint of a route, found in the table for the route's type. `images` are the
 * transformations that clients may request.
 *
 * @throws TypeError if no table has it
 */
function endpointOf(book: SchemaBook, { contentType, operation }: Route, images?: ImageChoices): Endpoint {
  if (contentType === null) {
    const create = UNTYPED[operation];
    if (create === undefined) throw new TypeError(`Nothing describes the endpoint ${operation}`);
    return create(book, images);
  }
  if (contentType === FILE_UID) return uploadEndpoint(book, operation as UploadOperation);
  if (contentType === USER_UID || contentType === ROLE_UID)
    return accountEndpoint(book, operation as AccountOperation, contentType);
  return CONTENT_ENDPOINTS[operation as ContentOperation](book, typeOf(book.model, contentType));
}

/** A route that code of the project states, or what the project says of one of the server's. */
export interface OwnRoute {
  readonly method: string;
  readonly path: string;
  /** `excluded`: the project leaves it out. `core`: the server answers. */
  readonly kind: 'project' | 'core' | 'excluded';
  /** The actions that a caller needs. Empty: none. */
  readonly actions: readonly string[];
}

export interface DocumentOptions {
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly ownRoutes: readonly OwnRoute[];
  readonly info: { readonly title: string; readonly version: string };
  /** Transformations that clients may request of uploaded images. Default: none. */
  readonly images?: ImageChoices;
  /** URL of the server: `https://api.example.com`, or `/`. */
  readonly url: string;
}

const DESCRIPTION = [
  'Lists, relations and filters are asked for with nested parameters, in bracket notation:',
  '`filters[title][$eq]=Lamp`, `populate[author][fields][0]=name`, `pagination[page]=2`.',
  'OpenAPI describes one level of it (`deepObject`). Clients that support only one level need a library',
  'such as `qs`: `qs.stringify(query)`.',
  '\n\nOperations that need a permission take an API token or the JWT of a user. Where the public role',
  'has the permission, they take no credential, too.',
].join(' ');

const SECURITY_SCHEMES = {
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access key of an API token, which `cms token create` makes.',
  },
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The JWT of a user who has signed in.',
  },
} as const;

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${pathTemplate(path).replaceAll(/\{\w+\}/g, '{}')}`;

const guardOf = ({ guard }: Route): RouteTraits['guard'] =>
  typeof guard === 'string' ? guard : 'permission';

interface Described {
  readonly route: RouteTraits;
  readonly endpoint: Endpoint;
}

const describeServerRoutes = (
  book: SchemaBook,
  { routes, ownRoutes, images }: DocumentOptions,
): readonly Described[] => {
  const replaced = new Set(ownRoutes.filter(({ kind }) => kind !== 'core').map(keyOf));
  const opened = new Set(
    ownRoutes.filter(({ kind, actions }) => kind === 'core' && actions.length === 0).map(keyOf),
  );
  return routes
    .filter((route) => !replaced.has(keyOf(route)))
    .map((route) => ({
      route: {
        ...route,
        guard: opened.has(keyOf(route)) ? 'none' : guardOf(route),
        isLimited: route.limitedOperation !== undefined,
      },
      endpoint: endpointOf(book, route, images),
    }));
};

const operationName = ({ method, path }: OwnRoute): string =>
  camelCase(`${method.toLowerCase()} ${path.replaceAll(/\W+/g, ' ')}`);

const describeOwnRoutes = ({ ownRoutes }: DocumentOptions): readonly Described[] =>
  [...new Map(ownRoutes.toReversed().map((route) => [keyOf(route), route])).values()]
    .toReversed()
    .filter(({ kind, method }) => kind === 'project' && METHODS.has(method))
    .map((own) => ({
      route: {
        method: own.method as RouteTraits['method'],
        path: own.path,
        description: `${own.method} ${own.path}`,
        guard: own.actions.length === 0 ? 'none' : 'permission',
        isLimited: false,
      },
      endpoint: ownEndpoint(operationName(own)),
    }));

const printPaths = (described: readonly Described[]): OpenapiObject => {
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
 * Describes the REST API of a project as an OpenAPI 3.1 document. Private attributes are not in it.
 *
 * @example
 *   const { paths } = createDocument({ model, routes: restRoutes(options), ownRoutes: [], info, url: '/' });
 */
export function createDocument(options: DocumentOptions): OpenapiObject {
  const book = createSchemaBook(options.model);
  const described = [...describeServerRoutes(book, options), ...describeOwnRoutes(options)];
  const paths = printPaths(described);
  const responses = refusalResponses(book);
  return {
    openapi: '3.1.0',
    info: { ...options.info, description: DESCRIPTION },
    servers: [{ url: options.url }],
    tags: [...new Set(described.map(({ endpoint }) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: book.all(), responses, securitySchemes: SECURITY_SCHEMES },
  };
}
