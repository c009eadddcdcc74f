import { GraphQLID, GraphQLNonNull } from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import type { ContentType } from '../../model/model.js';
import { resolveCreate, resolveDelete, resolveDeleteSingle, resolveUpdate, resolveUpdateSingle } from '../resolvers/write.js';
import { localeArgument, statusArgument } from './arguments.js';
import type { RootTypes } from './arguments.js';
import { DELETE_RESPONSE } from './fixed-types.js';
import type { RootFields } from './query-fields.js';

/** `createArticle`, `updateArticle` and `deleteArticle`; a single type is never created, its first update makes it. */
export function mutationFieldsOf({ book, localeCode }: RootTypes, type: ContentType): RootFields {
  const object = book.object(type);
  const { name } = object;
  const locale = localeArgument(localeCode, type);
  const written = () => ({ ...locale, status: statusArgument(book), data: { type: new GraphQLNonNull(book.input(type)) } });
  const isSingle = type.kind === 'singleType';
  const documentId: GraphQLFieldConfigArgumentMap = isSingle ? {} : { documentId: { type: new GraphQLNonNull(GraphQLID) } };
  const fields: RootFields = {};
  if (!isSingle && book.switches.hasAction(type, 'create')) fields[`create${name}`] = { type: object, args: written(), resolve: resolveCreate(type) };
  if (book.switches.hasAction(type, 'update')) {
    fields[`update${name}`] = { type: object, args: { ...documentId, ...written() }, resolve: isSingle ? resolveUpdateSingle(type) : resolveUpdate(type) };
  }
  if (book.switches.hasAction(type, 'delete')) {
    fields[`delete${name}`] = { type: DELETE_RESPONSE, args: { ...documentId, ...locale }, resolve: isSingle ? resolveDeleteSingle(type) : resolveDelete(type) };
  }
  return fields;
}
