import { fail } from '../../errors/catalogue.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { operationCost } from './operation-cost.js';
import type { CostedOperation } from './operation-cost.js';

/** What all operations of one request may ask for together. */
export interface OperationBudget {
  /** Throws `graphql/too-long`, `graphql/too-many-aliases` and `graphql/too-complex`. */
  readonly spend: (operation: CostedOperation) => void;
  /** Counts records of root lists; throws `graphql/too-many-items`. */
  readonly spendItems: (count: number) => void;
  /** Throws `graphql/too-many-items` for a list within others that is too long by itself. */
  readonly allowList: (count: number) => void;
}

/** A new request's. */
export function createBudget({ tokenLimit, aliasLimit, complexityLimit, ...sizes }: GraphqlOptions): OperationBudget {
  const spent = { tokens: 0, aliases: 0, complexity: 0, items: 0 };
  return {
    spend: (operation) => {
      const cost = operationCost(operation, sizes);
      if (cost === null) return;
      spent.tokens += cost.tokens;
      spent.aliases += cost.aliases;
      spent.complexity += cost.complexity;
      if (spent.tokens > tokenLimit) throw fail('graphql/too-long', { limit: tokenLimit });
      if (spent.aliases > aliasLimit) throw fail('graphql/too-many-aliases', { aliases: spent.aliases, limit: aliasLimit });
      if (spent.complexity > complexityLimit) throw fail('graphql/too-complex', { complexity: spent.complexity, limit: complexityLimit });
    },
    spendItems: (count) => {
      spent.items += count;
      if (spent.items > sizes.amountLimit) throw fail('graphql/too-many-items', { limit: sizes.amountLimit });
    },
    allowList: (count) => {
      if (count > sizes.amountLimit) throw fail('graphql/too-many-items', { limit: sizes.amountLimit });
    },
  };
}
