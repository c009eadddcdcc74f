import { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onErrorHookHandler,
  onRequestHookHandler,
  onSendHookHandler,
  preParsingHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { decoratePassedOn } from '../../api/rest/guard.js';
import type { Context } from './context.js';
import type { Exchange } from './exchange.js';
import { hasTextBody } from './request-body.js';

const EXCHANGE = 'strapiExchange';

/** Handles requests in project code. `open` returns null if no project code handles the request. */
export interface RequestHandling {
  readonly open: (request: FastifyRequest, reply: FastifyReply, proceed: () => void) => Exchange | null;
  /** Runs the project's middlewares and handler of a request. */
  readonly start: (exchange: Exchange) => void;
  /** Continues a request so that project code can get its context. */
  readonly within: (request: FastifyRequest, reply: FastifyReply, proceed: () => void) => void;
}

const exchangeOf = (request: FastifyRequest): Exchange | null =>
  request.getDecorator<Exchange | null>(EXCHANGE);

const bodyOf = (context: Context): unknown => context.request.body;

const showPayload = async (
  exchange: Exchange,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): Promise<void> => {
  let shown: unknown;
  try {
    shown = await exchange.show(payload);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, shown);
};

const showResponse: onSendHookHandler = (request, _reply, payload, done) => {
  const exchange = exchangeOf(request);
  if (exchange === null || !exchange.isPassedOn) done(null, payload);
  else void showPayload(exchange, payload, done);
};

const passBytes: preParsingHookHandler = (request, _reply, payload, done) => {
  const bytes = exchangeOf(request)?.bytes ?? null;
  done(null, bytes === null ? payload : Readable.from([bytes], { objectMode: false }));
};

const passBody: preValidationHookHandler = (request, _reply, done) => {
  const exchange = exchangeOf(request);
  if (exchange !== null && exchange.bytes !== null && hasTextBody(request.raw))
    request.body = bodyOf(exchange.context);
  done();
};

const passError: onErrorHookHandler = (request, _reply, error, done) => {
  exchangeOf(request)?.failed(error);
  done();
};

/** Connects the project's HTTP code to Fastify by hooks, which cost other requests almost nothing. */
export function attachToFastify(fastify: FastifyInstance, handling: RequestHandling): void {
  const open: onRequestHookHandler = (request, reply, done) => {
    const exchange = handling.open(request, reply, done);
    if (exchange === null) {
      handling.within(request, reply, done);
      return;
    }
    request.setDecorator(EXCHANGE, exchange);
    handling.start(exchange);
  };
  fastify.decorateRequest(EXCHANGE, null);
  decoratePassedOn(fastify);
  fastify.addHook('onRequest', open);
  fastify.addHook('preParsing', passBytes);
  fastify.addHook('preValidation', passBody);
  fastify.addHook('onError', passError);
  fastify.addHook('onSend', showResponse);
}
