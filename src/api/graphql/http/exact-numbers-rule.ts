import { getNamedType, GraphQLError, Kind } from 'graphql';
import type { ASTVisitor, FloatValueNode, IntValueNode, ValidationContext } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isExactNumber } from '../../../lib/exact-json.js';

/** Scalars that keep the digits of an integer as text. */
const TEXT_SCALARS: ReadonlySet<string> = new Set(['Long', 'ID']);

/** A validation rule that refuses numbers in operations which would be rounded, as those in variables are. */
export function exactNumbersRule(context: ValidationContext): ASTVisitor {
  const check = (node: FloatValueNode | IntValueNode): void => {
    const name = getNamedType(context.getInputType())?.name ?? '';
    if (isExactNumber(node.value) || (node.kind === Kind.INT && TEXT_SCALARS.has(name))) return;
    const literal = node.value.slice(0, 60);
    const { message } = createError('request/inexact-number', {
      path: 'The operation',
      literal,
      value: Number(node.value),
    });
    context.reportError(new GraphQLError(message, { nodes: node }));
  };
  return { IntValue: check, FloatValue: check };
}
