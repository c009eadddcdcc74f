import type { FastifyReply, FastifyRequest } from 'fastify';
import qs from 'qs';
import type { Access, Caller } from '../../../access/access.js';
import type { Handler } from '../../../api/rest/rest-dependencies.js';

/** The part of Koa's context that is read and written. */
export interface BridgedContext {
  status: number;
  body: unknown;
  query: Readonly<Record<string, unknown>>;
  params?: Readonly<Record<string, string>>;
  readonly path: string;
  readonly req: { readonly headers: { readonly authorization?: string | undefined } };
  readonly request: { body?: unknown; ip: string };
  readonly state: { readonly auth?: { readonly caller?: Caller | undefined } };
  set(name: string, value: string): void;
  redirect(url: string): void;
}

/** A controller's action as code written for Strapi calls it. */
export type Action = (context: BridgedContext) => Promise<void>;

const requestOf = (context: BridgedContext, caller: Caller): FastifyRequest => {
  const query = qs.stringify(context.query, { strictNullHandling: true });
  const request = {
    url: `${context.path}${query === '' ? '' : `?${query}`}`,
    params: context.params ?? {},
    body: context.request.body,
    headers: context.req.headers,
    ip: context.request.ip,
    getDecorator: () => caller,
  };
  // Handlers of accounts look at nothing else.
  return request as unknown as FastifyRequest;
};

const parseBody = (payload: unknown): unknown => {
  if (typeof payload !== 'string') return payload;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return payload;
  }
};

/** Gives the context what a handler sends, so that code around it can read and change it. */
const replyTo = (context: BridgedContext): FastifyReply => {
  const reply = {
    code: (status: number) => {
      context.status = status;
      return reply;
    },
    header: (name: string, value: unknown) => {
      context.set(name, String(value));
      return reply;
    },
    send: (payload: unknown) => {
      const { status } = context;
      context.body = parseBody(payload);
      context.status = status;
      return reply;
    },
    redirect: (url: string, status: number) => {
      context.redirect(url);
      context.status = status;
      return reply;
    },
  };
  return reply as unknown as FastifyReply;
};

/** Turns a handler of Fastify's into an action of a controller. */
export function toAction(access: Access, handler: Handler): Action {
  return async (context) => {
    const caller =
      context.state.auth?.caller ?? (await access.authenticate(context.req.headers.authorization));
    await handler(requestOf(context, caller), replyTo(context));
  };
}
