import type { FastifyPluginAsync } from 'fastify';
import type { StrapiContext } from '../context.js';

/** Creates the routes of a project's routers. None where it has no router of its own. */
export function createHttpPlugins(_context: StrapiContext): readonly FastifyPluginAsync[] {
  return [];
}
