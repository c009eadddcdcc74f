import type { JsonSchema } from '../../../lib/json-schema.js';
import { TEXT } from '../schemas/json.js';

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

export function pathParameter(name: string, schema: JsonSchema = TEXT): OpenapiObject {
  return { name, in: 'path', required: true, schema };
}
