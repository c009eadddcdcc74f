import { GraphQLObjectType, GraphQLSchema, isObjectType } from 'graphql';
import type { GraphQLFieldResolver } from 'graphql';
import type { GraphqlContext } from '../graphql-context.js';
import { markUnplanned } from '../resolvers/unplanned-records.js';

/** Documents have an id; components and figures have none. */
const isDocumentType = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && Object.hasOwn(type.getFields(), 'documentId');

/** Code of the project returns `{ value }` for a response, as Strapi's own resolvers do. */
const valueOf: GraphQLFieldResolver<unknown, GraphqlContext> = (source, _args, context) => {
  const value: unknown = Reflect.get(Object(source) as object, 'value');
  markUnplanned(value, context);
  return value;
};

/**
 * Returns the schema with `ArticleEntityResponse` and the like, which Strapi registers for each content-type.
 * No generated field has such a type, but those of a project may.
 */
export function withEntityResponses(schema: GraphQLSchema): GraphQLSchema {
  const { types, ...config } = schema.toConfig();
  const responses = types.filter(isDocumentType).flatMap((type) => {
    const name = `${type.name}EntityResponse`;
    if (schema.getType(name) !== undefined) return [];
    return [new GraphQLObjectType({ name, fields: { data: { type, resolve: valueOf } } })];
  });
  return new GraphQLSchema({ ...config, types: [...types, ...responses] });
}
