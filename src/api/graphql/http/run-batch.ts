import { parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { createBudget } from './operation-budget.js';
import type { OperationBudget } from './operation-budget.js';
import { withErrorResponse } from './operation-response.js';
import type { OperationResponse } from './operation-response.js';
import type { OperationRequest } from './parse-request.js';

export interface BatchDependencies {
  readonly options: GraphqlOptions;
  /** Throws errors of the catalogue. */
  readonly parseOperation: (payload: unknown) => OperationRequest;
  readonly run: (operation: OperationRequest, budget: OperationBudget) => Promise<OperationResponse>;
}

const tryParse = (query: string, maxTokens: number): DocumentNode | null => {
  try {
    return parse(query, { maxTokens });
  } catch {
    return null;
  }
};

/** Documents with syntax errors cost nothing. They are reported when it is their turn. */
const chargeAll = (
  operations: readonly OperationRequest[],
  budget: OperationBudget,
  { options }: BatchDependencies,
): void => {
  for (const { query, operationName, variables } of operations) {
    const document = tryParse(query, options.tokenLimit);
    if (document !== null) budget.charge({ document, operationName, variables });
  }
};

/**
 * Runs a list of operations one after the other. The costs of all are charged before the first runs.
 *
 * @throws `graphql/invalid-request`, `graphql/batch-too-large`, and what {@link OperationBudget.charge}
 *   throws; errors of single operations are part of the response
 */
export async function runBatch(
  payloads: readonly unknown[],
  dependencies: BatchDependencies,
): Promise<readonly OperationResponse[]> {
  const { options, parseOperation, run } = dependencies;
  if (payloads.length === 0)
    throw createError('graphql/invalid-request', { reason: 'A batch must contain at least one operation.' });
  if (payloads.length > options.batchLimit)
    throw createError('graphql/batch-too-large', { size: payloads.length, limit: options.batchLimit });
  const operations = payloads.map(parseOperation);
  const budget = createBudget(options);
  chargeAll(operations, budget, dependencies);
  const chargedBudget: OperationBudget = { ...budget, charge: () => undefined };
  const responses: OperationResponse[] = [];
  for (const operation of operations)
    responses.push(await withErrorResponse(() => run(operation, chargedBudget)));
  return responses;
}
