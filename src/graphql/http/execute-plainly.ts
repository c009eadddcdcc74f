import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { memoizeWeakly } from '../../lib/memoize.js';
import { labelRequest } from '../../lib/request-labels.js';
import { answerPlainly, coerceVariables, PreparedOperation } from '../printing/answer.js';
import type { PrintedAnswer } from '../printing/answer.js';
import { plainOperationOf } from '../printing/plain-operation.js';
import type { PlainOperation } from '../printing/plain-operation.js';
import {
  documentTextOf,
  errorPrinterOf,
  execute,
  FIELD_ERROR,
  limitsOf,
  StoppedOperation,
} from './execute.js';
import type { Execution } from './execute.js';
import { operationLabelOf } from './operation-label.js';
import type { OperationResponse, PrintedResponse } from './operation-response.js';
import type { OperationRequest } from './parse-request.js';

/** As many documents as Mercurius keeps. */
const MAX_OPERATIONS = 1024;

/** Valid operations, by the text of their documents. */
export interface PlainOperations {
  /** Null: it needs resolvers. Undefined: not known to be valid. */
  readonly find: (operation: OperationRequest) => PlainOperation | null | undefined;
  /** Adds an operation whose document is valid. */
  readonly add: (operation: OperationRequest, document: DocumentNode) => PlainOperation | null;
  /** Returns the operation with the values of its variables, or null if these do not fit their types. */
  readonly prepare: (operation: OperationRequest, plain: PlainOperation) => PreparedOperation | null;
  readonly clear: () => void;
}

export function createPlainOperations(schema: GraphQLSchema): PlainOperations {
  const operations = new LRUCache<string, { readonly operation: PlainOperation | null }>({
    max: MAX_OPERATIONS,
  });
  let prepared = new WeakMap<OperationRequest, PreparedOperation>();
  return {
    find: (request) => operations.get(documentTextOf(request))?.operation,
    add: (request, document) => {
      const operation = plainOperationOf(schema, document, request.operationName);
      operations.set(documentTextOf(request), { operation });
      return operation;
    },
    prepare: (request, plain) => {
      const known = prepared.get(request);
      if (known !== undefined) return known;
      const variables = coerceVariables(plain, request.variables);
      if (variables === null) return null;
      const operation = new PreparedOperation(plain, variables);
      prepared.set(request, operation);
      return operation;
    },
    clear: () => {
      operations.clear();
      prepared = new WeakMap();
    },
  };
}

const printResponse = (execution: Execution, { data, errors }: PrintedAnswer): PrintedResponse => {
  const print = errorPrinterOf(execution);
  const printed = errors.map((error) => print(error, FIELD_ERROR));
  const prefix = printed.length === 0 ? '' : `"errors":${JSON.stringify(printed)},`;
  return { status: 200, text: `{${prefix}"data":${data}}` };
};

const labelOf = memoizeWeakly(operationLabelOf);

/** Answers by the text that the database prints. Null: resolvers have to answer. */
const answer = async (
  execution: Execution,
  prepared: PreparedOperation,
  { operationName, variables }: OperationRequest,
): Promise<PrintedResponse | null> => {
  const { dependencies, caller, budget, request } = execution;
  const { document, operation } = prepared.operation;
  labelRequest(request, labelOf(operation));
  budget.charge({ document, operationName, variables });
  const printed = await answerPlainly(
    {
      planning: {
        dependencies,
        limits: limitsOf(execution),
        rights: dependencies.access.readAccessOf(caller),
        faults: new Map(),
      },
      caller,
      chargeItems: budget.chargeItems,
    },
    prepared,
  );
  return printed === null ? null : printResponse(execution, printed);
};

/**
 * Validates an operation whose document is not known. Returns its answer, or the operation if it has not run
 * since it is plain.
 */
const validate = async (
  execution: Execution,
  request: OperationRequest,
  operations: PlainOperations,
): Promise<OperationResponse | PlainOperation> => {
  let plain: PlainOperation | null = null;
  const shouldRun = (document: DocumentNode): boolean => {
    plain = operations.add(request, document);
    return plain === null;
  };
  try {
    return await execute({ ...execution, shouldRun }, request);
  } catch (error) {
    if (error instanceof StoppedOperation && plain !== null) return plain;
    throw error;
  }
};

/** Runs one operation: by statements alone where its answer is what they print, otherwise by resolvers. */
export async function executePlainly(
  execution: Execution,
  request: OperationRequest,
  operations: PlainOperations,
): Promise<OperationResponse | PrintedResponse> {
  if (execution.dependencies.options.tracing) return execute(execution, request);
  const known = operations.find(request);
  if (known === null) return execute(execution, request);
  const plain = known ?? (await validate(execution, request, operations));
  if ('status' in plain) return plain;
  const prepared = operations.prepare(request, plain);
  if (prepared === null) return execute(execution, request);
  const response = await answer(execution, prepared, request);
  return response ?? execute({ ...execution, isCharged: true }, request);
}
