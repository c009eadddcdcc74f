import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../errors/catalogue.js';
import type { DocumentService } from '../documents/documents.js';
import type { Application, GraphqlExtensionService } from '../graphql/extension/configuration.js';
import { createSchemaExtension } from '../graphql/extension/create-schema-extension.js';
import { createExtensionService } from '../graphql/extension/extension-service.js';
import { createTypeDocuments } from '../graphql/extension/type-documents.js';
import type { SchemaExtension } from '../graphql/schema/switches.js';
import type { Logger } from '../server/logger.js';
import type { Project } from './open-project.js';
import { createNamedCode } from './project-code.js';
import type { ProjectNamedCode } from './project-code.js';

/** What a project's code makes of GraphQL: filled by `register`, read when the schema is built. */
export interface ProjectGraphql {
  readonly service: GraphqlExtensionService;
  readonly app: Application;
  readonly policies: ProjectNamedCode;
  readonly middlewares: ProjectNamedCode;
  readonly extension: SchemaExtension;
}

export interface ProjectGraphqlParts {
  readonly project: Project;
  readonly documents: DocumentService;
  readonly defaultLocale: () => string;
  readonly log: Logger;
}

const pathOf = (frame: string): string | undefined => {
  const place = /\(?((?:file:\/\/)?\/?[^()\s][^()]*?):\d+:\d+\)?$/.exec(frame.trim().replace(/^at (?:.*\()?/, ''))?.[1];
  return place?.startsWith('file://') === true ? fileURLToPath(place) : place;
};

/** The file of the project whose code is running, `src/index.ts` where that cannot be told. */
const locateIn = (root: string) => (): string => {
  const sources = join(root, 'src') + sep;
  const file = (new Error('here').stack ?? '').split('\n').map(pathOf).find((path) => path?.startsWith(sources) === true);
  return file === undefined ? 'src/index' : relative(root, file).split(sep).join('/');
};

const pluginOf = (service: GraphqlExtensionService): Application['plugin'] => (name) => ({
  service: (wanted) => {
    if (name === 'graphql' && wanted === 'extension') return service;
    throw fail('project/no-such-service', { name: `${name}.${wanted}` });
  },
});

/** The extension service of one app, with everything that what is given to it may need. */
export function createProjectGraphql({ project: { root, model, config }, documents, defaultLocale, log }: ProjectGraphqlParts): ProjectGraphql {
  const calls = createExtensionService(model, locateIn(root));
  const app: Application = Object.freeze<Application>({
    config, model, log,
    documents: (uid) => createTypeDocuments({ model, documents, defaultLocale }, uid),
    contentType: (uid) => (Object.hasOwn(model.typesByUid, uid) ? model.typesByUid[uid] : undefined),
    contentTypes: model.typesByUid,
    plugin: pluginOf(calls.service),
  });
  const [policies, middlewares] = [createNamedCode(root, 'policies'), createNamedCode(root, 'middlewares')];
  return { service: calls.service, app, policies, middlewares, extension: createSchemaExtension({ calls, app, code: { policies, middlewares } }) };
}
