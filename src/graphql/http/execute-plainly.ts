import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { memoizeWeakly } from '../../lib/memoize.js';
import { labelRequest } from '../../lib/request-labels.js';
import { answerAgain, answerPlainly, coerceVariables, PreparedOperation } from '../printing/answer.js';
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
import type { AnswerPlace, OperationMemory } from './operation-memory.js';
import type { OperationResponse, PrintedResponse, RememberedResponse } from './operation-response.js';
import type { OperationRequest } from './parse-request.js';
import { isOutage, printErrors } from './print-errors.js';

/** As many documents as Mercurius keeps. */
const MAX_OPERATIONS = 1024;

/** Valid operations, by the text of their documents. */
export interface PlainOperations {
  /** Null: it needs resolvers. Undefined: not known to be valid. */
  readonly find: (operation: OperationRequest) => PlainOperation | null | undefined;
  /** Returns an operation that was prepared before. */
  readonly prepared: (operation: OperationRequest) => PreparedOperation | undefined;
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
      const text = documentTextOf(request);
      const operation = plainOperationOf(schema, document, { text, operationName: request.operationName });
      operations.set(text, { operation });
      return operation;
    },
    prepared: (request) => prepared.get(request),
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

const printResponse = (
  execution: Pick<Execution, 'dependencies' | 'log'>,
  { data, errors }: PrintedAnswer,
): PrintedResponse => {
  if (errors.length === 0) return { status: 200, text: `{"data":${data}}` };
  const print = errorPrinterOf(execution);
  const printed = printErrors(errors, (error) => print(error, FIELD_ERROR));
  const values = Object.values((JSON.parse(data) ?? {}) as object);
  return {
    status: isOutage(printed, values) ? 503 : 200,
    text: `{"errors":${JSON.stringify(printed)},"data":${data}}`,
  };
};

const labelOf = memoizeWeakly(operationLabelOf);

/** Answers by the text that the database prints. Null: resolvers have to answer. */
const print = async (execution: Execution, prepared: PreparedOperation): Promise<PrintedAnswer | null> => {
  const { dependencies, caller, requester, budget } = execution;
  return answerPlainly(
    {
      planning: {
        dependencies,
        limits: limitsOf(execution),
        rights: dependencies.access.readAccessOf(caller),
        faults: new Map(),
      },
      caller,
      requester,
      chargeItems: budget.chargeItems,
    },
    prepared,
  );
};

/** What decides where an operation's answer comes from. */
export interface AnswerSources {
  readonly operations: PlainOperations;
  /** Null: nothing is remembered. */
  readonly memory: OperationMemory | null;
}

type PlainResponse = PrintedResponse | RememberedResponse;

/** Where the answer of an operation is remembered, if it may be. */
interface Remembering {
  readonly memory: OperationMemory;
  readonly place: AnswerPlace;
}

const rememberingOf = (
  { memory }: AnswerSources,
  prepared: PreparedOperation,
  caller: Execution['caller'],
): Remembering | null => {
  const place = memory?.placeOf(prepared, caller);
  return memory === null || !place ? null : { memory, place };
};

const settle = async ({ memory, place }: Remembering): Promise<Remembering> => ({
  memory,
  place: { ...place, revisions: await place.revisions },
});

const isPending = (remembering: Remembering | null): remembering is Remembering =>
  remembering?.place.revisions instanceof Promise;

const rememberPrinted = (
  execution: Pick<Execution, 'dependencies' | 'log'>,
  printed: PrintedAnswer | null,
  remembering: Remembering | null,
): PlainResponse | null => {
  if (printed === null) return null;
  const response = printResponse(execution, printed);
  return remembering === null ? response : remembering.memory.remember(remembering.place, printed, response);
};

/** Answers with what is remembered, or prints and remembers it. Null: resolvers have to answer. */
const answer = async (
  execution: Execution,
  { operationName, variables }: OperationRequest,
  prepared: PreparedOperation,
  sources: AnswerSources,
): Promise<PlainResponse | null> => {
  const { document, operation } = prepared.operation;
  labelRequest(execution.request, labelOf(operation));
  execution.budget.charge({ document, operationName, variables });
  const pending = rememberingOf(sources, prepared, execution.caller);
  const remembering = isPending(pending) ? await settle(pending) : pending;
  const remembered = remembering?.memory.recall(remembering.place) ?? null;
  return remembered ?? rememberPrinted(execution, await print(execution, prepared), remembering);
};

const answerPrepared = (
  execution: Omit<Execution, 'fastify' | 'reply' | 'ip'>,
  prepared: PreparedOperation,
  remembering: Remembering | null,
): PlainResponse | Promise<PlainResponse | null> | undefined => {
  const { dependencies, caller, requester, budget } = execution;
  const remembered = remembering?.memory.recall(remembering.place) ?? null;
  const printed =
    remembered === null
      ? answerAgain({ dependencies, caller, requester, chargeItems: budget.chargeItems }, prepared)
      : undefined;
  if (remembered === null && printed === undefined) return undefined;
  labelRequest(execution.request, labelOf(prepared.operation.operation));
  return remembered ?? printed?.then((each) => rememberPrinted(execution, each, remembering));
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

/**
 * Answers an operation that was answered by statements before: at once, where the answer is remembered.
 * Undefined: it was not, for this caller. Null: resolvers have to answer.
 */
export function answerKnown(
  execution: Omit<Execution, 'fastify' | 'reply' | 'ip'>,
  operation: OperationRequest,
  sources: AnswerSources,
): PlainResponse | Promise<PlainResponse | null | undefined> | undefined {
  const prepared = sources.operations.prepared(operation);
  if (prepared === undefined) return undefined;
  const remembering = rememberingOf(sources, prepared, execution.caller);
  return isPending(remembering)
    ? settle(remembering).then((settled) => answerPrepared(execution, prepared, settled))
    : answerPrepared(execution, prepared, remembering);
}

/** Runs one operation: by statements alone where its answer is what they print, otherwise by resolvers. */
export async function executePlainly(
  execution: Execution,
  request: OperationRequest,
  sources: AnswerSources,
): Promise<OperationResponse | PlainResponse> {
  const { operations } = sources;
  if (execution.dependencies.options.tracing) return execute(execution, request);
  const known = operations.find(request);
  if (known === null) return execute(execution, request);
  const plain = known ?? (await validate(execution, request, operations));
  if ('status' in plain) return plain;
  const prepared = operations.prepare(request, plain);
  if (prepared === null) return execute(execution, request);
  const response = await answer(execution, request, prepared, sources);
  return response ?? execute({ ...execution, isCharged: true }, request);
}
