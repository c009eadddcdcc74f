import { ValidationError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import { READ_ACCESS, FULL_ACCESS } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import { READ_PARAMETERS } from '../../query/read-context.js';
import type { QueryLimits } from '../../query/read-context.js';
import type { Access } from '../../access/access.js';
import { assertShape } from '../../documents/validation/assert-shape.js';
import { assertKnownParams, assertParams, parseParams } from './content-params.js';
import type { ContentParams, ParamsByName, RouteParams } from './content-params.js';
import type { SanitizeOptions } from './factories/core.js';
import { withKnownProperties } from '../unavailable.js';
import { sanitizeOutput, sanitizeQuery, QUERY_PARTS } from './sanitize.js';

export interface ContentApiParts {
  readonly model: ContentModel;
  readonly access: Access;
  readonly limits: QueryLimits;
  readonly contentParams: ContentParams;
  /** Called once code has added parameters. */
  readonly onParamsAdded: () => void;
}

type Params = Record<string, unknown>;

const NO_ACCESS: ReadAccess = { canFind: () => false };
/** Attributes that only the server sets. */
const UNWRITABLE: readonly string[] = [
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'localizations',
];

/**
 * Returns the access of a caller. Null means full access, since no caller was named. An unknown caller may
 * read no relation.
 */
const accessOf = (access: Access, auth: SanitizeOptions['auth']): ReadAccess | null => {
  if (auth === undefined || auth === null) return null;
  if (auth.caller !== undefined) return access.readAccessOf(auth.caller);
  const { ability } = auth;
  if (typeof ability?.can !== 'function') return NO_ACCESS;
  return { canFind: (uid) => ability.can(`${uid}.find`) };
};

const requireUid = (schema: unknown): string => {
  const uid = isRecord(schema) ? schema['uid'] : schema;
  if (typeof uid !== 'string') throw new Error('Missing schema: pass strapi.contentType(uid)');
  return uid;
};

const findSchema = (model: ContentModel, schema: unknown): ContentSchema => {
  const uid = requireUid(schema);
  const found = model.typesByUid[uid] ?? model.componentsByUid[uid];
  if (found === undefined) throw new Error(`There is no content-type ${uid}`);
  return found;
};

const mapData = (data: unknown, change: (entry: Params) => Params): unknown =>
  Array.isArray(data) ? data.map((each) => mapData(each, change)) : isRecord(data) ? change(data) : data;

const withoutUnwritable = ({ attributes }: ContentSchema, data: Params): Params =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([name]) =>
        !UNWRITABLE.includes(name) &&
        (!Object.hasOwn(attributes, name) || attributes[name]?.writable !== false),
    ),
  );

type QueryCheck<Result> = (query: unknown, schema: unknown, options?: SanitizeOptions) => Promise<Result>;

/** Returns a function for each part of a query, as `sanitize` and `validate` offer them. */
const forEachQueryPart = <Result>(
  check: QueryCheck<Result>,
  resultOf: (checked: Result, name: string) => unknown,
) =>
  Object.fromEntries(
    QUERY_PARTS.map((name) => [
      name,
      async (value: unknown, schema: unknown, options: SanitizeOptions = {}) =>
        resultOf(await check({ [name]: value }, schema, options), name),
    ]),
  );

/** Returns the members of a record that have one of the names, or, if `isIn` is false, none of them. */
const pick = (record: Params, names: readonly string[], isIn: boolean): Params =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name) === isIn));

/** Returns a query with the parsed values of added parameters, without invalid ones. */
const withAddedParams = (params: RouteParams, query: Params, isStrict: boolean): Params => {
  const added = { ...query, ...parseParams(params.query, query) };
  const valid = Object.fromEntries(Object.entries(added).filter(([, value]) => value !== undefined));
  return isStrict ? pick(valid, [...READ_PARAMETERS, ...params.query.keys()], true) : valid;
};

/** Creates `strapi.contentAPI`, which validates and sanitizes the input, queries and output of clients. */
export function createContentApi({ model, access, limits, contentParams, onParamsAdded }: ContentApiParts) {
  const schemaOf = (schema: unknown): ContentSchema => findSchema(model, schema);
  const checker = (schema: unknown, rights: ReadAccess) => {
    const type = schemaOf(schema) as ContentType;
    return (query: Params): unknown =>
      parseReadQuery(model, type.uid, query, {
        limits,
        access: rights,
        defaultLocale: access.locales.defaultCode(),
        paginated: type.kind === 'collectionType',
      });
  };
  const sanitize = async (query: unknown, schema: unknown, options: SanitizeOptions = {}) => {
    const { auth, route, strictParams = false } = options;
    const rights = accessOf(access, auth);
    const cleaned = withAddedParams(
      contentParams.of(route),
      sanitizeQuery(
        isRecord(query) ? structuredClone({ ...query }) : {},
        checker(schema, rights ?? FULL_ACCESS),
      ),
      strictParams,
    );
    // As in Strapi, code may add relations for an unknown caller.
    return rights === null || rights === NO_ACCESS
      ? cleaned
      : Object.assign(cleaned, { [READ_ACCESS]: rights });
  };
  const validate = async (query: unknown, schema: unknown, options: SanitizeOptions = {}) => {
    const { auth, route, strictParams = false } = options;
    const rights = accessOf(access, auth) ?? FULL_ACCESS;
    const { populate, ...rest } = isRecord(query) ? query : {};
    const params = contentParams.of(route);
    if (strictParams) {
      assertKnownParams(params, rest);
      assertParams(params.query, rest);
    }
    checker(schema, rights)(rest);
    // Relations that the caller may not read are removed, not rejected.
    checker(schema, FULL_ACCESS)({ populate });
  };
  return withKnownProperties('strapi.contentAPI', {
    addQueryParams: (params: ParamsByName): void => {
      contentParams.addQuery(params);
      onParamsAdded();
    },
    addInputParams: (params: ParamsByName): void => {
      contentParams.addInput(params);
      onParamsAdded();
    },
    sanitize: {
      input: async (data: unknown, schema: unknown, { route }: SanitizeOptions = {}) => {
        const found = schemaOf(schema);
        const { input } = contentParams.of(route);
        return mapData(data, (entry) => withoutUnwritable(found, { ...entry, ...parseParams(input, entry) }));
      },
      output: async (data: unknown, schema: unknown, { auth }: SanitizeOptions = {}) =>
        sanitizeOutput(model, schemaOf(schema), data, accessOf(access, auth)),
      query: sanitize,
      ...forEachQueryPart(sanitize, (cleaned, name) => cleaned[name]),
    },
    validate: {
      input: async (data: unknown, schema: unknown, { auth, route }: SanitizeOptions = {}) => {
        const found = schemaOf(schema);
        const rights = accessOf(access, auth);
        const { input } = contentParams.of(route);
        for (const entry of Array.isArray(data) ? (data as readonly unknown[]) : [data]) {
          if (!isRecord(entry)) throw new ValidationError('The data must be an object');
          assertParams(input, entry, 'data.');
          const attributes = pick(entry, [...input.keys()], false);
          assertShape(model, found, attributes, { ...(rights ?? FULL_ACCESS), isOfClient: true });
        }
        return data;
      },
      query: validate,
      ...forEachQueryPart(validate, () => undefined),
    },
  });
}
