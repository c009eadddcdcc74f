import {
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import { memoizeWeakly } from '../../../lib/memoize.js';
import type { ContentType } from '../../../model/model.js';
import { queryNamesOf } from '../names.js';
import { resolveRestoreVersion, resolveVersion, resolveVersions } from '../resolvers/history.js';
import { localeArgument } from './arguments.js';
import type { RootTypes } from './arguments.js';
import type { RootFields } from './query-fields.js';
import type { TypeRegistry } from './type-registry.js';

const required = <T extends GraphQLObjectType | typeof GraphQLString>(type: T) => ({
  type: new GraphQLNonNull(type),
});

/** Names with an underscore, which those of content-types never have. */
const typesOf = memoizeWeakly((registry: TypeRegistry) => {
  const omission = new GraphQLObjectType({
    name: 'Version_Omission',
    description: 'What of a version could not be restored.',
    fields: { attribute: required(GraphQLString), reason: required(GraphQLString) },
  });
  return {
    version: new GraphQLObjectType({
      name: 'Document_Version',
      fields: {
        version: { type: new GraphQLNonNull(GraphQLInt) },
        publishedAt: { type: new GraphQLNonNull(registry.scalar('DateTime')) },
        content: {
          type: registry.scalar('JSON'),
          description: 'The values, with documentIds of what is linked. Lists of versions lack them.',
        },
      },
    }),
    restored: new GraphQLObjectType({
      name: 'Restored_Version',
      fields: {
        documentId: { type: new GraphQLNonNull(GraphQLID) },
        locale: { type: GraphQLString },
        omitted: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(omission))) },
      },
    }),
  };
});

const addressOf = ({ localeCode }: RootTypes, type: ContentType): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind === 'singleType' ? {} : { documentId: { type: new GraphQLNonNull(GraphQLID) } }),
  ...localeArgument(localeCode, type),
});

const NUMBER = { version: { type: new GraphQLNonNull(GraphQLInt) } };

/** Builds `article_versions` and `article_version` of types with drafts. */
export function historyQueriesOf(types: RootTypes, type: ContentType): RootFields {
  const { switches } = types.registry;
  if (!type.draftAndPublish || !switches.hasAction(type, type.kind === 'singleType' ? 'find' : 'findOne'))
    return {};
  const { version } = typesOf(types.registry);
  const name = queryNamesOf(type).one;
  return {
    [`${name}_versions`]: {
      type: new GraphQLList(new GraphQLNonNull(version)),
      args: addressOf(types, type),
      resolve: resolveVersions(type),
    },
    [`${name}_version`]: {
      type: version,
      args: { ...addressOf(types, type), ...NUMBER },
      resolve: resolveVersion(type),
    },
  };
}

/** Builds `restoreArticleVersion` of types with drafts. */
export function historyMutationsOf(types: RootTypes, type: ContentType): RootFields {
  const { registry } = types;
  if (!type.draftAndPublish || !registry.switches.hasAction(type, 'update')) return {};
  return {
    [`restore${registry.object(type).name}Version`]: {
      type: typesOf(registry).restored,
      args: { ...addressOf(types, type), ...NUMBER },
      resolve: resolveRestoreVersion(type),
    },
  };
}
