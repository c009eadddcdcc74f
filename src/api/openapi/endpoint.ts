import { HTTP_ERRORS } from '../../errors/error-kind.js';
import type { JsonSchema } from '../../lib/json.js';
import type { Route } from '../rest/routes/route.js';
import { INTEGER, TEXT } from './schema-book.js';
import type { SchemaBook } from './schema-book.js';

/** A place in a document that is no schema: parameters, bodies, responses. */
export type OpenapiObject = Readonly<Record<string, unknown>>;

/** Details specific to one endpoint. The rest follows from its route. */
export interface Endpoint {
  readonly operationId: string;
  readonly parameters?: readonly OpenapiObject[];
  readonly requestBody?: OpenapiObject;
  /** The successful responses, by status. */
  readonly answers: Readonly<Record<string, OpenapiObject>>;
  /** The tag under which it is listed. */
  readonly tag: string;
  /** True if what the path names may be missing. Default: if the path has parameters. */
  readonly mayBeMissing?: boolean;
  /** Callers allowed by the endpoint, if the route does not specify them. */
  readonly callers?: 'everybody' | 'tokens' | 'users';
}

function jsonContent(schema: JsonSchema): OpenapiObject {
  return { 'application/json': { schema } };
}

export function answer(description: string, schema: JsonSchema): OpenapiObject {
  return { description, content: jsonContent(schema) };
}

export function jsonBody(schema: JsonSchema, isRequired = true): OpenapiObject {
  return { required: isRequired, content: jsonContent(schema) };
}

/** A parameter of the query string. Lists are sent with commas. */
export function parameter(name: string, schema: JsonSchema, description: string): OpenapiObject {
  const isList = schema['type'] === 'array' || schema['$ref'] === '#/components/schemas/Sort';
  return { name, in: 'query', description, schema, ...(isList ? { style: 'form', explode: false } : {}) };
}

/** A parameter whose values are nested: `filters[title][$eq]=Lamp`. */
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

const NUMERIC_PATHS = /\/(?:users|files|roles)\/:id$/;

/** Names of parameters, with what a route of the project says about their form. */
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

/** An empty requirement stands for callers without a credential. */
const securityOf = ({ guard }: RouteTraits, { callers }: Endpoint): readonly OpenapiObject[] => {
  if (guard === 'none') return [];
  if (callers === 'everybody') return [{}, API_TOKEN, USER_TOKEN];
  if (callers === 'tokens') return [API_TOKEN];
  return callers === 'users' || guard === 'credential' ? [USER_TOKEN] : [API_TOKEN, USER_TOKEN];
};

/** The statuses of refusals, each with the names that errors then have. */
const STATUS_NAMES = new Map<number, readonly string[]>();
for (const error of Object.values(HTTP_ERRORS))
  if (error !== null) STATUS_NAMES.set(error.status, [...(STATUS_NAMES.get(error.status) ?? []), error.name]);

const refusalsOf = (route: RouteTraits, endpoint: Endpoint): readonly number[] => {
  const { guard, isLimited, method, path } = route;
  const hasBody = endpoint.requestBody !== undefined;
  const mayBeMissing = endpoint.mayBeMissing ?? /[:*]/.test(path);
  return [
    400,
    ...(guard === 'none' ? [] : [401]),
    ...(guard === 'permission' ? [403] : []),
    ...(mayBeMissing ? [404] : []),
    ...(method === 'GET' ? [] : [409]),
    ...(hasBody ? [413, 415] : []),
    ...(isLimited ? [429] : []),
    500,
    503,
  ];
};

const nameOfStatus = (status: number): string => STATUS_NAMES.get(status)?.[0] ?? '';

/** The responses that operations refer to, one for each status of errors. */
export function refusalResponses(book: SchemaBook): Readonly<Record<string, OpenapiObject>> {
  return Object.fromEntries(
    [...STATUS_NAMES].map(([status, names]) => [
      nameOfStatus(status),
      answer(names.join(', '), book.shared('Error')),
    ]),
  );
}

/** Prints one operation of a path. */
export function printOperation(route: RouteTraits, endpoint: Endpoint, operationId: string): OpenapiObject {
  const { parameters = [], requestBody, answers, tag } = endpoint;
  const all = [...pathParameters(route.path), ...parameters];
  const refusals = refusalsOf(route, endpoint).map((status) => [
    String(status),
    { $ref: `#/components/responses/${nameOfStatus(status)}` },
  ]);
  return {
    operationId,
    summary: route.description,
    tags: [tag],
    security: securityOf(route, endpoint),
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...answers, ...(Object.fromEntries(refusals) as OpenapiObject) },
  };
}
