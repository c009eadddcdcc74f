import { GraphQLError, Kind } from 'graphql';
import type { ASTVisitor, SelectionSetNode, ValidationContext } from 'graphql';
import { fail } from '../../errors/catalogue.js';

/**
 * Refuses operations nested deeper than that, before anything of them runs. Fields without selections count nothing, nor does introspection;
 * each fragment is looked at once, however often it is spread.
 */
export function depthRule(limit: number): (context: ValidationContext) => ASTVisitor {
  return (context) => {
    const known = new Map<string, number>();
    const fragmentDepth = (name: string, open: readonly string[]): number => {
      const before = known.get(name);
      if (before !== undefined) return before;
      const depth = open.includes(name) ? 0 : selectionDepth(context.getFragment(name)?.selectionSet, [...open, name]);
      known.set(name, depth);
      return depth;
    };
    const selectionDepth = (selections: SelectionSetNode | undefined, open: readonly string[]): number => {
      let deepest = 0;
      for (const selection of selections?.selections ?? []) {
        if (selection.kind === Kind.FRAGMENT_SPREAD) deepest = Math.max(deepest, fragmentDepth(selection.name.value, open));
        else if (selection.kind === Kind.INLINE_FRAGMENT) deepest = Math.max(deepest, selectionDepth(selection.selectionSet, open));
        else if (selection.selectionSet !== undefined && !selection.name.value.startsWith('__')) deepest = Math.max(deepest, 1 + selectionDepth(selection.selectionSet, open));
      }
      return deepest;
    };
    return {
      OperationDefinition: (operation) => {
        const depth = selectionDepth(operation.selectionSet, []);
        if (depth > limit) context.reportError(new GraphQLError(fail('graphql/too-deep', { depth, limit }).message, { nodes: operation }));
      },
    };
  };
}
