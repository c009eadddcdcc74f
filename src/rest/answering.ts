import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/access.js';
import type { Answer, AnswerMemory, Revisions } from '../documents/answers/answer-memory.js';
import type { ShortAnswer } from '../http/answer-head.js';
import { createRecall, createReread } from '../http/recall-answer.js';
import { sendUnchanged } from '../http/send-unchanged.js';
import { goWholeWay, throwFailure } from '../http/shortcuts.js';
import { isKnownEtag } from '../lib/etag.js';
import { requesterAt } from '../lib/requester.js';
import type { Requester } from '../lib/requester.js';
import { untilSent } from '../lib/until-sent.js';
import { addVary } from '../lib/vary.js';
import type { ContentType } from '../model/model.js';
import type { ReadQuery } from '../query/query.js';
import { JSON_TYPE, sendBody } from './envelope.js';
import type { ReadBody } from './envelope.js';
import { callerOf } from './guard.js';
import type { Handler, ReadDependencies } from './rest-dependencies.js';
import { asksForV4, VARY_BY_FORMAT } from './response-format.js';
import { isShownReply } from './shown-replies.js';

/** How the answer to a request comes about. */
export interface AnswerSource {
  readonly queryOf: (request: FastifyRequest) => ReadQuery;
  /** Returns what reads for a request, any number of times and for whoever waits. */
  readonly readerOf: (
    request: FastifyRequest,
  ) => (query: ReadQuery, requester: Requester) => Promise<ReadBody>;
}

type SetHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

const VARY = `Authorization, ${VARY_BY_FORMAT}`;

/**
 * Tells caches what the schema file says. They must not give to others what was answered to a caller that
 * presented a credential.
 */
const createSetHeaders = ({ options }: ContentType): SetHeaders => {
  const { cacheControl } = options;
  if (typeof cacheControl !== 'string') return () => undefined;
  return (request, reply) => {
    const isPublic = callerOf(request).kind === 'anonymous';
    reply.header('cache-control', isPublic ? cacheControl : 'private, no-cache');
    reply.header('vary', addVary(reply.getHeader('vary'), VARY));
  };
};

interface SendOptions {
  /** Project code that changes responses before they are sent expects text. */
  readonly sendsText: boolean;
  /** Called when all headers are set. */
  readonly onHeaders?: () => void;
}

const sendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Answer,
  { sendsText, onHeaders }: SendOptions,
): FastifyReply => {
  reply.header('etag', etag);
  if (isKnownEtag(request.headers['if-none-match'], etag)) return sendUnchanged(reply, body);
  reply.header('content-type', JSON_TYPE);
  onHeaders?.();
  return reply.send(sendsText ? body.toString() : body);
};

/** Creates what lets the same be read again for the same request, where nothing is remembered. */
const createTeachReading =
  ({ shortcuts, access, hasMiddleware = () => true }: ReadDependencies, { uid }: ContentType) =>
  (reply: FastifyReply, read: (requester: Requester) => Promise<ReadBody>): void => {
    const caller = callerOf(reply.request);
    if (caller.kind === 'user' || access.readAccessOf(caller).scopeOf !== undefined) return;
    const readAgain = async (requester: Requester): Promise<ShortAnswer | undefined> => {
      const body = await read(requester);
      return typeof body === 'string' ? { body } : undefined;
    };
    reply.header('content-type', JSON_TYPE);
    const recall = createReread({ access, hasMiddleware }, { caller, types: [uid] }, readAgain);
    shortcuts?.learn(reply, { body: '', recall });
  };

/** How answers to a type are sent. */
interface Sending {
  readonly setHeaders: SetHeaders;
  readonly sendsText: (reply: FastifyReply) => boolean;
}

/** Creates the handler of reads that remembers nothing. */
const createReading = (
  dependencies: ReadDependencies,
  type: ContentType,
  { queryOf, readerOf, setHeaders, sendsText }: AnswerSource & Sending,
): Handler => {
  const teachReading = createTeachReading(dependencies, type);
  return async (request, reply) => {
    throwFailure(request.raw);
    const query = queryOf(request);
    const read = readerOf(request);
    const body = await read(query, requesterAt(reply.raw));
    setHeaders(request, reply);
    if (dependencies.answers === undefined && typeof body === 'string')
      teachReading(reply, (requester) => read(query, requester));
    return untilSent(sendBody(reply, body, { sendsText: sendsText(reply) }));
  };
};

interface Remembering extends AnswerSource, Sending {
  readonly answers: AnswerMemory;
  /** Answers where nothing may be remembered. */
  readonly answer: Handler;
}

/** Creates the handler of reads that remembers answers. */
const createRemembering = (
  dependencies: ReadDependencies,
  type: ContentType,
  { answers, answer, queryOf, readerOf, setHeaders, sendsText }: Remembering,
): Handler => {
  const { shortcuts, access, grantsId } = dependencies;
  const types = [type.uid];
  const teach = (reply: FastifyReply, caller: Caller, key: string): void => {
    if (caller.kind === 'user') return;
    shortcuts?.learn(reply, { body: '', recall: createRecall({ access, answers }, { caller, key, types }) });
  };
  const remember = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { key, revisions }: { readonly key: string; readonly revisions: Revisions },
    memory: AnswerMemory,
  ): Promise<FastifyReply | undefined> => {
    const query = queryOf(request);
    const body = await readerOf(request)(query, requesterAt(reply.raw));
    // Long text is sent in parts, since joining it would hold up other requests.
    const remembered = typeof body === 'string' ? memory.set(key, revisions, [query], body) : null;
    setHeaders(request, reply);
    if (remembered === null) return untilSent(sendBody(reply, body, { sendsText: sendsText(reply) }));
    return untilSent(sendAnswer(request, reply, remembered, { sendsText: sendsText(reply) }));
  };
  const answerAt = (
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    revisions: Revisions | null,
  ): ReturnType<Handler> => {
    if (revisions === null) return answer(request, reply);
    const remembered = answers.get(key, revisions);
    if (remembered === undefined) return remember(request, reply, { key, revisions }, answers);
    setHeaders(request, reply);
    sendAnswer(request, reply, remembered, {
      sendsText: sendsText(reply),
      onHeaders: () => teach(reply, callerOf(request), key),
    });
  };
  return (request, reply) => {
    const key = answers.keyOf({
      types,
      rights: grantsId(callerOf(request).grants),
      defaultLocale: access.locales.defaultCode(),
      request: request.url,
    });
    if (key === null) return answer(request, reply);
    const revisions = answers.revisions();
    return revisions instanceof Promise
      ? revisions.then(async (known) => (await answerAt(request, reply, key, known)) ?? untilSent(reply))
      : answerAt(request, reply, key, revisions);
  };
};

/**
 * Creates the handler of reads, which remembers answers where a memory is given. Those in the shape of Strapi
 * 4 are made anew each time.
 */
export function answering(dependencies: ReadDependencies, type: ContentType, source: AnswerSource): Handler {
  const { answers, sendsText: hasSendHooks = () => false } = dependencies;
  const sending: AnswerSource & Sending = {
    ...source,
    setHeaders: createSetHeaders(type),
    sendsText: (reply) => hasSendHooks() || isShownReply(reply),
  };
  const answer = createReading(dependencies, type, sending);
  const answerPlainly =
    answers === undefined ? answer : createRemembering(dependencies, type, { ...sending, answers, answer });
  return (request, reply) => {
    if (!asksForV4(request)) return answerPlainly(request, reply);
    goWholeWay(request.raw);
    return answer(request, reply);
  };
}
