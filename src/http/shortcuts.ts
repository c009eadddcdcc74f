import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { requestLabelOf } from '../lib/request-labels.js';
import type { Requester } from '../lib/requester.js';
import { createWriteHead } from './answer-head.js';
import type { ShortAnswer, WriteHead } from './answer-head.js';
import { headOf } from './request-head.js';
import type { RequestHead } from './request-head.js';

const MAX_REQUESTS = 1000;

/** Clients that send the same request with other credentials, or from other origins. */
const MAX_VARIANTS = 8;

/** Longer requests are rarely repeated. */
const MAX_LENGTH = 4000;

/** Who asks, and how much was looked at for other requests. */
interface ShortRequest {
  readonly authorization: string | undefined;
  /** Who waits for the answer. */
  readonly requester: Requester;
  /** Whether what was found out since the event loop last waited serves this request, too. */
  readonly sharesTurn: boolean;
}

/** Returns an answer, or undefined where the request has to go its whole way. */
export type Recall = (request: ShortRequest) => ShortAnswer | undefined | Promise<ShortAnswer | undefined>;

/** How a request is answered again that was answered by Fastify before. */
export interface Shortcut {
  readonly recall: Recall;
  /** What the log says about the request besides its method and path. */
  readonly label: string | undefined;
  /** The pattern of the route that answered before. */
  readonly route: string;
  readonly writeHead: WriteHead;
}

interface KnownShortcut extends Shortcut {
  readonly text: RequestText;
  readonly head: RequestHead;
}

/** What identifies a request besides its headers. */
interface RequestText {
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** Empty without one. */
  readonly body: string;
}

/** Ways to answer repeated requests before Fastify sees them. */
export interface Shortcuts {
  /** Keeps what Fastify is about to send. To be called when all headers are set. */
  readonly learn: (reply: FastifyReply, taught: { readonly body: string; readonly recall: Recall }) => void;
  readonly find: (text: RequestText, head: RequestHead) => Shortcut | undefined;
  /** Whether requests with bodies are known at the address. */
  readonly takesBodies: (url: string | undefined) => boolean;
  /** Whether nothing may be answered shortly, since project code may look at any request. */
  readonly isOff: () => boolean;
}

const wholeRequests = new WeakSet<IncomingMessage>();

/** Notes that project code is concerned by a request, which therefore has to go its whole way. */
export function goWholeWay(request: IncomingMessage): void {
  wholeRequests.add(request);
}

const failures = new WeakMap<IncomingMessage, { readonly error: unknown }>();

/** Notes why a request could not be answered, so that Fastify tells it without trying again. */
export function noteFailure(request: IncomingMessage, error: unknown): void {
  failures.set(request, { error });
}

/** Throws what was noted of a request, if anything was. */
export function throwFailure(request: IncomingMessage): void {
  const failure = failures.get(request);
  if (failure !== undefined) throw failure.error;
}

/** What tells most requests apart. To join all would take longer than to compare the few that share it. */
const keyOf = ({ url = '', body }: RequestText): string => (body === '' ? url : body);

const isSameText = (known: RequestText, { method, url, body }: RequestText): boolean =>
  known.method === method && known.url === url && known.body === body;

/** Other headers decide about no answer. */
const isSameHead = (known: RequestHead, head: RequestHead): boolean =>
  known.authorization === head.authorization &&
  known.origin === head.origin &&
  known.accept === head.accept &&
  known['content-type'] === head['content-type'];

/** @param isOff see {@link Shortcuts.isOff} */
export function createShortcuts(isOff: () => boolean): Shortcuts {
  const known = new LRUCache<string, KnownShortcut[]>({ max: MAX_REQUESTS });
  // Most requests never come again.
  const seen = new LRUCache<string, true>({ max: MAX_REQUESTS });
  const urlsWithBody = new Set<string | undefined>();
  return {
    isOff,
    takesBodies: (url) => urlsWithBody.has(url),
    find: (text, head) =>
      known.get(keyOf(text))?.find((each) => isSameText(each.text, text) && isSameHead(each.head, head)),
    learn: (reply, { body, recall }) => {
      const { request } = reply;
      const { method, url, rawHeaders } = request.raw;
      if (isOff() || method === 'HEAD' || wholeRequests.has(request.raw)) return;
      const text = { method, url, body };
      const key = keyOf(text);
      if (!seen.has(key)) return void seen.set(key, true);
      const [head, writeHead] = [headOf(rawHeaders), createWriteHead(reply.getHeaders())];
      if (head === null || writeHead === null || key.length > MAX_LENGTH) return;
      const { url: route = '' } = request.routeOptions;
      const isOther = (each: KnownShortcut): boolean =>
        !isSameText(each.text, text) || !isSameHead(each.head, head);
      const others = known.get(key)?.filter(isOther) ?? [];
      const added = { text, head, recall, label: requestLabelOf(request), route, writeHead };
      known.set(key, [added, ...others.slice(0, MAX_VARIANTS - 1)]);
      if (body !== '') urlsWithBody.add(url);
    },
  };
}
