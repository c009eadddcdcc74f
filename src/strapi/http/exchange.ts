import { Readable, Stream } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isGalleyError } from '../../errors/galley-error.js';
import type { Context, Middleware } from './context.js';
import {
  fastifyResponseOf,
  changedQueryString,
  errorResponse,
  hasExplicitNullBody,
  hasResponse,
  setFastifyResponse,
} from './koa-app.js';
import { METHODS_WITHOUT_BODY } from './request-body.js';

/** The payload of a response: text, bytes, a stream, or nothing. */
type Payload = string | Buffer | Stream | null;

const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

const RESPONSE_KINDS: ReadonlySet<string> = new Set([
  'not-found',
  'unauthorized',
  'forbidden',
  'method-not-allowed',
]);

/** Headers that say how a response is sent are Fastify's to compute. */
const COMPUTED_HEADERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/** Koa writes headers to the connection's response; Fastify keeps its own until it sends them. */
const moveHeadersToKoa = (reply: FastifyReply): void => {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    reply.removeHeader(name);
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
};

const moveHeadersFromKoa = (reply: FastifyReply, keepsLength: boolean): void => {
  for (const [name, value] of Object.entries(reply.raw.getHeaders())) {
    reply.raw.removeHeader(name);
    if (value !== undefined && (keepsLength || !COMPUTED_HEADERS.has(name))) reply.header(name, value);
  }
};

const toPayload = (body: unknown): Payload => {
  // Streams of packages are often not those of Node.js, which they inherit from nevertheless.
  if (typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Stream) return body;
  return JSON.stringify(body);
};

/**
 * Returns the payload that Koa would send for a context. If project code has set only a status, that is the
 * text of the status, unless the status has no body.
 */
const payloadOf = (context: Context): Payload => {
  const { body, method, status, message } = context;
  if (EMPTY_STATUSES.has(status)) return null;
  if ((body ?? null) !== null) return toPayload(body);
  if (method === 'HEAD' || hasExplicitNullBody(context)) return null;
  context.type = 'text';
  return message || String(status);
};

interface Downstream {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const createDownstream = (): Downstream => {
  let resolve = (): void => undefined;
  let reject: Downstream['reject'] = () => undefined;
  const promise = new Promise<void>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  // Project code that does not wait for the rest must not end the process.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
};

interface ExchangeOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Lets Fastify go on with the request. */
  readonly goOn: () => void;
  /** The parameters of the path in the project's table of routes. Null: no route there takes the request. */
  readonly params: Readonly<Record<string, string>> | null;
  /** Runs behind the middlewares around all requests. */
  readonly last: Middleware;
}

/** Bodies that the server reads as project code does. */
const READ_BY_BOTH = ['json', '+json', 'urlencoded'];

/**
 * One request on its way through code written for Koa and through Fastify. Koa's middlewares run in front of
 * the route; where they call `next`, Fastify goes on, and what it is about to send is shown to them before it
 * is sent.
 */
export class Exchange {
  readonly context: Context;
  readonly request: FastifyRequest;
  readonly last: Middleware;
  readonly #reply: FastifyReply;
  readonly #goOn: () => void;
  readonly #params: ExchangeOptions['params'];
  #downstream: Downstream | null = null;
  #finished: Promise<void> = Promise.resolve();
  #error: unknown = undefined;
  #isSent = false;
  #isMissing = false;
  /** The body that was read before Fastify could read it. */
  bytes: Buffer | null = null;

  constructor(context: Context, { request, reply, goOn, params, last }: ExchangeOptions) {
    this.context = context;
    this.request = request;
    this.last = last;
    this.#reply = reply;
    this.#goOn = goOn;
    this.#params = params;
  }

  /** True if the body's files are read for a route of the table. Others, such as uploads, read them alone. */
  get takesFiles(): boolean {
    return this.#params !== null;
  }

  /** Runs the middlewares. Answers by itself unless they call `next`. */
  start(run: () => Promise<unknown>): void {
    moveHeadersToKoa(this.#reply);
    this.context.res.statusCode = 404;
    // Begins later, so that what Fastify sends at once finds something to wait for.
    this.#finished = this.#run(run);
  }

  /** Lets Fastify go on with the request. Settles when it is about to send a response. */
  async passOn(): Promise<void> {
    const query = changedQueryString(this.context);
    if (query !== null) this.context.request.querystring = query;
    this.#passParams();
    this.#passBody();
    moveHeadersFromKoa(this.#reply, false);
    Object.assign(this.#reply.raw, { statusCode: 200, statusMessage: '' });
    this.#downstream = createDownstream();
    this.request.raw.socket.once('close', this.#downstream.resolve);
    this.#goOn();
    return this.#downstream.promise;
  }

  /** Parameters of the path that project code has changed. Names differ, and the order is the same. */
  #passParams(): void {
    const names = Object.keys(this.#params ?? {});
    const own = this.request.params as Record<string, unknown>;
    for (const [index, name] of Object.keys(own).entries()) {
      const known = names[index] ?? '';
      const given = this.context.params?.[known];
      if (given !== undefined && given !== this.#params?.[known]) own[name] = String(given);
    }
  }

  /**
   * Passes on, as JSON, a body that project code has parsed and that the server does not read, such as a form
   * with files.
   */
  #passBody(): void {
    const { request, req } = this.context;
    const { body, files } = request;
    const isRead = this.bytes !== null && Boolean(request.is(READ_BY_BOTH));
    if (typeof body !== 'object' || body === null || isRead || METHODS_WITHOUT_BODY.has(req.method ?? 'GET'))
      return;
    if (files === undefined && Object.keys(body).length === 0) return;
    this.bytes = Buffer.from(JSON.stringify(body));
    delete req.headers['transfer-encoding'];
    Object.assign(req.headers, {
      'content-type': 'application/json',
      'content-length': String(this.bytes.length),
    });
  }

  /**
   * The error that Fastify answers. Koa's middlewares see it thrown, unless it is one that Strapi does not
   * throw but answers: that there is nothing, or that the caller may not have it.
   */
  failed(error: unknown): void {
    if (isGalleyError(error) && RESPONSE_KINDS.has(error.kind)) {
      this.#isMissing = error.kind === 'not-found';
      return;
    }
    this.#error = error;
    // Koa's errors have a status, Fastify's a code.
    if (error instanceof Error && 'statusCode' in error && !('status' in error))
      Object.assign(error, { status: error.statusCode });
  }

  /** True if Fastify is to show what it sends. */
  get isPassedOn(): boolean {
    return this.#downstream !== null && !this.#isSent;
  }

  /** Shows middlewares what Fastify is about to send, and returns what is sent once they are done. */
  async show(sent: unknown): Promise<unknown> {
    this.#isSent = true;
    const reply = this.#reply;
    const { context } = this;
    moveHeadersToKoa(reply);
    const isJson = String(reply.raw.getHeader('content-type') ?? '').includes('json');
    // Long responses of the core are sent in parts.
    const payload = isJson && sent instanceof Readable ? await textOf(sent) : sent;
    setFastifyResponse(context, { payload, isJson, isMissing: this.#isMissing }, reply.statusCode);
    this.request.raw.socket.removeListener('close', this.#downstream?.resolve ?? (() => undefined));
    if (this.#error === undefined) this.#downstream?.resolve();
    else this.#downstream?.reject(this.#error);
    await this.#finished;
    const answer = fastifyResponseOf(context);
    const isUnread = answer !== undefined && answer.parsed === undefined;
    const changed = answer === undefined ? payloadOf(context) : toPayload(answer.parsed);
    moveHeadersFromKoa(reply, isUnread);
    reply.code(context.res.statusCode);
    if (isUnread) return payload;
    if (answer !== undefined) reply.removeHeader('etag');
    return changed;
  }

  async #run(run: () => Promise<unknown>): Promise<void> {
    await Promise.resolve();
    try {
      await run();
      if (this.#downstream === null) this.#send();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const isShown = error === this.#error && this.#error !== undefined;
    if (isShown) return;
    const { status, body, isUnexpected } = errorResponse(error);
    if (isUnexpected) this.request.log.error({ err: error }, 'Code of the project failed');
    this.context.status = status;
    this.context.body = body;
    if (this.#downstream === null) this.#send();
  }

  #send(): void {
    const reply = this.#reply;
    const { context } = this;
    this.#isSent = true;
    if (context.respond === false || reply.raw.headersSent) {
      reply.hijack();
      return;
    }
    if (!hasResponse(context)) context.notFound();
    const payload = payloadOf(context);
    moveHeadersFromKoa(reply, payload instanceof Stream || context.method === 'HEAD');
    reply.code(context.res.statusCode);
    if (payload === null) reply.removeHeader('content-type');
    void (payload === null ? reply.send() : reply.send(payload));
  }
}
