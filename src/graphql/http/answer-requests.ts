import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import type { Caller } from '../../access/access.js';
import { fail } from '../../errors/catalogue.js';
import type { GraphqlParts } from '../graphql-parts.js';
import type { SocketOperation } from '../subscriptions/register-subscriptions.js';
import { answering } from './answer.js';
import type { Answer } from './answer.js';
import { execute } from './execute.js';
import type { Execution } from './execute.js';
import { createBudget } from './operation-budget.js';
import type { OperationBudget } from './operation-budget.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { readOperation, readQueryParameters } from './read-request.js';
import type { OperationRequest } from './read-request.js';

/** A request with its caller. */
export interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
}

/** Answers what reaches the endpoint, by whichever way. Throws errors of the catalogue where nothing was run. */
export interface Answering {
  readonly post: (asked: Asked) => Promise<Answer>;
  readonly get: (asked: Asked) => Promise<Answer>;
  /** What a WebSocket client asks for, read. */
  readonly readSocket: (payload: unknown) => Promise<OperationRequest>;
  readonly socket: (asked: SocketOperation) => Promise<Answer>;
}

export interface AnsweringParts {
  readonly fastify: FastifyInstance;
  readonly parts: GraphqlParts;
  readonly persisted: PersistedDocuments;
  /** Called before each operation. */
  readonly catchUp: () => void;
}

const readText = (query: string, maxTokens: number): DocumentNode | null => {
  try {
    return parse(query, { maxTokens });
  } catch {
    return null;
  }
};

export function createAnswering({ fastify, parts, persisted, catchUp }: AnsweringParts): Answering {
  const { options } = parts;

  const run = async (execution: Omit<Execution, 'fastify' | 'parts' | 'ip' | 'log'>, operation: OperationRequest): Promise<Answer> => {
    catchUp();
    const { request } = execution;
    const answer = await execute({ ...execution, fastify, parts, ip: request.ip, log: request.log }, operation);
    if (answer.status === 200) persisted.keep(operation);
    return answer;
  };

  /** All operations of a batch are weighed before the first is run; those that cannot be read say so in their turn. */
  const weigh = (operations: readonly OperationRequest[], budget: OperationBudget): void => {
    for (const { query, operationName, variables } of operations) {
      const document = readText(query, options.tokenLimit);
      if (document !== null) budget.spend({ schema: fastify.graphql.schema, document, operationName, variables });
    }
  };

  const batch = async (asked: Asked, sent: readonly unknown[]): Promise<Answer> => {
    if (sent.length === 0) throw fail('graphql/invalid-request', { reason: 'A batch needs an operation.' });
    if (sent.length > options.batchLimit) throw fail('graphql/batch-too-large', { size: sent.length, limit: options.batchLimit });
    const operations = sent.map((each) => persisted.resolve(readOperation(each)));
    const budget = createBudget(options);
    weigh(operations, budget);
    const weighed: OperationBudget = { ...budget, spend: () => undefined };
    const bodies: string[] = [];
    for (const operation of operations) {
      const { body } = await answering(() => run({ ...asked, budget: weighed, isReading: false, delivery: null }, operation));
      bodies.push(body);
    }
    return { status: 200, body: `[${bodies.join(',')}]` };
  };

  return {
    post: async (asked) => {
      const { body } = asked.request;
      if (Array.isArray(body)) return batch(asked, body);
      return run({ ...asked, budget: createBudget(options), isReading: false, delivery: null }, persisted.resolve(readOperation(body)));
    },
    get: async (asked) => run({ ...asked, budget: createBudget(options), isReading: true, delivery: null }, persisted.resolve(readQueryParameters(asked.request))),
    readSocket: async (payload) => persisted.resolve(readOperation(payload)),
    socket: ({ operation, ...asked }) => answering(() => run({ ...asked, reply: null, budget: createBudget(options), isReading: false }, operation)),
  };
}
