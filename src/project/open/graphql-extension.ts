import type { NamedCode, NamedCodeRegistry } from '../../api/graphql/extension/bind-rules.js';
import type { GraphqlExtensionService } from '../../api/graphql/extension/configuration.js';
import { createExtensionService } from '../../api/graphql/extension/evaluate-extensions.js';
import type { SchemaExtension } from '../../api/graphql/schema/type-registry.js';
import type { ProjectDocuments } from '../../documents/create-repository.js';
import { findSource } from '../../lib/caught-errors.js';
import type { Logger } from '../../server/logger.js';
import { configurationValues } from '../../strapi/configuration.js';
import type { Registry } from '../../strapi/registry.js';
import { createStrapi } from '../../strapi/strapi.js';
import type { CreatedStrapi, Strapi } from '../../strapi/strapi.js';
import type { Project } from './open-project.js';

/** The policies or middlewares of a project. */
interface ProjectNamedCode extends NamedCode, NamedCodeRegistry<unknown> {}

/**
 * Lets GraphQL refer to the policies or middlewares of a project. src/policies/is-owner.ts is
 * `global::is-owner`, and src/api/article/policies/is-owner.ts is `api::article.is-owner`.
 */
function createNamedCode(registry: Registry): ProjectNamedCode {
  const fullName = (name: string): string => {
    if (name.includes('::')) return name;
    const global = `global::${name}`;
    if (registry.has(global)) return global;
    const local = registry.keys().filter((each) => each.startsWith('api::') && each.endsWith(`.${name}`));
    return local.length === 1 ? (local[0] ?? global) : global;
  };
  return {
    names: () => registry.keys().toSorted(),
    set: (name, code) => registry.set(name.includes('::') ? name : `global::${name}`, code),
    get: async (name) => registry.get(fullName(name)),
  };
}

/** The GraphQL extensions of a project. `register` adds to them; the schema is built from them afterwards. */
export interface ProjectGraphql {
  readonly service: GraphqlExtensionService;
  /** The application for resolvers and other project code. */
  readonly app: Strapi;
  readonly created: Omit<CreatedStrapi, 'strapi'>;
  readonly policies: ProjectNamedCode;
  readonly middlewares: ProjectNamedCode;
  /** Loads GraphQL, which takes longer than most commands. */
  readonly createExtension: () => Promise<SchemaExtension>;
}

export interface ProjectGraphqlDependencies {
  readonly project: Project;
  readonly documents: ProjectDocuments;
  readonly log: Logger;
}

/** Returns the running project file with its line. `src/index` if the stack does not contain one. */
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
    createExtension: async () => {
      const { createSchemaExtension } =
        await import('../../api/graphql/extension/create-schema-extension.js');
      return createSchemaExtension({
        registrations: calls,
        app,
        code: { policies, middlewares },
        warn: (message) => log.warn(message),
      });
    },
  };
}
