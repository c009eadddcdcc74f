import { HTTP_ERRORS } from '../../../errors/http-status.js';
import type { Route } from '../../rest/routes/route.js';
import type { SchemaBook } from '../schemas/schema-book.js';
import { INTEGER, TEXT } from '../schemas/json.js';
import { answer, pathParameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';

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
