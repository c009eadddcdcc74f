import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { memoizeWeakly } from '../../../lib/collections.js';
import type { ContentType } from '../../../model/model.js';
import { invalidParameter } from '../../../query/read-context.js';
import { queryNamesOf } from '../field-names.js';
import { requiredId, requiredText } from '../schema/fixed-types.js';
import type { RootTypes, TypeRegistry } from '../schema/type-registry.js';
import type { RootFields } from './query-fields.js';
import { createDocumentResolver } from './root-field.js';
import type { RootCall } from './root-field.js';

const MAX_LISTED = 1000;
const DEFAULT_LISTED = 100;

const listOf = (type: GraphQLObjectType | typeof GraphQLString) => ({
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))),
});

/** The types of deleted documents. The underscore in their names avoids the names of content-types. */
const trashTypesOf = memoizeWeakly((registry: TypeRegistry) => {
  const dateTime = { type: new GraphQLNonNull(registry.scalar('DateTime')) };
  const version = new GraphQLObjectType({
    name: 'Deleted_Version',
    fields: {
      locale: { type: GraphQLString },
      status: requiredText,
      createdAt: dateTime,
      updatedAt: dateTime,
      publishedAt: { type: registry.scalar('DateTime') },
      content: { type: new GraphQLNonNull(registry.scalar('JSON')) },
    },
  });
  const omission = new GraphQLObjectType({
    name: 'Trash_Omission',
    description: 'A value or link that could not be restored.',
    fields: { attribute: requiredText, reason: requiredText },
  });
  return {
    entry: new GraphQLObjectType({
      name: 'Deleted_Document',
      fields: {
        id: { type: new GraphQLNonNull(GraphQLInt) },
        documentId: requiredId,
        locale: { type: GraphQLString },
        deletedAt: dateTime,
        label: { type: GraphQLString },
        versions: {
          type: new GraphQLList(new GraphQLNonNull(version)),
          description: 'The deleted versions, without private values and links. Lists lack them.',
        },
      },
    }),
    restored: new GraphQLObjectType({
      name: 'Restored_Document',
      fields: {
        documentId: requiredId,
        locales: listOf(GraphQLString),
        omitted: listOf(omission),
      },
    }),
  };
});

const ENTRY_ARGUMENT = { entry: { type: new GraphQLNonNull(GraphQLInt) } };

/** Returns a number of the arguments. Throws `request/invalid-parameter` if it is below 1. */
const numberOf = ({ args }: RootCall, name: string): number | undefined => {
  const value = args[name];
  if (typeof value !== 'number') return undefined;
  if (value < 1) throw invalidParameter(name, 'it must be a whole number from 1.');
  return value;
};

const trashOf = ({ context }: RootCall) => context.dependencies.documents.trash;

const entryOf = (call: RootCall) => ({ id: numberOf(call, 'entry') ?? 0, type: call.type.uid });

/** Builds `article_trash` and `article_deleted`. */
export function trashQueriesOf(types: RootTypes, type: ContentType): RootFields {
  const { switches } = types.registry;
  if (!switches.hasAction(type, type.kind === 'singleType' ? 'find' : 'findOne')) return {};
  const { entry } = trashTypesOf(types.registry);
  const name = queryNamesOf(type).one;
  return {
    [`${name}_trash`]: {
      ...listOf(entry),
      args: { limit: { type: GraphQLInt }, before: { type: GraphQLInt } },
      ...createDocumentResolver(type, 'findDeleted', async (call) =>
        trashOf(call).list(
          {
            types: [type.uid],
            limit: Math.min(numberOf(call, 'limit') ?? DEFAULT_LISTED, MAX_LISTED),
            before: numberOf(call, 'before'),
          },
          call.context.rights,
        ),
      ),
    },
    [`${name}_deleted`]: {
      type: entry,
      args: ENTRY_ARGUMENT,
      ...createDocumentResolver(type, 'findDeleted', async (call) =>
        trashOf(call).find(entryOf(call), call.context.rights),
      ),
    },
  };
}

/** Builds `restoreDeletedArticle` and `purgeDeletedArticle`. */
export function trashMutationsOf(types: RootTypes, type: ContentType): RootFields {
  const { registry } = types;
  if (!registry.switches.hasAction(type, 'delete')) return {};
  const { name } = registry.object(type);
  return {
    [`restoreDeleted${name}`]: {
      type: trashTypesOf(registry).restored,
      args: ENTRY_ARGUMENT,
      ...createDocumentResolver(type, 'restoreDeleted', async (call) =>
        trashOf(call).restore(entryOf(call), call.context.rights),
      ),
    },
    [`purgeDeleted${name}`]: {
      type: new GraphQLNonNull(GraphQLBoolean),
      args: ENTRY_ARGUMENT,
      ...createDocumentResolver(type, 'purgeDeleted', async (call) => {
        const { id, type: uid } = entryOf(call);
        return (await trashOf(call).purge({ ids: [id], types: [uid] })) > 0;
      }),
    },
  };
}
