import { basename } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { servesDocs } from '../config/serves-docs.js';
import type { OwnRoute } from '../api/openapi/create-document.js';
import { createReferencePlugin } from '../server/reference/reference-plugin.js';
import type { Project } from './open-project.js';
import { createOpenapiDocument } from './openapi-document.js';

/** Returns the plugin of the API's reference, where the project wants one. */
export function createReferencePlugins(
  project: Project,
  ownRoutes: () => readonly OwnRoute[],
): readonly FastifyPluginAsync[] {
  const { config, root } = project;
  if (!servesDocs(config)) return [];
  return [
    createReferencePlugin({
      prefix: config.api.rest.prefix,
      title: basename(root),
      createDocument: () => createOpenapiDocument(project, ownRoutes()),
    }),
  ];
}
