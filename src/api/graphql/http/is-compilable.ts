import { BREAK, getNullableType, isInputObjectType, isListType, Kind, typeFromAST, visit } from 'graphql';
import type { DocumentNode, GraphQLInputType, GraphQLSchema } from 'graphql';
import { memoizeWeakly } from '../../../lib/collections.js';

/**
 * Maximum number of input fields to compile for the variables of one operation. Lists count twice, because
 * the compiler writes code for a list and for a single value in its place.
 */
const MAX_FIELDS = 2000;

/**
 * Returns the rest of `budget` after compiling a type. Below zero: the type cannot be compiled, or is too
 * large, such as every type that contains itself.
 */
const chargeType = (inputType: GraphQLInputType, budget: number): number => {
  const type = getNullableType(inputType);
  if (isListType(type)) return chargeType(type.ofType, chargeType(type.ofType, budget));
  if (!isInputObjectType(type)) return budget - 1;
  // The type itself costs one, too. Otherwise a type whose first field is of the same type would recurse
  // forever.
  let remaining = budget - 1;
  for (const field of Object.values(type.getFields())) {
    // Compiled code rejects a missing required field, even if it has a default.
    if (remaining < 0 || field.defaultValue !== undefined) return -1;
    remaining = chargeType(field.type, remaining);
  }
  return remaining;
};

const hasBoundedVariables = (schema: GraphQLSchema, document: DocumentNode): boolean => {
  let budget = MAX_FIELDS;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const variable of definition.variableDefinitions ?? []) {
      const type = typeFromAST(schema, variable.type);
      if (type !== undefined) budget = chargeType(type as GraphQLInputType, budget);
      if (budget < 0) return false;
    }
  }
  return true;
};

/**
 * True if a document has directives. Compiled documents print a skipped field if another selection
 * contains it.
 */
const hasDirectives = (document: DocumentNode): boolean => {
  let isFound = false;
  visit(document, {
    Directive: () => {
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
};

/**
 * Creates a function that returns true if a document can be compiled. The compiler inlines the code that
 * parses nested input types. It does not end for types that contain themselves, such as filters, and ignores
 * defaults of required input fields.
 */
export function createIsCompilable(schema: GraphQLSchema): (document: DocumentNode) => boolean {
  return memoizeWeakly((document) => !hasDirectives(document) && hasBoundedVariables(schema, document));
}
