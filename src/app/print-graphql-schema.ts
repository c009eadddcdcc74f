import { fastify as createFastify } from 'fastify';
import { createDocumentHooks } from '../documents/hooks.js';
import type { DocumentService } from '../documents/documents.js';
import { fail } from '../errors/catalogue.js';
import { graphqlOptionsOf } from '../graphql/graphql-options.js';
import { buildProjectSchema } from '../graphql/schema/build-project-schema.js';
import { printSdl } from '../graphql/schema/build-schema.js';
import { createLogger } from '../server/logger.js';
import { loadExtensions } from './extensions.js';
import { createProjectGraphql } from './graphql-extension.js';
import type { Project } from './open-project.js';

const closed = (): never => {
  throw fail('project/no-such-service', { name: 'documents' });
};

/** There is no database while a schema is printed. */
const NO_DOCUMENTS = new Proxy({}, { get: closed }) as DocumentService;

/**
 * The SDL of a project's GraphQL schema, its own extensions included. Runs what `register` does, and opens no database.
 *
 * @throws `project/broken-entry`, `graphql/broken-extension`, and whatever the project's own code throws
 */
export async function printGraphqlSchema(project: Project): Promise<string> {
  const { root, config, model } = project;
  const log = createLogger({ level: config.logLevel });
  const { register } = await loadExtensions(root);
  const graphql = createProjectGraphql({ project, documents: NO_DOCUMENTS, defaultLocale: () => config.i18n.defaultLocale, log });
  const { service, policies, middlewares, app: strapi } = graphql;
  const fastify = createFastify();
  try {
    const documents = createDocumentHooks({ onError: (error) => log.error({ err: error }, 'in the background') });
    await register?.({ config, model, log, fastify, documents, graphql: service, policies, middlewares, strapi });
    const options = graphqlOptionsOf(config);
    const parts = { shadowCRUD: options?.shadowCRUD ?? true, isLocale: () => true, subscriptions: (options?.subscriptions ?? null) !== null };
    return printSdl(await buildProjectSchema(model, parts, graphql.extension));
  } finally {
    await fastify.close();
  }
}
