import { createRequire } from 'node:module';
import { isRecord } from '../../src/lib/records.js';

type Json = Readonly<Record<string, unknown>>;

interface Validate {
  (value: unknown): boolean;
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly params: Json }[]
    | null;
}
interface Compiler {
  readonly addSchema: (schema: Json, key: string) => void;
  readonly compile: (schema: Json) => Validate;
}

/** The validator of JSON Schemas that the validator of documents is built on. */
const createCompiler = (): Compiler => {
  const required = createRequire(
    createRequire(import.meta.url).resolve('@seriousme/openapi-schema-validator'),
  );
  const { default: Ajv } = required('ajv/dist/2020.js') as { default: new (options: Json) => Compiler };
  const addFormats = required('ajv-formats') as (ajv: Compiler) => void;
  const ajv = new Ajv({ strict: false, validateFormats: true });
  addFormats(ajv);
  return ajv;
};

/** Lets no property pass that a document or component of an answer is not said to have. */
const closeDocuments = (schemas: Json): Json =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const isAnswer =
        isRecord(schema) &&
        isRecord(schema['properties']) &&
        Array.isArray(schema['required']) &&
        schema['required'].includes('id') &&
        schema['title'] !== undefined;
      return [name, isAnswer ? { ...schema, additionalProperties: false } : schema];
    }),
  );

const rewriteRefs = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/components/', '"document#/components/')) as unknown;

/** One request and its answer. */
export interface Exchange {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** Absent: none, or no JSON. */
  readonly requestBody?: unknown;
  readonly status: number;
  readonly body: unknown;
}

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((current, key) => (isRecord(current) ? current[key] : undefined), value);

const templatePattern = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);

/** Returns what checks exchanges against a document. It returns what is wrong, or null where no path fits. */
export function createExchangeCheck(document: Json): (exchange: Exchange) => readonly string[] | null {
  const ajv = createCompiler();
  ajv.addSchema(
    rewriteRefs({
      components: { schemas: closeDocuments(at(document, 'components', 'schemas') as Json) },
    }) as Json,
    'document',
  );
  const compiled = new Map<unknown, Validate>();
  const check = (schema: unknown, value: unknown, what: string): readonly string[] => {
    const validate = compiled.get(schema) ?? ajv.compile(rewriteRefs(schema) as Json);
    compiled.set(schema, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
        );
  };
  // Fixed paths come before those with parameters, as on the server.
  const paths = Object.entries(document['paths'] as Json)
    .toSorted(([left], [right]) => left.split('{').length - right.split('{').length)
    .map(([template, operations]) => ({ pattern: templatePattern(template), operations }));

  return ({ method, path, requestBody, status, body }) => {
    const found = paths.find(
      ({ pattern, operations }) => pattern.test(path) && at(operations, method.toLowerCase()) !== undefined,
    );
    if (found === undefined) return null;
    const operation = at(found.operations, method.toLowerCase());
    const isAccepted = status < 400;
    const requestSchema = at(operation, 'requestBody', 'content', 'application/json', 'schema');
    const response = at(operation, 'responses', String(status));
    if (response === undefined) return [`the status ${status} is not described`];
    const reference = at(response, '$ref');
    const resolved =
      typeof reference === 'string' ? at(document, ...reference.replace('#/', '').split('/')) : response;
    const schema = at(resolved, 'content', 'application/json', 'schema');
    return [
      ...(isAccepted && requestBody !== undefined && requestSchema !== undefined
        ? check(requestSchema, requestBody, 'request')
        : []),
      ...(schema === undefined ? [] : check(schema, body, 'answer')),
    ];
  };
}
