import type { AddedValues } from '../../api/rest/guard.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { invalidParameter, READ_PARAMETERS, shorten } from '../../query/read-context.js';
import type { Context, RouteState } from './context.js';

type Values = Readonly<Record<string, unknown>>;

/** A schema of zod. */
interface ParamSchema {
  readonly safeParse: (value: unknown) => {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues?: readonly { readonly message: string }[]; readonly message?: string };
  };
}

type Schemas = ReadonlyMap<string, ParamSchema>;

/** A parameter that project code adds: its schema, or a function of zod that returns it. */
interface ParamOptions {
  readonly schema: unknown;
  /** Returns true for the routes that accept the parameter. Absent: all. */
  readonly matchRoute?: (route: RouteState) => unknown;
}

/** The argument of `addQueryParams` and `addInputParams`. */
export type ParamsByName = Readonly<Record<string, ParamOptions>>;

/** The parameters of one route in addition to those of the API. */
export interface RouteParams {
  readonly query: Schemas;
  /** Keys of the data of a write. */
  readonly input: Schemas;
}

/** The parameters that project code adds to the routes of the content API. */
export interface ContentParams {
  /** @throws `strapi/invalid-call` for a name that exists, and for a schema that is not one of zod */
  readonly addQuery: (params: ParamsByName) => void;
  /** Throws like `addQuery`. */
  readonly addInput: (params: ParamsByName) => void;
  /** Returns the parameters of a route: those that code adds to it, and those of its `request`. */
  readonly of: (route: RouteState | undefined) => RouteParams;
}

/** The parameters of Strapi's API and of its services. */
const RESERVED_QUERY: readonly string[] = [
  ...READ_PARAMETERS,
  'page',
  'pageSize',
  'start',
  'limit',
  'count',
  'ordering',
];
const RESERVED_INPUT: readonly string[] = ['id', 'documentId'];

const isSchema = (value: unknown): value is ParamSchema =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'safeParse') === 'function';

const schemasIn = (
  members: unknown,
  omitted: readonly string[],
): readonly (readonly [string, ParamSchema])[] =>
  Object.entries(isRecord(members) ? members : {}).flatMap(([name, schema]) =>
    isSchema(schema) && !omitted.includes(name) ? [[name, schema] as const] : [],
  );

/** Returns the schemas of the keys of a body. It is an object of zod, which lists them as `shape`. */
const schemasOfBody = (body: unknown): readonly (readonly [string, ParamSchema])[] => {
  const schema = isRecord(body) ? body['application/json'] : undefined;
  const shape: unknown = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'shape') : null;
  return schemasIn(shape, ['data']);
};

interface AddedParam extends Pick<ParamOptions, 'matchRoute'> {
  readonly name: string;
  readonly schema: ParamSchema;
}

interface ParamList {
  readonly add: (params: ParamsByName) => void;
  readonly of: (route: RouteState | undefined) => readonly (readonly [string, ParamSchema])[];
}

/**
 * Creates a list of parameters.
 *
 * @param loadZod returns zod, which functions get
 */
const createParamList = (call: string, reserved: readonly string[], loadZod: () => unknown): ParamList => {
  const added: AddedParam[] = [];
  const toParam = ([name, { schema, matchRoute }]: readonly [string, ParamOptions]): AddedParam => {
    const refuse = (reason: string): Error => createError('strapi/invalid-call', { call, reason });
    if (reserved.includes(name)) throw refuse(`${name} is a name of the API`);
    if (added.some((param) => param.name === name)) throw refuse(`${name} has been added before`);
    const found: unknown =
      typeof schema === 'function' ? Reflect.apply(schema, undefined, [loadZod()]) : schema;
    if (!isSchema(found)) throw refuse(`the schema of ${name} must be a schema of zod`);
    return { name, schema: found, ...(matchRoute === undefined ? {} : { matchRoute }) };
  };
  return {
    add: (params) => {
      for (const entry of Object.entries(params)) added.push(toParam(entry));
    },
    of: (route) =>
      added
        .filter(({ matchRoute }) =>
          route === undefined
            ? matchRoute === undefined
            : matchRoute === undefined || matchRoute(route) === true,
        )
        .map(({ name, schema }) => [name, schema] as const),
  };
};

/**
 * Creates the parameters that project code adds to the content API.
 *
 * @param loadZod returns zod, which functions that create schemas get
 */
export function createContentParams(loadZod: () => unknown): ContentParams {
  const query = createParamList('strapi.contentAPI.addQueryParams', RESERVED_QUERY, loadZod);
  const input = createParamList('strapi.contentAPI.addInputParams', RESERVED_INPUT, loadZod);
  return {
    addQuery: query.add,
    addInput: input.add,
    of: (route) => {
      const request = isRecord(route?.request) ? route.request : {};
      return {
        query: new Map([...schemasIn(request['query'], RESERVED_QUERY), ...query.of(route)]),
        input: new Map([...schemasOfBody(request['body']), ...input.of(route)]),
      };
    },
  };
}

const reasonOf = ({ error }: ReturnType<ParamSchema['safeParse']>): string =>
  error?.issues?.map(({ message }) => message).join(', ') ?? error?.message ?? 'it is not valid';

/** @throws `request/invalid-parameter` for the first invalid value. `prefix` precedes its name */
export function assertParams(schemas: Schemas, values: Values, prefix = ''): void {
  for (const [name, schema] of schemas) {
    if (!Object.hasOwn(values, name)) continue;
    const parsed = schema.safeParse(values[name]);
    if (!parsed.success) throw invalidParameter(`${prefix}${name}`, `${reasonOf(parsed)}.`);
  }
}

/** Returns the parsed values. Invalid values are undefined. */
export function parseParams(schemas: Schemas, values: Values): Values {
  return Object.fromEntries(
    [...schemas].flatMap(([name, schema]) => {
      if (!Object.hasOwn(values, name)) return [];
      const { success, data } = schema.safeParse(values[name]);
      return [[name, success ? data : undefined] as const];
    }),
  );
}

/**
 * Rejects query parameters that neither the API nor the route has.
 *
 * @throws `request/invalid-parameter`
 */
export function assertKnownParams({ query }: RouteParams, values: Values): void {
  const known = [...READ_PARAMETERS, ...query.keys()];
  const name = Object.keys(values).find((each) => !known.includes(each));
  if (name !== undefined) throw invalidParameter(shorten(name), `this route accepts ${known.join(', ')}.`);
}

/**
 * Returns the values of a request for the parameters of its route. As in Strapi, invalid keys of data are
 * rejected, and invalid query parameters are ignored unless `isStrict`.
 *
 * @throws `request/invalid-parameter`
 */
export function readAddedValues(
  { query, input }: RouteParams,
  { query: values, request: { body } }: Context,
  isStrict: boolean,
): AddedValues {
  if (isStrict) assertParams(query, values);
  const root = isRecord(body) ? body : {};
  const data = isRecord(root['data']) ? root['data'] : {};
  assertParams(input, root);
  assertParams(input, data, 'data.');
  return { query: parseParams(query, values), data: parseParams(input, data), bodyKeys: [...input.keys()] };
}
