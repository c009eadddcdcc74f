import type { ProjectDocuments } from '../../documents/repository/project-documents.js';
import type { GraphqlExtensionService } from '../../api/graphql/extension/configuration.js';
import { createSchemaExtension } from '../../api/graphql/extension/create-schema-extension.js';
import { createExtensionService } from '../../api/graphql/extension/extension-service.js';
import type { SchemaExtension } from '../../api/graphql/schema/switches.js';
import { findSource } from '../../lib/source-location.js';
import type { Logger } from '../../server/logger.js';
import { configurationValues } from '../../strapi/configuration/configuration-values.js';
import { createStrapi } from '../../strapi/create-strapi.js';
import type { CreatedStrapi } from '../../strapi/create-strapi.js';
import type { Strapi } from '../../strapi/strapi.js';
import type { Project } from '../open-project.js';
import { createNamedCode } from '../project-named-code.js';
import type { ProjectNamedCode } from '../project-named-code.js';

/** The GraphQL extensions of a project. `register` adds to them; the schema is built from them afterwards. */
export interface ProjectGraphql {
  readonly service: GraphqlExtensionService;
  /** The application, as resolvers and all other project code get it. */
  readonly app: Strapi;
  readonly created: Omit<CreatedStrapi, 'strapi'>;
  readonly policies: ProjectNamedCode;
  readonly middlewares: ProjectNamedCode;
  readonly extension: SchemaExtension;
}

export interface ProjectGraphqlDependencies {
  readonly project: Project;
  readonly documents: ProjectDocuments;
  readonly log: Logger;
}

/** Returns the project file that is running, with its line. `src/index` if the stack does not contain one. */
const createSourceLocator = (root: string) => (): string =>
  findSource(root, new Error('here')) ?? 'src/index';

/** Creates `strapi` and the GraphQL extension service of one app, with its policies and middlewares. */
export function createProjectGraphql({
  project: { root, model, config, strapiConfig },
  documents,
  log,
}: ProjectGraphqlDependencies): ProjectGraphql {
  const calls = createExtensionService(model, createSourceLocator(root));
  const { strapi: app, ...created } = createStrapi({
    config,
    model,
    log,
    documents,
    graphql: calls.service,
    values: configurationValues(config, strapiConfig.values),
  });
  const policies = createNamedCode(created.registries.policies);
  const middlewares = createNamedCode(created.registries.middlewares);
  return {
    service: calls.service,
    app,
    created,
    policies,
    middlewares,
    extension: createSchemaExtension({
      registrations: calls,
      app,
      code: { policies, middlewares },
      warn: (message) => log.warn(message),
    }),
  };
}
