import { createError } from '../../errors/catalogue.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { operationCost } from './operation-cost.js';
import type { CostedOperation } from './operation-cost.js';

/** Limits that apply to all operations of one request together. */
export interface OperationBudget {
  /** Throws `graphql/too-many-tokens`, `graphql/too-many-aliases` and `graphql/too-complex`. */
  readonly charge: (operation: CostedOperation) => void;
  /** Adds records of root lists. Throws `graphql/too-many-items`. */
  readonly chargeItems: (count: number) => void;
  /** Throws `graphql/too-many-items` if a nested list is longer than the limit for a single list. */
  readonly assertListSize: (count: number) => void;
}

/** Creates the budget of one request. */
export function createBudget({
  tokenLimit,
  aliasLimit,
  complexityLimit,
  ...sizes
}: GraphqlOptions): OperationBudget {
  const charged = { tokens: 0, aliases: 0, complexity: 0, items: 0 };
  return {
    charge: (operation) => {
      const cost = operationCost(operation, sizes);
      if (cost === null) return;
      charged.tokens += cost.tokens;
      charged.aliases += cost.aliases;
      charged.complexity += cost.complexity;
      if (charged.tokens > tokenLimit) throw createError('graphql/too-many-tokens', { limit: tokenLimit });
      if (charged.aliases > aliasLimit)
        throw createError('graphql/too-many-aliases', { aliases: charged.aliases, limit: aliasLimit });
      if (charged.complexity > complexityLimit)
        throw createError('graphql/too-complex', { complexity: charged.complexity, limit: complexityLimit });
    },
    chargeItems: (count) => {
      charged.items += count;
      if (charged.items > sizes.amountLimit)
        throw createError('graphql/too-many-items', { limit: sizes.amountLimit });
    },
    assertListSize: (count) => {
      if (count > sizes.amountLimit)
        throw createError('graphql/too-many-items', { limit: sizes.amountLimit });
    },
  };
}
