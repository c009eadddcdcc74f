import { fastify as createFastify } from 'fastify';
import { createModuleLoader } from '../config/module-loader.js';
import { providePackages } from '../config/provide-packages.js';
import { createDocumentHooks } from '../documents/hooks.js';
import { createError } from '../errors/catalogue.js';
import { graphqlOptionsOf } from '../api/graphql/graphql-options.js';
import { buildProjectSchema, printSdl } from '../api/graphql/schema/build-schema.js';
import { createLogger } from '../server/logger.js';
import { loadProjectCode } from '../strapi/code/project-code.js';
import { strapiPackages } from '../strapi/package/packages.js';
import { loadExtensions } from './open/extensions.js';
import { createProjectGraphql } from './open/graphql-extension.js';
import type { Project } from './open/open-project.js';

const throwUnavailable = (): never => {
  throw createError('project/unknown-service', { name: 'documents', available: 'graphql.extension' });
};

/**
 * Returns the SDL of a project's GraphQL schema, including extensions of project code. Runs the project's
 * `register` but opens no database.
 *
 * @throws `project/module-load-failed`, `graphql/invalid-extension`, and the errors of project code
 */
export async function printGraphqlSchema(project: Project): Promise<string> {
  const { root, config, model } = project;
  const log = createLogger({ level: config.logLevel, root });
  const onError = (error: unknown): void => log.error({ err: error }, 'A background task failed');
  // Printing a schema opens no database.
  const documents = Object.assign(throwUnavailable, createDocumentHooks({ onError }));
  const graphql = createProjectGraphql({ project, documents, log });
  const { service, policies, middlewares, app: strapi, created } = graphql;
  providePackages(root, strapiPackages(root));
  const loader = createModuleLoader({ root, packages: strapiPackages(root) });
  await loadProjectCode({ root, loader, registries: created.registries });
  const { register } = await loadExtensions(root, loader);
  const fastify = createFastify();
  try {
    await register?.({
      config,
      model,
      log,
      fastify,
      documents,
      graphql: service,
      policies,
      middlewares,
      strapi,
    });
    const options = graphqlOptionsOf(config);
    const schemaOptions = {
      shadowCRUD: options?.shadowCRUD ?? true,
      isLocale: () => true,
      subscriptions: (options?.subscriptions ?? null) !== null,
    };
    return printSdl(await buildProjectSchema(model, schemaOptions, await graphql.createExtension()));
  } finally {
    await fastify.close();
  }
}
