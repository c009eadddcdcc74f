import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { componentOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema } from '../../model/model.js';
import { invalidParameter } from '../../query/read-context.js';
import type { RawReadParams } from '../../query/read-context.js';
import { LOCALIZATIONS } from '../../query/schema-fields.js';
import { CREATORS, withoutAbsentFields } from './entry-shape.js';

/** The parameters of Strapi's query engine, as written by project code. */
export interface QueryParams {
  readonly where?: unknown;
  readonly select?: unknown;
  readonly populate?: unknown;
  readonly orderBy?: unknown;
  readonly limit?: unknown;
  readonly offset?: unknown;
  readonly page?: unknown;
  readonly pageSize?: unknown;
  readonly data?: unknown;
  readonly _q?: unknown;
  readonly filters?: unknown;
  readonly [name: string]: unknown;
}

type Options = Readonly<Record<string, unknown>>;

/** Returns the schemas that an attribute refers to. Empty for scalars and unknown attributes. */
const schemasBehind = (
  model: ContentModel,
  schema: ContentSchema,
  name: string,
): readonly ContentSchema[] => {
  if (name === LOCALIZATIONS) return [schema];
  const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  if (attribute === undefined || attribute.family === 'scalar') return [];
  const uids =
    attribute.family === 'component'
      ? [attribute.component]
      : attribute.family === 'dynamiczone'
        ? attribute.components
        : attribute.target === null
          ? model.types.map(({ uid }) => uid)
          : [attribute.target];
  return uids.flatMap((uid) => model.typesByUid[uid] ?? model.componentsByUid[uid] ?? []);
};

const isKnown = (schema: ContentSchema, name: string): boolean =>
  name === '*' ||
  name === LOCALIZATIONS ||
  name === 'related' ||
  (Object.hasOwn(schema.attributes, name) && schema.attributes[name]?.family !== 'scalar');

const firstName = (path: string): string => path.split('.')[0] ?? path;

/** @throws `request/invalid-parameter` for a name that the schema does not have at all */
const assertExists = (schema: ContentSchema, name: string): void => {
  if (isKnown(schema, name) || Object.hasOwn(schema.attributes, name) || CREATORS.includes(name)) return;
  const reason = `${schema.uid} has no attribute ${name}.`;
  throw createError('request/invalid-parameter', { parameter: 'populate', reason });
};

const populatedBy = (schema: ContentSchema, populate: string): readonly string[] => {
  const paths = populate.split(',').map((path) => path.trim());
  for (const path of paths) if (path !== '') assertExists(schema, firstName(path));
  return paths.filter((path) => isKnown(schema, firstName(path)));
};

/** Renames options of the query engine to those of the document service. */
const toOptions = (model: ContentModel, schema: ContentSchema | undefined, options: Options): Options => {
  const { where, select, orderBy, offset, populate, on, ...rest } = options;
  const set = (name: string, value: unknown): Options => (value === undefined ? {} : { [name]: value });
  return {
    ...rest,
    ...set('filters', where ?? rest['filters']),
    ...set(
      'fields',
      schema === undefined
        ? (select ?? rest['fields'])
        : withoutAbsentFields(schema, select ?? rest['fields']),
    ),
    ...set('sort', orderBy ?? rest['sort']),
    ...set('start', offset ?? rest['start']),
    ...set('populate', schema === undefined ? populate : toPopulate(model, schema, populate)),
    ...set('on', isRecord(on) ? toVariants(model, on) : on),
  };
};

const toVariants = (model: ContentModel, on: Options): Options =>
  Object.fromEntries(
    Object.entries(on).map(([uid, options]) => [
      uid,
      isRecord(options)
        ? toOptions(model, model.typesByUid[uid] ?? model.componentsByUid[uid], options)
        : options,
    ]),
  );

/**
 * Converts a `populate` of the query engine to one of the document service. Names that the schema lacks, such
 * as `createdBy`, are omitted, as in the query engine; in strings, unknown names are errors.
 */
export function toPopulate(model: ContentModel, schema: ContentSchema, populate: unknown): unknown {
  if (populate === true || populate === '*') return '*';
  if (populate === false) return undefined;
  if (typeof populate === 'string') return populatedBy(schema, populate);
  if (Array.isArray(populate) && populate.includes('*')) return '*';
  if (Array.isArray(populate))
    return populate.filter(
      (path: unknown) => typeof path !== 'string' || isKnown(schema, firstName(path.trim())),
    );
  if (!isRecord(populate)) return populate;
  return Object.fromEntries(
    Object.entries(populate)
      .filter(([name, options]) => isKnown(schema, name) && options !== false && options !== undefined)
      .map(([name, options]) => {
        const [target, ...others] = schemasBehind(model, schema, name);
        return [
          name,
          isRecord(options) ? toOptions(model, others.length > 0 ? undefined : target, options) : true,
        ];
      }),
  );
}

/** Returns the parameters of a read of documents, with those of the query engine renamed. */
export function toDocumentParams(params: Options): Options {
  const { where, select, orderBy, offset, ...rest } = params;
  const set = (name: string, value: unknown): Options =>
    value === undefined || rest[name] !== undefined ? {} : { [name]: value };
  const { filters } = rest;
  const both = where !== undefined && (filters ?? undefined) !== undefined;
  return {
    ...rest,
    ...(both ? { filters: { $and: [filters, where] } } : set('filters', where)),
    ...set('fields', select),
    ...set('sort', orderBy),
    ...set('start', offset),
  };
}

const parseCount = (name: string, value: unknown, least: number): number | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least) return number;
  throw invalidParameter(name, `it must be a whole number, ${least} or more.`);
};

/**
 * Converts a range to `start` and `limit`. A limit of 0 or -1 means no limit.
 *
 * @param offsetName the name that callers use for `offset`
 * @throws `request/invalid-parameter`
 */
export function sliceOf(
  { limit, offset, page, pageSize }: QueryParams,
  offsetName = 'offset',
): RawReadParams['pagination'] {
  const [size, number] = [parseCount('pageSize', pageSize, -1), parseCount('page', page, 1)];
  const [end, start] = [size ?? parseCount('limit', limit, -1), parseCount(offsetName, offset, 0)];
  const isPage = size !== undefined && size > 0 && number !== undefined;
  return {
    start: isPage ? (number - 1) * size : (start ?? 0),
    ...(end === undefined || end <= 0 ? { limit: -1 } : { limit: end }),
    withCount: false,
  };
}

/** Converts the parameters of the query engine to those of a read. */
export function toReadParams(model: ContentModel, type: ContentSchema, params: QueryParams): RawReadParams {
  const { where, filters, select, populate, orderBy, _q } = params;
  const conditions = [where, filters].filter((condition) => condition !== undefined && condition !== null);
  return {
    filters: conditions.length === 2 ? { $and: conditions } : conditions[0],
    fields: Array.isArray(select) && select.length === 0 ? undefined : withoutAbsentFields(type, select),
    sort: orderBy,
    populate: toPopulate(model, type, populate),
    pagination: sliceOf(params),
    _q,
  };
}

/**
 * Returns a `populate` of everything that a version consists of: its components at any depth, and the ids of
 * linked documents.
 */
export function deepPopulate(model: ContentModel, schema: ContentSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.values(schema.attributes).flatMap((attribute): readonly (readonly [string, unknown])[] => {
      switch (attribute.family) {
        case 'relation':
          return attribute.side === 'inverse' || attribute.target === null
            ? []
            : [[attribute.name, { fields: ['documentId'] }]];
        case 'media':
          return [[attribute.name, { fields: ['documentId'] }]];
        case 'component': {
          const populate = deepPopulate(model, componentOf(model, attribute.component));
          return [[attribute.name, { populate }]];
        }
        case 'dynamiczone': {
          const on = attribute.components.map((uid) => [
            uid,
            { populate: deepPopulate(model, componentOf(model, uid)) },
          ]);
          return [[attribute.name, { on: Object.fromEntries(on) as unknown }]];
        }
        default:
          return [];
      }
    }),
  );
}
