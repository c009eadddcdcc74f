import { GraphQLID, GraphQLNonNull } from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import type { ContentType } from '../../../model/model.js';
import {
  resolveCreate,
  resolveDelete,
  resolveDeleteSingle,
  resolveUpdate,
  resolveUpdateSingle,
} from '../resolvers/write.js';
import { localeArgument, statusArgument } from './arguments.js';
import type { RootTypes } from './arguments.js';
import { DELETE_RESPONSE } from './fixed-types.js';
import type { RootFields } from './query-fields.js';

/**
 * Builds `createArticle`, `updateArticle` and `deleteArticle`. A single type has no mutation to create it:
 * its first update does.
 */
export function mutationFieldsOf({ registry, localeCode }: RootTypes, type: ContentType): RootFields {
  const object = registry.object(type);
  const { name } = object;
  const locale = localeArgument(localeCode, type);
  const writeArguments = () => ({
    ...locale,
    status: statusArgument(registry),
    data: { type: new GraphQLNonNull(registry.input(type)) },
  });
  const isSingle = type.kind === 'singleType';
  const documentId: GraphQLFieldConfigArgumentMap = isSingle
    ? {}
    : { documentId: { type: new GraphQLNonNull(GraphQLID) } };
  const fields: RootFields = {};
  if (!isSingle && registry.switches.hasAction(type, 'create'))
    fields[`create${name}`] = { type: object, args: writeArguments(), resolve: resolveCreate(type) };
  if (registry.switches.hasAction(type, 'update')) {
    fields[`update${name}`] = {
      type: object,
      args: { ...documentId, ...writeArguments() },
      resolve: isSingle ? resolveUpdateSingle(type) : resolveUpdate(type),
    };
  }
  if (registry.switches.hasAction(type, 'delete')) {
    fields[`delete${name}`] = {
      type: DELETE_RESPONSE,
      args: { ...documentId, ...locale },
      resolve: isSingle ? resolveDeleteSingle(type) : resolveDelete(type),
    };
  }
  return fields;
}
