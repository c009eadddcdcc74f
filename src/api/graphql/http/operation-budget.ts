import { createError } from '../../../errors/catalogue.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { operationCost } from './operation-cost.js';
import type { CostedOperation } from './operation-cost.js';

/**
 * Most fields with selections of their own in a request. Each is a part of a statement, which has to be
 * planned and compiled even if it finds nothing.
 */
const MAX_OBJECTS = 2000;

/** Limits that apply to all operations of one request together. */
export interface OperationBudget {
  /** Throws `graphql/too-many-tokens`, `graphql/too-many-aliases` and `graphql/too-many-selections`. */
  readonly charge: (operation: CostedOperation) => void;
  /** Adds records of root lists. Throws `graphql/too-many-items`. */
  readonly chargeItems: (count: number) => void;
  /** Throws `graphql/too-many-items` if a nested list is longer than the limit for a single list. */
  readonly assertListSize: (count: number) => void;
  /** Returns the most records that each of the charged root fields may read, populated ones included. */
  readonly recordLimit: () => number;
}

/** Creates the budget of one request. */
export function createBudget({
  tokenLimit,
  aliasLimit,
  complexityLimit,
  amountLimit,
}: GraphqlOptions): OperationBudget {
  const charged = { tokens: 0, aliases: 0, objects: 0, roots: 0, items: 0 };
  return {
    charge: (operation) => {
      const cost = operationCost(operation);
      if (cost === null) return;
      charged.tokens += cost.tokens;
      charged.aliases += cost.aliases;
      charged.objects += cost.objects;
      charged.roots += cost.roots;
      if (charged.tokens > tokenLimit) throw createError('graphql/too-many-tokens', { limit: tokenLimit });
      if (charged.aliases > aliasLimit)
        throw createError('graphql/too-many-aliases', { aliases: charged.aliases, limit: aliasLimit });
      if (charged.objects > MAX_OBJECTS)
        throw createError('graphql/too-many-selections', { limit: MAX_OBJECTS });
    },
    chargeItems: (count) => {
      charged.items += count;
      if (charged.items > amountLimit) throw createError('graphql/too-many-items', { limit: amountLimit });
    },
    assertListSize: (count) => {
      if (count > amountLimit) throw createError('graphql/too-many-items', { limit: amountLimit });
    },
    recordLimit: () => Math.ceil(complexityLimit / Math.max(charged.roots, 1)),
  };
}
