import { getNamedType, isLeafType, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { ContentModel, ContentType } from '../../../model/model.js';
import { fieldNameOf, queryNamesOf } from '../names.js';

/** Enough fields to recognise a document. */
const MAX_FIELDS = 4;

/** Types whose values are too long to show in a list, or are never shown. */
const EXCLUDED_TYPES: ReadonlySet<string> = new Set(['richtext', 'blocks', 'json', 'password']);

const HELP = `# Ctrl-Enter runs the query.
#
# Content that is not public needs a token. Create one in the project's folder:
#   cms token create --name playground --type full-access
# Then open the headers (first button on the left) and set Authorization to Bearer <token>.
`;

/** Prints a query for the list of a type; null: the schema has no such query. */
const listQueryOf = (schema: GraphQLSchema, type: ContentType): string | null => {
  const { many } = queryNamesOf(type);
  const object = schema.getType(type.typeName);
  const query = schema.getQueryType()?.getFields()[many];
  if (!isObjectType(object) || query === undefined || getNamedType(query.type) !== object) return null;
  const fields = object.getFields();
  const isLeafField = (name: string | null): name is string =>
    name !== null && isLeafType(getNamedType(fields[name]?.type));
  const attributes = Object.values(type.attributes).filter(
    (attribute) => !EXCLUDED_TYPES.has(attribute.type),
  );
  const selected = ['documentId', ...attributes.map(({ name }) => fieldNameOf(name))]
    .filter(isLeafField)
    .slice(0, MAX_FIELDS);
  if (selected.length === 0) return null;
  const lines = [`  ${many}(pagination: { limit: 10 }) {`, ...selected.map((name) => `    ${name}`), '  }'];
  return `query {\n${lines.join('\n')}\n}\n`;
};

/**
 * Prints the query that the editor contains when it is first opened: the list of the project's first
 * collection type.
 */
export function initialQuery(schema: GraphQLSchema, model: ContentModel): string {
  const collections = model.types.filter(
    ({ kind, origin }) => kind === 'collectionType' && origin === 'project',
  );
  const query =
    collections.map((type) => listQueryOf(schema, type)).find((text) => text !== null) ??
    'query {\n  __typename\n}\n';
  return `${HELP}\n${query}`;
}
