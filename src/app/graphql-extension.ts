import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createError } from '../errors/catalogue.js';
import type { ProjectDocuments } from '../documents/repository/project-documents.js';
import type { Application, GraphqlExtensionService } from '../graphql/extension/configuration.js';
import { createSchemaExtension } from '../graphql/extension/create-schema-extension.js';
import { createExtensionService } from '../graphql/extension/extension-service.js';
import type { SchemaExtension } from '../graphql/schema/switches.js';
import type { Logger } from '../server/logger.js';
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

const pathInFrame = (frame: string): string | undefined => {
  const location = /\(?((?:file:\/\/)?\/?[^()\s][^()]*?):\d+:\d+\)?$/.exec(
    frame.trim().replace(/^at (?:.*\()?/, ''),
  )?.[1];
  return location?.startsWith('file://') === true ? fileURLToPath(location) : location;
};

/**
 * Returns the path of the project file that is running. Returns `src/index` if the stack does not contain
 * one.
 */
const createSourceLocator = (root: string) => (): string => {
  const sources = join(root, 'src') + sep;
  const file = (new Error('here').stack ?? '')
    .split('\n')
    .map(pathInFrame)
    .find((path) => path?.startsWith(sources) === true);
  return file === undefined ? 'src/index' : relative(root, file).split(sep).join('/');
};

const createPluginAccessor =
  (service: GraphqlExtensionService): Application['plugin'] =>
  (name) => ({
    service: (serviceName) => {
      if (name === 'graphql' && serviceName === 'extension') return service;
      throw createError('project/unknown-service', { name: `${name}.${serviceName}` });
    },
  });

/** Creates the GraphQL extension service of one app, with its policies and middlewares. */
export function createProjectGraphql({
  project: { root, model, config },
  documents,
  log,
}: ProjectGraphqlDependencies): ProjectGraphql {
  const calls = createExtensionService(model, createSourceLocator(root));
  const app: Application = Object.freeze<Application>({
    config,
    model,
    log,
    documents,
    contentType: (uid) => (Object.hasOwn(model.typesByUid, uid) ? model.typesByUid[uid] : undefined),
    contentTypes: model.typesByUid,
    plugin: createPluginAccessor(calls.service),
  });
  const [policies, middlewares] = [createNamedCode(root, 'policies'), createNamedCode(root, 'middlewares')];
  return {
    service: calls.service,
    app,
    policies,
    middlewares,
    extension: createSchemaExtension({ registrations: calls, app, code: { policies, middlewares } }),
  };
}
