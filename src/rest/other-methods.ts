import type { FastifyInstance, HTTPMethods } from 'fastify';
import { fail } from '../errors/catalogue.js';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers 405 on known paths, before a body is read; who asks does not matter. */
export function refuseOtherMethods(fastify: FastifyInstance, url: string, allowed: ReadonlySet<string>): void {
  const others = METHODS.filter((method) => !allowed.has(method));
  const allow = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', ');
  const refuse = async (): Promise<never> => {
    throw fail('request/method-not-allowed');
  };
  fastify.route({
    method: others,
    url,
    onRequest: async (_request, reply) => {
      reply.header('allow', allow);
      return refuse();
    },
    handler: refuse,
  });
}
