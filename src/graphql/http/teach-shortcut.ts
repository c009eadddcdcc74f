import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';
import { createRecall, createReread } from '../../http/recall-answer.js';
import type { ShortAnswer } from '../../http/answer-head.js';
import type { Recall } from '../../http/shortcuts.js';
import { areLongTexts } from '../../lib/text-chunks.js';
import type { GraphqlDependencies } from '../graphql-context.js';
import { answerAgain } from '../printing/answer.js';
import type { PreparedOperation, PrintedAnswer } from '../printing/answer.js';
import { createBudget } from './operation-budget.js';
import type { PrintedResponse, RememberedResponse } from './operation-response.js';
import type { RepeatedRequests } from './repeated-requests.js';

/** Undefined where errors have to be told, or resolvers have to answer. */
const shortAnswerOf = (printed: PrintedAnswer | null): ShortAnswer | undefined =>
  printed === null || printed.errors.length > 0 || areLongTexts([printed.data])
    ? undefined
    : { body: `{"data":${printed.data}}` };

/** Creates the function that answers an operation by its statements again. */
const readAgain = (
  dependencies: GraphqlDependencies,
  caller: Caller,
  prepared: PreparedOperation,
): Recall => {
  const { access, options, hasMiddleware = () => false } = dependencies;
  return createReread({ access, hasMiddleware }, { caller, types: prepared.operation.types }, (requester) => {
    const { chargeItems } = createBudget(options);
    return answerAgain({ dependencies, caller, requester, chargeItems }, prepared)?.then(shortAnswerOf);
  });
};

/** Creates the function that teaches the server how an operation is answered again. */
export function createTeach(
  dependencies: GraphqlDependencies,
  bodies: RepeatedRequests,
  callerOf: (request: FastifyRequest) => Caller,
): (reply: FastifyReply, response: RememberedResponse | PrintedResponse) => void {
  const { access, answers, shortcuts } = dependencies;
  const recallOf = (caller: Caller, response: RememberedResponse | PrintedResponse): Recall | null => {
    if ('text' in response)
      return response.prepared === undefined ? null : readAgain(dependencies, caller, response.prepared);
    const { place } = response;
    return answers === undefined || place === null
      ? null
      : createRecall({ access, answers }, { caller, ...place });
  };
  return (reply, response) => {
    const { request } = reply;
    const caller = callerOf(request);
    const body = request.method === 'POST' ? bodies.textOf(request.body) : '';
    if (caller.kind === 'user' || body === undefined) return;
    const recall = recallOf(caller, response);
    if (recall !== null) shortcuts?.learn(reply, { body, recall });
  };
}
