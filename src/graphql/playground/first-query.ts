import { getNamedType, isLeafType, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { ContentModel, ContentType } from '../../model/model.js';
import { fieldNameOf, queryNamesOf } from '../names.js';

/** With the document's id, enough to recognise a document by. */
const MOST_FIELDS = 4;

/** Values that fill the screen, or that are never shown. */
const UNFIT: ReadonlySet<string> = new Set(['richtext', 'blocks', 'json', 'password']);

const HELP = `# Ctrl-Enter runs the query.
#
# What is not public needs a token. Make one in the project's folder:
#   cms token create --name playground --type full-access
# and put it into the headers, by the first button on the left: Authorization, with the value Bearer <token>.
`;

/** The list of a type as a query; null where the schema has none. */
const listOf = (schema: GraphQLSchema, type: ContentType): string | null => {
  const { many } = queryNamesOf(type);
  const object = schema.getType(type.typeName);
  const query = schema.getQueryType()?.getFields()[many];
  if (!isObjectType(object) || query === undefined || getNamedType(query.type) !== object) return null;
  const fields = object.getFields();
  const isPlain = (name: string | null): name is string => name !== null && isLeafType(getNamedType(fields[name]?.type));
  const attributes = Object.values(type.attributes).filter((attribute) => !UNFIT.has(attribute.type));
  const selected = ['documentId', ...attributes.map(({ name }) => fieldNameOf(name))].filter(isPlain).slice(0, MOST_FIELDS);
  return selected.length === 0 ? null : `query {\n  ${many}(pagination: { limit: 10 }) {\n${selected.map((name) => `    ${name}\n`).join('')}  }\n}\n`;
};

/** What the editor holds when it is opened for the first time: the list of the project's first collection type, ready to run. */
export function firstQuery(schema: GraphQLSchema, model: ContentModel): string {
  const collections = model.types.filter(({ kind, origin }) => kind === 'collectionType' && origin === 'project');
  const query = collections.map((type) => listOf(schema, type)).find((text) => text !== null) ?? 'query {\n  __typename\n}\n';
  return `${HELP}\n${query}`;
}
