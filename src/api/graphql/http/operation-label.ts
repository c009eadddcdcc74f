import { Kind } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';

const MAX_FIELDS = 3;
const MAX_NAME_LENGTH = 60;

/**
 * Returns how the log names an operation: by its own name, or by its root fields.
 *
 * @example
 *   query Brands
 *   query { brands products }
 */
export function operationLabelOf({ operation, name, selectionSet }: OperationDefinitionNode): string {
  if (name !== undefined) return `${operation} ${name.value.slice(0, MAX_NAME_LENGTH)}`;
  const names = selectionSet.selections.map((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value;
    return selection.kind === Kind.FRAGMENT_SPREAD ? `...${selection.name.value}` : '...';
  });
  const shown = names.slice(0, MAX_FIELDS).map((each) => each.slice(0, MAX_NAME_LENGTH));
  return `${operation} { ${[...shown, ...(names.length > MAX_FIELDS ? ['…'] : [])].join(' ')} }`;
}
