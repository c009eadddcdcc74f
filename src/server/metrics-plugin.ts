import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { MetricsConfig } from '../config/metrics-setting.js';
import { createError } from '../errors/catalogue.js';
import type { Metrics } from './telemetry/metrics.js';

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Creates the plugin that gives the figures of the server to whoever has the token, if there is one. */
export function createMetricsPlugin({ path, token }: MetricsConfig, metrics: Metrics): FastifyPluginAsync {
  const expected = digestOf(`Bearer ${token}`);
  return async (fastify) => {
    fastify.get(path, { logLevel: 'silent' }, async (request, reply) => {
      const { authorization = '' } = request.headers;
      if (token !== '' && !timingSafeEqual(digestOf(authorization), expected))
        throw createError('request/unauthorized');
      const { type, text } = await metrics.print();
      return reply.header('content-type', type).header('cache-control', 'no-store').send(text);
    });
  };
}
