import { GraphQLError, Kind } from 'graphql';
import type { ASTVisitor, SelectionSetNode, ValidationContext } from 'graphql';
import { createError } from '../../../errors/catalogue.js';

/**
 * Returns a validation rule that refuses operations whose selections are nested deeper than `limit`. Fields
 * without selections and introspection fields do not count. Each fragment is measured once, however often it
 * is spread.
 */
export function depthRule(limit: number): (context: ValidationContext) => ASTVisitor {
  return (context) => {
    const depths = new Map<string, number>();
    const fragmentDepth = (name: string, visited: readonly string[]): number => {
      const cachedDepth = depths.get(name);
      if (cachedDepth !== undefined) return cachedDepth;
      const depth = visited.includes(name)
        ? 0
        : selectionDepth(context.getFragment(name)?.selectionSet, [...visited, name]);
      depths.set(name, depth);
      return depth;
    };
    const selectionDepth = (selections: SelectionSetNode | undefined, visited: readonly string[]): number => {
      let deepest = 0;
      for (const selection of selections?.selections ?? []) {
        if (selection.kind === Kind.FRAGMENT_SPREAD)
          deepest = Math.max(deepest, fragmentDepth(selection.name.value, visited));
        else if (selection.kind === Kind.INLINE_FRAGMENT)
          deepest = Math.max(deepest, selectionDepth(selection.selectionSet, visited));
        else if (selection.selectionSet !== undefined && !selection.name.value.startsWith('__'))
          deepest = Math.max(deepest, 1 + selectionDepth(selection.selectionSet, visited));
      }
      return deepest;
    };
    return {
      OperationDefinition: (operation) => {
        const depth = selectionDepth(operation.selectionSet, []);
        if (depth > limit)
          context.reportError(
            new GraphQLError(createError('graphql/too-deep', { depth, limit }).message, { nodes: operation }),
          );
      },
    };
  };
}
