import { HTTP_ERRORS } from '../../errors/galley-error.js';
import type { JsonSchema } from '../../lib/json.js';
import type { Route } from '../rest/routes/route.js';
import { INTEGER, TEXT } from './schema-registry.js';
import type { SchemaRegistry } from './schema-registry.js';

/** An object of an OpenAPI document that is not a schema: a parameter, body or response. */
export type OpenapiObject = Readonly<Record<string, unknown>>;

/** Details specific to one endpoint. The rest follows from its route. */
export interface Endpoint {
  readonly operationId: string;
  readonly parameters?: readonly OpenapiObject[];
  readonly requestBody?: OpenapiObject;
  /** The successful responses, by status. */
  readonly responses: Readonly<Record<string, OpenapiObject>>;
  /** The tag under which it is listed. */
  readonly tag: string;
  /** True if the endpoint may respond with 404. Default: true if the path has parameters. */
  readonly mayBeMissing?: boolean;
  /** True if requests may have a precondition. */
  readonly isConditional?: boolean;
  /** Callers allowed by the endpoint, if the route does not specify them. */
  readonly callers?: 'everybody' | 'tokens' | 'users';
}

function jsonContent(schema: JsonSchema): OpenapiObject {
  return { 'application/json': { schema } };
}

export function jsonResponse(description: string, schema: JsonSchema): OpenapiObject {
  return { description, content: jsonContent(schema) };
}

export function jsonBody(schema: JsonSchema, isRequired = true): OpenapiObject {
  return { required: isRequired, content: jsonContent(schema) };
}

/** Returns a parameter of the query string. Lists are sent with commas. */
export function parameter(name: string, schema: JsonSchema, description: string): OpenapiObject {
  const isList = schema['type'] === 'array' || schema['$ref'] === '#/components/schemas/Sort';
  return { name, in: 'query', description, schema, ...(isList ? { style: 'form', explode: false } : {}) };
}

/** Returns a parameter with nested values: `filters[title][$eq]=Lamp`. */
export function nestedParameter(name: string, schema: JsonSchema, description: string): OpenapiObject {
  return { name, in: 'query', description, style: 'deepObject', explode: true, schema };
}

function pathParameter(name: string, schema: JsonSchema = TEXT): OpenapiObject {
  return { name, in: 'path', required: true, schema };
}

/** Properties of a route that determine its callers and its errors. */
export interface RouteTraits extends Pick<Route, 'method' | 'path' | 'description'> {
  readonly guard: 'none' | 'credential' | 'permission';
  readonly isLimited: boolean;
}

const NUMERIC_PATHS = /\/(?:users|roles)\/:id$/;

/** Parameters of a path. A route of the project may add a pattern: `:id(\\d+)`. */
const PARAMETER = /:(\w+)(?:\([^)]*\))?[?*+]?|\*/g;

/** Prints the path of a route as a template: `/api/articles/{documentId}`. */
export function pathTemplate(path: string): string {
  return path.replace(PARAMETER, (_whole, name: string | undefined) => `{${name ?? 'path'}}`);
}

const pathParameters = (path: string): readonly OpenapiObject[] =>
  [...path.matchAll(PARAMETER)].map(([, name = 'path']) =>
    pathParameter(name, NUMERIC_PATHS.test(path) ? INTEGER : TEXT),
  );

const API_TOKEN = { apiToken: [] };
const USER_TOKEN = { userToken: [] };

/** Returns the security requirements. An empty one allows callers without a credential. */
const securityOf = ({ guard }: RouteTraits, { callers }: Endpoint): readonly OpenapiObject[] => {
  if (guard === 'none') return [];
  if (callers === 'everybody') return [{}, API_TOKEN, USER_TOKEN];
  if (callers === 'tokens') return [API_TOKEN];
  return callers === 'users' || guard === 'credential' ? [USER_TOKEN] : [API_TOKEN, USER_TOKEN];
};

/** The names of errors by HTTP status. */
const ERROR_NAMES = new Map<number, readonly string[]>();
for (const error of Object.values(HTTP_ERRORS))
  if (error !== null) ERROR_NAMES.set(error.status, [...(ERROR_NAMES.get(error.status) ?? []), error.name]);

const errorStatusesOf = (route: RouteTraits, endpoint: Endpoint): readonly number[] => {
  const { guard, isLimited, method, path } = route;
  const hasBody = endpoint.requestBody !== undefined;
  const mayBeMissing = endpoint.mayBeMissing ?? /[:*]/.test(path);
  return [
    400,
    ...(guard === 'none' ? [] : [401]),
    ...(guard === 'permission' ? [403] : []),
    ...(mayBeMissing ? [404] : []),
    ...(method === 'GET' ? [] : [409]),
    ...(endpoint.isConditional === true ? [412] : []),
    ...(hasBody ? [413, 415] : []),
    ...(isLimited ? [429] : []),
    500,
    503,
  ];
};

const errorNameOf = (status: number): string => ERROR_NAMES.get(status)?.[0] ?? '';

/** Returns the error responses that operations refer to, one for each status. */
export function errorResponses(registry: SchemaRegistry): Readonly<Record<string, OpenapiObject>> {
  return Object.fromEntries(
    [...ERROR_NAMES].map(([status, names]) => [
      errorNameOf(status),
      jsonResponse(names.join(', '), registry.shared('Error')),
    ]),
  );
}

/** Prints one operation of a path. */
export function printOperation(route: RouteTraits, endpoint: Endpoint, operationId: string): OpenapiObject {
  const { parameters = [], requestBody, responses, tag } = endpoint;
  const all = [...pathParameters(route.path), ...parameters];
  const errorReferences = errorStatusesOf(route, endpoint).map((status) => [
    String(status),
    { $ref: `#/components/responses/${errorNameOf(status)}` },
  ]);
  return {
    operationId,
    summary: route.description,
    tags: [tag],
    security: securityOf(route, endpoint),
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...responses, ...(Object.fromEntries(errorReferences) as OpenapiObject) },
  };
}
