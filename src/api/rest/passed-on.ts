import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';

/** A request that project code in front of the routes has passed on. It may have parameters of its own. */
interface PassedOn {
  /** The caller, whose permissions were checked there. Null: the route authenticates. */
  readonly caller: Caller | null;
}

const PASSED_ON = 'passedOn';

/** Declares the property of requests for {@link passOn}, unless an outer plugin has declared it. */
export function decoratePassedOn(fastify: FastifyInstance): void {
  if (!fastify.hasRequestDecorator(PASSED_ON)) fastify.decorateRequest(PASSED_ON, null);
}

export function passOn(request: FastifyRequest, passed: PassedOn): void {
  request.setDecorator(PASSED_ON, passed);
}

/** Null: no project code has passed the request on. */
export function passedOnOf(request: FastifyRequest): PassedOn | null {
  return request.getDecorator<PassedOn | null>(PASSED_ON);
}
