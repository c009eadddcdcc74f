import {
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  getNamedType,
  isObjectType,
} from 'graphql';
import type {
  GraphQLFieldConfig,
  GraphQLFieldConfigMap,
  GraphQLOutputType,
  GraphQLResolveInfo,
} from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/records.js';
import { typeOf } from '../../../model/lookup.js';
import type { ContentType } from '../../../model/model.js';
import {
  TIME_UNITS,
  VALUE_FUNCTIONS,
  isNumeric,
  isOrdered,
  isTime,
  singleLink,
} from '../../../query/aggregate.js';
import type { RawAggregateParams, ValueFunction } from '../../../query/aggregate.js';
import { parseAggregate } from '../../../query/parse/parse-aggregate.js';
import { invalidParameter } from '../../../query/read-context.js';
import type { RawReadParams } from '../../../query/read-context.js';
import { comparableField } from '../../../query/schema-fields.js';
import { fieldSourcesOf, queryNamesOf } from '../field-names.js';
import type { GraphqlContext } from '../graphql-context.js';
import { SORT_ARG } from '../schema/fixed-types.js';
import type { RootTypes, TypeRegistry } from '../schema/type-registry.js';
import { collectFields } from '../selection/plan-selection.js';
import { toFilters } from '../selection/decode-input.js';
import { argumentsOf } from '../selection/plan-read.js';
import type { Args } from '../selection/plan-read.js';
import { listArgumentsOf } from './query-fields.js';
import type { RootFields } from './query-fields.js';
import { createDocumentResolver, parseRecord } from './root-field.js';
import type { AuthorisedResolver, RootResolver } from './root-field.js';

type Figures = Pick<RawAggregateParams, 'count' | (typeof VALUE_FUNCTIONS)[number]>;

/** The value of `articles_aggregate`: the records to aggregate, and the figures of all of them. */
class Aggregated {
  readonly records: RawReadParams;

  constructor(records: RawReadParams, figures: unknown) {
    this.records = records;
    Object.assign(this, figures);
  }
}

const objectTypeOf = (type: Parameters<typeof getNamedType>[0]): GraphQLObjectType => {
  const named = getNamedType(type);
  if (!isObjectType(named))
    throw createError(
      'server/internal',
      {},
      { cause: new TypeError('The type of figures is not an object type.') },
    );
  return named;
};

const attributeNamed = (type: ContentType, name: string): readonly string[] => {
  const source = fieldSourcesOf(type).get(name);
  return source === undefined || source.kind === 'hidden' ? [] : [source.attribute];
};

/** Returns the figures that the operation selects. Null: none. */
const figuresOf = (type: ContentType, info: GraphQLResolveInfo): Figures | null => {
  const object = objectTypeOf(info.returnType);
  const requests = collectFields(info, object, info.fieldNodes);
  const values = requests.flatMap(({ name, nodes }) => {
    if (!VALUE_FUNCTIONS.some((each) => each === name)) return [];
    const fields = collectFields(info, objectTypeOf(object.getFields()[name]?.type), nodes);
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
  release: args['release'],
});

/** Resolves `articles_aggregate`, all figures by one statement. Requires the permission `find`. */
function resolveAggregate(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'find', async ({ args, context, info }) => {
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
function resolveGroups(type: ContentType): RootResolver {
  return async (source, _args, context, info) => {
    // A value that a resolver of the project returned contains its groups.
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

type Fields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

/** A field of the figures: its name in GraphQL, the attribute, and its type. */
type FigureField = readonly [name: string, attribute: string, type: GraphQLOutputType];

/**
 * Claims the name of a type for aggregates. Its underscore avoids the names of content-types, such as
 * `QuestionGroup`.
 */
const claimTypeName = (registry: TypeRegistry, type: ContentType, part: string): string =>
  registry.claimName(`Aggregate_${registry.object(type).name}${part}`);

const UNIT = new GraphQLEnumType({
  name: 'Aggregate_Unit',
  values: Object.fromEntries(Object.keys(TIME_UNITS).map((unit) => [unit.toUpperCase(), { value: unit }])),
});

const toFieldConfigs = (values: readonly FigureField[]): Fields =>
  Object.fromEntries(
    values.map(([name, attribute, type]) => [
      name,
      { type, resolve: (record: unknown): unknown => Reflect.get(Object(record), attribute) },
    ]),
  );

const scalarType = (registry: TypeRegistry, type: ContentType, name: string): GraphQLOutputType => {
  const attribute = type.attributes[name];
  if (attribute?.family !== 'scalar') return registry.scalar(name === 'locale' ? 'String' : 'DateTime');
  return attribute.type === 'enumeration'
    ? registry.enumeration(type, attribute)
    : registry.scalar(attribute.field.graphql.output);
};

/** Returns the enabled fields with values: GraphQL name and attribute. */
const sourcesOf = (
  { switches }: TypeRegistry,
  type: ContentType,
): readonly (readonly [name: string, attribute: string])[] =>
  [...fieldSourcesOf(type)].flatMap(([name, source]) =>
    source.kind !== 'hidden' && switches.hasOutput(type, source.attribute) ? [[name, source.attribute]] : [],
  );

const FLOATS: readonly ValueFunction[] = ['sum', 'avg'];

/** Returns the type of a figure. Sums of large integers are exact; other sums and all averages are floats. */
const valueType = (
  registry: TypeRegistry,
  type: ContentType,
  name: string,
  functionName: ValueFunction,
): GraphQLOutputType => {
  const scalar = scalarType(registry, type, name);
  if (!FLOATS.includes(functionName)) return scalar;
  return functionName === 'sum' && scalar === registry.scalar('Long') ? scalar : GraphQLFloat;
};

const figureFieldsOf = (
  registry: TypeRegistry,
  type: ContentType,
  functionName: ValueFunction,
): readonly FigureField[] =>
  sourcesOf(registry, type).flatMap(([name, attribute]): readonly FigureField[] => {
    const field = comparableField(type, attribute);
    const isDefined =
      field !== null && (FLOATS.includes(functionName) ? isNumeric(type, attribute) : isOrdered(field));
    return isDefined ? [[name, attribute, valueType(registry, type, attribute, functionName)]] : [];
  });

/** Returns the fields `count`, `sum`, `avg`, `min` and `max`. A type without numbers has no sums. */
const figureFields = (registry: TypeRegistry, type: ContentType): Fields => {
  const figures = (['sum', 'avg', 'min', 'max'] as const).flatMap((functionName) => {
    const values = figureFieldsOf(registry, type, functionName);
    if (values.length === 0) return [];
    const name = claimTypeName(
      registry,
      type,
      `${functionName.charAt(0).toUpperCase()}${functionName.slice(1)}`,
    );
    const object = new GraphQLObjectType({ name, fields: toFieldConfigs(values) });
    return [[functionName, { type: new GraphQLNonNull(object) }] as const];
  });
  return { count: { type: new GraphQLNonNull(GraphQLInt) }, ...Object.fromEntries(figures) };
};

/** Names that GraphQL forbids for values of an enumeration. */
const RESERVED: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** Returns the attributes that can group records. Units of times are text; relations are document ids. */
const groupKeysOf = (registry: TypeRegistry, type: ContentType): readonly FigureField[] =>
  sourcesOf(registry, type).flatMap(([name, attribute]): readonly FigureField[] => {
    const field = comparableField(type, attribute);
    if (RESERVED.has(name)) return [];
    if (field !== null)
      return field.sortable
        ? [[name, attribute, isTime(type, field) ? GraphQLString : scalarType(registry, type, attribute)]]
        : [];
    const target = singleLink(type, attribute)?.target ?? null;
    const isVisible = target !== null && registry.switches.hasType(typeOf(registry.model, target));
    return isVisible ? [[name, attribute, GraphQLID]] : [];
  });

const groupsField = (
  registry: TypeRegistry,
  type: ContentType,
  { keys, figures }: { readonly keys: readonly FigureField[]; readonly figures: Fields },
): GraphQLFieldConfig<unknown, GraphqlContext> => {
  const name = (part: string): string => claimTypeName(registry, type, part);
  const field = new GraphQLEnumType({
    name: name('Field'),
    values: Object.fromEntries(keys.map(([key, attribute]) => [key, { value: attribute }])),
  });
  const by = new GraphQLInputObjectType({
    name: name('By'),
    fields: { field: { type: new GraphQLNonNull(field) }, unit: { type: UNIT } },
  });
  const group = new GraphQLObjectType({
    name: name('Group'),
    fields: {
      key: {
        type: new GraphQLNonNull(new GraphQLObjectType({ name: name('Key'), fields: toFieldConfigs(keys) })),
        resolve: (record: unknown): unknown => Reflect.get(Object(record), 'group'),
      },
      ...figures,
    },
  });
  return {
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(group))),
    args: {
      by: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(by))) },
      pagination: { type: registry.paginationArg, defaultValue: {} },
      sort: SORT_ARG,
    },
    resolve: resolveGroups(type),
  };
};

/** Builds `articles_aggregate`: figures of the documents that `articles` lists. */
export function aggregateFieldsOf(types: RootTypes, type: ContentType): RootFields {
  const { registry } = types;
  const { switches } = registry;
  if (type.kind === 'singleType' || !switches.hasAction(type, 'find')) return {};
  if (!switches.hasAction(type, 'aggregate')) return {};
  const object = new GraphQLObjectType({
    name: claimTypeName(registry, type, ''),
    fields: () => {
      const figures = figureFields(registry, type);
      const keys = groupKeysOf(registry, type);
      return keys.length === 0
        ? figures
        : { ...figures, groups: groupsField(registry, type, { keys, figures }) };
    },
  });
  const { pagination: _pagination, sort: _sort, ...args } = listArgumentsOf(types, type);
  return {
    [`${queryNamesOf(type).many}_aggregate`]: {
      type: new GraphQLNonNull(object),
      args,
      ...resolveAggregate(type),
    },
  };
}
