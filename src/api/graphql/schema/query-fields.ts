import { GraphQLBoolean, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLFieldConfigArgumentMap, GraphQLFieldConfigMap } from 'graphql';
import type { ContentType } from '../../../model/model.js';
import type { GraphqlContext } from '../graphql-context.js';
import { queryNamesOf } from '../names.js';
import { resolveConnection, resolveFind } from '../resolvers/find.js';
import { CACHEABLE_READ } from './field-marks.js';
import { resolveFindOne } from '../resolvers/find-one.js';
import { resolveLocale, resolveLocales, resolveLocalesConnection } from '../resolvers/locales.js';
import type { RootResolver } from '../resolvers/root-field.js';
import { localeArgument, statusArgument } from './arguments.js';
import type { RootTypes } from './arguments.js';
import { SORT_ARG } from './fixed-types.js';

export type RootFields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

const versionArguments = (
  { registry, localeCode }: RootTypes,
  type: ContentType,
): GraphQLFieldConfigArgumentMap => ({
  status: statusArgument(registry),
  hasPublishedVersion: { type: GraphQLBoolean },
  publicationFilter: { type: registry.publicationFilter },
  ...localeArgument(localeCode, type),
});

interface Resolvers {
  readonly one: RootResolver;
  readonly many: RootResolver;
  readonly connection: RootResolver;
}

const resolversOf = ({ registry }: RootTypes, type: ContentType): Resolvers =>
  type === registry.localeType
    ? { one: resolveLocale, many: resolveLocales, connection: resolveLocalesConnection }
    : { one: resolveFindOne(type), many: resolveFind(type), connection: resolveConnection(type) };

const singleQueries = (types: RootTypes, type: ContentType): RootFields => {
  if (!types.registry.switches.hasAction(type, 'find')) return {};
  return {
    [queryNamesOf(type).one]: {
      type: types.registry.object(type),
      args: versionArguments(types, type),
      resolve: resolveFindOne(type),
      extensions: CACHEABLE_READ,
    },
  };
};

/** The arguments of `articles`. */
export function listArgumentsOf(types: RootTypes, type: ContentType): GraphQLFieldConfigArgumentMap {
  const { registry } = types;
  return {
    ...versionArguments(types, type),
    filters: { type: registry.filters(type) },
    pagination: { type: registry.paginationArg, defaultValue: {} },
    sort: SORT_ARG,
    ...(type === registry.localeType ? {} : { _q: { type: GraphQLString } }),
  };
}

const collectionQueries = (types: RootTypes, type: ContentType): RootFields => {
  const { registry } = types;
  const names = queryNamesOf(type);
  const versions = versionArguments(types, type);
  const args = listArgumentsOf(types, type);
  const resolve = resolversOf(types, type);
  // Locales come from memory, and from no table whose changes are counted.
  const extensions = type === registry.localeType ? {} : CACHEABLE_READ;
  const object = registry.object(type);
  const one: RootFields = {
    [names.one]: {
      type: object,
      args: { ...versions, documentId: { type: new GraphQLNonNull(GraphQLID) } },
      resolve: resolve.one,
      extensions,
    },
  };
  const many = (): RootFields => ({
    [names.many]: {
      type: new GraphQLNonNull(new GraphQLList(object)),
      args,
      resolve: resolve.many,
      extensions,
    },
    [names.connection]: {
      type: registry.connection(type),
      args,
      resolve: resolve.connection,
      extensions,
    },
  });
  return {
    ...(registry.switches.hasAction(type, 'findOne') ? one : {}),
    ...(registry.switches.hasAction(type, 'find') ? many() : {}),
  };
};

/** Builds `article`, `articles` and `articles_connection`, or `homepage` of a single type. */
export function queryFieldsOf(types: RootTypes, type: ContentType): RootFields {
  return type.kind === 'singleType' ? singleQueries(types, type) : collectionQueries(types, type);
}
