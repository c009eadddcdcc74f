import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import type { ContentType } from '../../../model/model.js';
import { VALUE_FUNCTIONS } from '../../../query/aggregate.js';
import type { RawAggregateParams } from '../../../query/aggregate.js';
import { parseAggregate } from '../../../query/parse/parse-aggregate.js';
import { invalidParameter } from '../../../query/read-context.js';
import type { RawReadParams } from '../../../query/read-params.js';
import { fieldSourcesOf } from '../field-sources.js';
import type { GraphqlContext } from '../graphql-context.js';
import { collectFields } from '../selection/collect-fields.js';
import { argumentsOf } from '../selection/plan-read.js';
import type { Args } from '../selection/plan-read.js';
import { toFilters } from '../selection/to-filters.js';
import { createAuthorisedResolver, parseRecord } from './root-field.js';
import type { RootResolver } from './root-field.js';

type Figures = Pick<RawAggregateParams, 'count' | (typeof VALUE_FUNCTIONS)[number]>;

/** The records to aggregate, and the figures over all of them. */
class Aggregated {
  readonly records: RawReadParams;

  constructor(records: RawReadParams, figures: unknown) {
    this.records = records;
    Object.assign(this, figures);
  }
}

const objectOf = (type: Parameters<typeof getNamedType>[0]): GraphQLObjectType => {
  const named = getNamedType(type);
  if (!isObjectType(named))
    throw createError('server/internal', {}, { cause: new TypeError('Figures are objects.') });
  return named;
};

const attributeNamed = (type: ContentType, name: string): readonly string[] => {
  const source = fieldSourcesOf(type).get(name);
  return source === undefined || source.kind === 'hidden' ? [] : [source.attribute];
};

/** The figures that are asked for. Null: none. */
const figuresOf = (type: ContentType, info: GraphQLResolveInfo): Figures | null => {
  const object = objectOf(info.returnType);
  const requests = collectFields(info, object, info.fieldNodes);
  const values = requests.flatMap(({ name, nodes }) => {
    if (!VALUE_FUNCTIONS.some((each) => each === name)) return [];
    const fields = collectFields(info, objectOf(object.getFields()[name]?.type), nodes);
    return [[name, fields.flatMap((field) => attributeNamed(type, field.name))] as const];
  });
  const isCounted = requests.some(({ name }) => name === 'count');
  if (!isCounted && values.length === 0) return null;
  const figures: Record<string, unknown> = { count: true };
  for (const [name, attributes] of values)
    figures[name] = [...(Array.isArray(figures[name]) ? (figures[name] as string[]) : []), ...attributes];
  return figures;
};

const readFigures = async (
  type: ContentType,
  { dependencies, rights, limits, signal }: GraphqlContext,
  params: RawAggregateParams & RawReadParams,
): Promise<readonly unknown[]> => {
  const { model, access, documents } = dependencies;
  const query = parseAggregate(model, type.uid, params, {
    limits,
    access: rights,
    defaultLocale: access.locales.defaultCode(),
  });
  return (await documents.aggregate(query, signal())).records.map(parseRecord);
};

const recordsOf = (
  { dependencies: { model } }: GraphqlContext,
  type: ContentType,
  args: Args,
): RawReadParams => ({
  _q: args['_q'],
  filters: toFilters(model, type, args['filters']),
  status: args['status'],
  locale: args['locale'],
  hasPublishedVersion: args['hasPublishedVersion'],
  publicationFilter: args['publicationFilter'],
});

/** Resolves `articles_aggregate`, all figures by one statement. Requires the permission `find`. */
export function resolveAggregate(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'find', async ({ args, context, info }) => {
    const records = recordsOf(context, type, args);
    const figures = figuresOf(type, info);
    const found = figures === null ? [] : await readFigures(type, context, { ...records, ...figures });
    return new Aggregated(records, found[0]);
  });
}

const groupByOf = (by: unknown): readonly unknown[] => {
  if (!Array.isArray(by) || by.length === 0)
    throw invalidParameter('groupBy', 'it must name at least one attribute.');
  return by.flatMap((key: unknown) =>
    isRecord(key) ? [{ [String(key['field'])]: key['unit'] ?? null }] : [],
  );
};

/** Resolves `groups` of an aggregate, with one statement for all of them. */
export function resolveGroups(type: ContentType): RootResolver {
  return async (source, _args, context, info) => {
    // What a resolver of the project returned brings its own.
    if (!(source instanceof Aggregated)) return Reflect.get(Object(source), 'groups');
    const { by, pagination, sort } = argumentsOf(info);
    return readFigures(type, context, {
      ...source.records,
      ...(figuresOf(type, info) ?? { count: true }),
      groupBy: groupByOf(by),
      pagination,
      sort,
    });
  };
}
