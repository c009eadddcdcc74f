import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ShortAnswer } from '../http/answer-head.js';
import { isLong } from '../http/compressor.js';
import type { Compressor, Encoding } from '../http/compressor.js';
import { noteFailure } from '../http/shortcuts.js';
import { headOf } from '../http/request-head.js';
import type { RequestHead } from '../http/request-head.js';
import type { Shortcut, Shortcuts } from '../http/shortcuts.js';
import { requesterAt } from '../lib/requester.js';
import type { Logger } from './logger.js';
import type { ObserveRequest } from '../telemetry/observer.js';
import { IncomingRequest } from './incoming-request.js';
import { requestIdFrom } from './request-id.js';
import { logFinished } from './request-logger.js';
import type { Routing } from './routing.js';

/** A request on its way to a shortcut. */
interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  readonly sharesTurn: boolean;
  /** When it arrived. */
  readonly start: number;
  /** Lets Fastify answer. */
  readonly goOn: () => void;
}

interface ShortRoutingOptions {
  readonly shortcuts: Shortcuts;
  readonly logger: Logger;
  /** Without it, answers are sent as they are. */
  readonly compressor?: Compressor | undefined;
  /** Told of each request that was answered. */
  readonly onDone?: ObserveRequest | undefined;
}

/** More than the first part of a body that arrives together with the headers. */
const MAX_BODY = 8000;

const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

type Sending = Pick<ShortRoutingOptions, 'logger' | 'compressor' | 'onDone'>;

const sendAs = (
  { request, response, head, start }: Passage,
  { writeHead, label, route }: Shortcut,
  { answer, encoding }: { readonly answer: ShortAnswer; readonly encoding: Encoding | null | undefined },
  { logger, onDone }: Sending,
): void => {
  const requestId = requestIdFrom(head['x-request-id']);
  writeHead(response, answer, { requestId, encoding });
  response.end(answer.body);
  onDone?.({
    raw: request,
    method: request.method ?? '',
    route,
    status: 200,
    ms: performance.now() - start,
  });
  logFinished(logger, requestId, () => ({
    method: request.method ?? '',
    path: pathOf(request.url ?? ''),
    operation: label,
    status: 200,
    ms: Math.round(performance.now() - start),
  }));
};

/** Sends the answer in the form that the client asks for. */
const send = (passage: Passage, shortcut: Shortcut, answer: ShortAnswer, sending: Sending): void => {
  const { compressor } = sending;
  if (compressor === undefined || !isLong(answer.body.length))
    return sendAs(passage, shortcut, { answer, encoding: undefined }, sending);
  const encoding = compressor.encodingFor(passage.head['accept-encoding']);
  if (encoding === null) return sendAs(passage, shortcut, { answer, encoding }, sending);
  const compressed = compressor.compress(answer.body, encoding);
  const finish = (body: Buffer): void =>
    sendAs(passage, shortcut, { answer: { ...answer, body }, encoding }, sending);
  if (compressed instanceof Promise) compressed.then(finish).catch(passage.goOn);
  else finish(compressed);
};

/** Undefined also where it fails, since Fastify then tells why. */
const recall = (
  shortcut: Shortcut,
  { response, head: { authorization }, sharesTurn }: Passage,
): ReturnType<Shortcut['recall']> => {
  try {
    return shortcut.recall({ authorization, requester: requesterAt(response), sharesTurn });
  } catch {
    return undefined;
  }
};

/** Answers by what is remembered, if anything is. */
const answer = (passage: Passage, body: string, options: ShortRoutingOptions): void => {
  const { request, head, goOn } = passage;
  const { method, url } = request;
  const shortcut = options.shortcuts.find({ method, url, body }, head);
  if (shortcut === undefined) {
    goOn();
    return;
  }
  const found = recall(shortcut, passage);
  if (found === undefined) goOn();
  else if (!(found instanceof Promise)) send(passage, shortcut, found, options);
  else {
    const settle = (settled: ShortAnswer | undefined): void => {
      if (settled === undefined) return goOn();
      send(passage, shortcut, settled, options);
    };
    found.then(settle).catch((error: unknown) => {
      noteFailure(request, error);
      goOn();
    });
  }
};

const lengthOf = ({ 'content-length': length, 'transfer-encoding': encoding }: RequestHead): number =>
  length === undefined || encoding !== undefined ? Number.NaN : Number(length);

/** Answers once the body has arrived. */
const answerBody = (passage: Passage, options: ShortRoutingOptions): void => {
  const { request, head, goOn } = passage;
  if (!(request instanceof IncomingRequest)) return goOn();
  request.takeBody(lengthOf(head), (body) => {
    if (body === null) goOn();
    else answer(passage, body.toString(), options);
  });
};

/**
 * Creates what stands in front of Fastify and answers requests that were answered from memory before: with
 * the same headers, as long as what is remembered holds.
 */
export function createShortRouting(fastify: FastifyInstance, options: ShortRoutingOptions): Routing {
  const { shortcuts } = options;
  return (request, response, isPolled) => {
    const goOn = (): void => {
      if (request instanceof IncomingRequest) request.returnBody();
      fastify.routing(request, response);
    };
    const { method, url } = request;
    const isRead = method === 'GET';
    const head =
      (isRead || (method === 'POST' && shortcuts.takesBodies(url))) && !shortcuts.isOff()
        ? headOf(request.rawHeaders)
        : null;
    // Fastify's route finds out what the client knows already, and changes the shape of responses.
    const isPlain = head?.['if-none-match'] === undefined && head?.['strapi-response-format'] === undefined;
    if (head === null || !isPlain) return goOn();
    const passage = { request, response, head, sharesTurn: isPolled, start: performance.now(), goOn };
    if (isRead) answer(passage, '', options);
    else if (lengthOf(head) <= MAX_BODY) answerBody(passage, options);
    else goOn();
  };
}
