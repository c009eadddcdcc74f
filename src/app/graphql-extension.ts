import type { ProjectDocuments } from '../documents/repository/project-documents.js';
import type { Application, GraphqlExtensionService } from '../graphql/extension/configuration.js';
import { createSchemaExtension } from '../graphql/extension/create-schema-extension.js';
import { createExtensionService } from '../graphql/extension/extension-service.js';
import type { SchemaExtension } from '../graphql/schema/switches.js';
import { findSource } from '../lib/source-location.js';
import type { Logger } from '../server/logger.js';
import { createApplication } from './create-application.js';
import type { Project } from './open-project.js';
import { createNamedCode } from './project-named-code.js';
import type { ProjectNamedCode } from './project-named-code.js';

/** The GraphQL extensions of a project. `register` adds to them; the schema is built from them afterwards. */
export interface ProjectGraphql {
  readonly service: GraphqlExtensionService;
  readonly app: Application;
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

/** Creates the GraphQL extension service of one app, with its policies and middlewares. */
export function createProjectGraphql({
  project: { root, model, config },
  documents,
  log,
}: ProjectGraphqlDependencies): ProjectGraphql {
  const calls = createExtensionService(model, createSourceLocator(root));
  const app = createApplication({ config, model, log, documents, graphql: calls.service });
  const [policies, middlewares] = [createNamedCode(root, 'policies'), createNamedCode(root, 'middlewares')];
  return {
    service: calls.service,
    app,
    policies,
    middlewares,
    extension: createSchemaExtension({ registrations: calls, app, code: { policies, middlewares } }),
  };
}
