import { getNullableType, isInputObjectType, isListType, Kind, typeFromAST } from 'graphql';
import type { DocumentNode, GraphQLInputType, GraphQLSchema } from 'graphql';

/** Input fields that reading one operation's variables may take to write out; lists are written out twice, for one item may stand for a list. */
const MOST_FIELDS = 2000;

/** What is left after writing out a type; less than nothing: it cannot be done, or goes on too long, as every type does that comes back to itself. */
const spend = (given: GraphQLInputType, left: number): number => {
  const type = getNullableType(given);
  if (isListType(type)) return spend(type.ofType, spend(type.ofType, left));
  if (!isInputObjectType(type)) return left - 1;
  // The type itself counts, too: its first field may be of that very type.
  let rest = left - 1;
  for (const field of Object.values(type.getFields())) {
    // The compiler forgets the defaults of input fields.
    if (rest < 0 || field.defaultValue !== undefined) return -1;
    rest = spend(field.type, rest);
  }
  return rest;
};

const known = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, boolean>>();

const fits = (schema: GraphQLSchema, document: DocumentNode): boolean => {
  let left = MOST_FIELDS;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const variable of definition.variableDefinitions ?? []) {
      const type = typeFromAST(schema, variable.type);
      if (type !== undefined) left = spend(type as GraphQLInputType, left);
      if (left < 0) return false;
    }
  }
  return true;
};

/**
 * Whether a document can be compiled. The compiler writes out what reads the variables, every input type within every other, and so never ends with
 * one that comes back to itself, as filters do. It knows no defaults inside of input types.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  const answers = known.get(schema) ?? new WeakMap<DocumentNode, boolean>();
  known.set(schema, answers);
  const before = answers.get(document);
  if (before !== undefined) return before;
  const answer = fits(schema, document);
  answers.set(document, answer);
  return answer;
}
