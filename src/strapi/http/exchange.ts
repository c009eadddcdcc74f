import { Readable, Stream } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
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

/** Headers of the transfer, which Fastify computes. */
const COMPUTED_HEADERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/** Moves headers to the response of Node.js, where Koa writes them. Fastify stores them until it sends. */
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
  // Streams of packages often come from other implementations that inherit from Node's.
  if (typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Stream) return body;
  return JSON.stringify(body);
};

/**
 * Returns the payload that Koa would send. If project code has only set a status, it is the text of the
 * status, unless the status has no body.
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
  // An unhandled rejection would end the process if project code does not await `next`.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
};

interface ExchangeOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Continues the request in Fastify. */
  readonly proceed: () => void;
  /** The path parameters of the route in the project's table. Null if no route there matches the request. */
  readonly params: Readonly<Record<string, string>> | null;
  /** True if there are middlewares around all requests. */
  readonly isWrapped: boolean;
  /** Runs after the middlewares around all requests. */
  readonly last: Middleware;
}

/** The types of bodies that the server and project code parse alike. */
const READ_BY_BOTH = ['json', '+json', 'urlencoded'];

/**
 * One request that passes through Koa's middlewares and Fastify. Middlewares run before the route. When they
 * call `next`, Fastify continues, and its response is shown to them before it is sent.
 */
export class Exchange {
  readonly context: Context;
  readonly request: FastifyRequest;
  readonly isWrapped: boolean;
  readonly last: Middleware;
  /** The method and the path before middlewares change them. */
  readonly received: Readonly<Pick<Context, 'method' | 'path'>>;
  readonly #reply: FastifyReply;
  readonly #proceed: () => void;
  readonly #params: ExchangeOptions['params'];
  #downstream: Downstream | null = null;
  #finished: Promise<void> = Promise.resolve();
  #error: unknown = undefined;
  #isSent = false;
  #isMissing = false;
  /** The body that was read before Fastify could read it. */
  bytes: Buffer | null = null;

  constructor(context: Context, { request, reply, proceed, params, isWrapped, last }: ExchangeOptions) {
    this.context = context;
    this.request = request;
    this.isWrapped = isWrapped;
    this.last = last;
    this.received = { method: context.method, path: context.path };
    this.#reply = reply;
    this.#proceed = proceed;
    this.#params = params;
  }

  /**
   * True if the request's route is in the project's table, so that the table's reader also reads files. Other
   * routes, such as uploads, read them themselves.
   */
  get takesFiles(): boolean {
    return this.#params !== null;
  }

  /** Runs the middlewares. Sends their response unless they call `next`. */
  start(run: () => Promise<unknown>): void {
    moveHeadersToKoa(this.#reply);
    this.context.res.statusCode = 404;
    // Starts asynchronously, so that `#finished` is set when Fastify sends something synchronously.
    this.#finished = this.#run(run);
  }

  /** Continues the request in Fastify. Settles when Fastify is about to send a response. */
  async passOn(): Promise<void> {
    const query = changedQueryString(this.context);
    if (query !== null) this.context.request.querystring = query;
    this.#passParams();
    this.#passBody();
    moveHeadersFromKoa(this.#reply, false);
    Object.assign(this.#reply.raw, { statusCode: 200, statusMessage: '' });
    this.#downstream = createDownstream();
    this.request.raw.socket.once('close', this.#downstream.resolve);
    this.#proceed();
    return this.#downstream.promise;
  }

  /**
   * Passes on path parameters that project code has changed. Their names may differ between the routers, but
   * their order is the same.
   */
  #passParams(): void {
    const names = Object.keys(this.#params ?? {});
    const params = this.request.params as Record<string, unknown>;
    for (const [index, name] of Object.keys(params).entries()) {
      const known = names[index] ?? '';
      const given = this.context.params?.[known];
      if (given !== undefined && given !== this.#params?.[known]) params[name] = String(given);
    }
  }

  /**
   * Passes on a body as JSON that project code has parsed and the server does not parse, such as a form with
   * files.
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
   * Records an error that Fastify responds to. Koa's middlewares see it thrown, except errors for which
   * Strapi sends a response without throwing: not found, and not authorized.
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

  /** True if middlewares must see the response that Fastify sends. */
  get isPassedOn(): boolean {
    return this.#downstream !== null && !this.#isSent;
  }

  /**
   * Shows middlewares the response that Fastify is about to send, and returns the payload to send once they
   * have finished.
   */
  async show(sent: unknown): Promise<unknown> {
    this.#isSent = true;
    const reply = this.#reply;
    const { context } = this;
    moveHeadersToKoa(reply);
    const isJson = String(reply.raw.getHeader('content-type') ?? '').includes('json');
    // Long responses of the core are streams.
    const payload = isJson && sent instanceof Readable ? await readText(sent) : sent;
    setFastifyResponse(context, { payload, isJson, isMissing: this.#isMissing }, reply.statusCode);
    this.request.raw.socket.removeListener('close', this.#downstream?.resolve ?? (() => undefined));
    if (this.#error === undefined) this.#downstream?.resolve();
    else this.#downstream?.reject(this.#error);
    await this.#finished;
    const response = fastifyResponseOf(context);
    const isUnread = response !== undefined && response.parsed === undefined;
    const changed = response === undefined ? payloadOf(context) : toPayload(response.parsed);
    moveHeadersFromKoa(reply, isUnread);
    reply.code(context.res.statusCode);
    if (isUnread) return payload;
    if (response !== undefined) reply.removeHeader('etag');
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
