import type { Access } from '../access/access.js';
import type { AccountContext } from '../access/accounts/account-context.js';
import type { Application, GraphqlExtensionService } from '../api/graphql/extension/configuration.js';
import type { WebhookRegistry } from '../api/webhooks/webhook-registry.js';
import type { Config } from '../config/config.js';
import type { ModuleLoader } from '../config/module-loader.js';
import type { Database } from '../database/database.js';
import type { ReadObjects } from '../database/dialect/search-expressions.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import type { DocumentService } from '../documents/documents.js';
import type { DocumentHooks } from '../documents/hooks.js';
import type { VersionStore } from '../documents/write/version-store.js';
import type { ProjectDocuments } from '../documents/create-repository.js';
import { createError } from '../errors/catalogue.js';
import { assignProperties, isRecord } from '../lib/records.js';
import type { MediaLibrary } from '../media/media.js';
import type { Definitions } from '../model/content-types/definition.js';
import type { ContentModel } from '../model/model.js';
import type { Logger } from '../server/logger.js';
import type { ProjectCode } from './code/project-code.js';
import { createStrapiConfiguration } from './configuration.js';
import type { StrapiConfiguration } from './configuration.js';
import type { DataProperties } from './database/create-database.js';
import type { Ai } from './mcp/create-ai.js';
import type { PluginObject } from './plugins/plugin-definition.js';
import { apisOf, createRegistries } from './registry.js';
import type { Api, Registries } from './registry.js';
import type { RuntimeProperties } from './runtime/create-runtime.js';
import { createLog } from './runtime/log.js';
import type { Log } from './runtime/log.js';
import { withDetectableProperties, withKnownProperties } from './unavailable.js';

/** The properties that need open services. */
interface OpenProperties extends RuntimeProperties, Omit<DataProperties, 'documents'> {
  readonly plugins: Readonly<Record<string, PluginObject>>;
  /** The exports of `@strapi/utils`. */
  readonly utils: Readonly<Record<string, unknown>>;
  readonly ai: Ai<Strapi>;
}

/** The properties that read registered code by uids such as `api::article.article`. */
interface RegisteredCode {
  /** Returns a service, or undefined. */
  readonly service: (uid: string) => unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly controller: (uid: string) => unknown;
  readonly controllers: Readonly<Record<string, unknown>>;
  readonly policy: (uid: string) => unknown;
  readonly policies: Readonly<Record<string, unknown>>;
  readonly middleware: (uid: string) => unknown;
  readonly middlewares: Readonly<Record<string, unknown>>;
  /** The folders of src/api by name. */
  readonly apis: Readonly<Record<string, Api>>;
  readonly api: (name: string) => Api | undefined;
}

/**
 * The running application in Strapi's form: `app` and `strapi` of GraphQL's resolvers, the context of
 * `register`, `bootstrap` and `destroy`, and the global `strapi`.
 */
export interface Strapi
  extends
    Omit<Application, 'config' | 'log' | 'plugin' | 'documents' | 'contentType' | 'contentTypes'>,
    RegisteredCode,
    OpenProperties {
  /** The document service in Strapi's form, with the hooks of Galley's `documents`. */
  readonly documents: DataProperties['documents'] & Application['documents'];
  readonly log: Log;
  /** Galley's configuration, with `get`, `set` and `has` for the values of config/. */
  readonly config: Config & StrapiConfiguration;
  readonly plugin: Application['plugin'] & ((name: string) => PluginObject);
}

/** The parts of a project that exist before its services are open. */
interface ProjectParts {
  readonly root: string;
  readonly config: Config;
  readonly definitions: Definitions;
  readonly model: ContentModel;
  readonly log: Logger;
}

/** The open services that the properties of `strapi` use. */
interface ServiceParts {
  readonly database: Database;
  readonly access: Access;
  readonly accounts: AccountContext;
  readonly documents: DocumentService;
  readonly versions: VersionStore;
  readonly objects: ReadObjects;
  readonly hooks: DocumentHooks;
  readonly media: MediaLibrary;
  readonly changes: ChangeFeed;
  readonly webhooks: WebhookRegistry;
}

/** The dependencies that the parts of `strapi` share. */
export interface StrapiContext extends ProjectParts, ServiceParts {
  readonly projectDocuments: ProjectDocuments;
  readonly graphql: GraphqlExtensionService;
  readonly registries: Registries;
  readonly configuration: StrapiConfiguration;
  readonly code: ProjectCode;
  readonly loader: ModuleLoader;
  readonly strapi: Strapi;
}

export interface StrapiDependencies extends Pick<ProjectParts, 'config' | 'model' | 'log'> {
  readonly documents: Application['documents'];
  readonly graphql: GraphqlExtensionService;
  /** The values of config/, which `strapi.config.get` reads. */
  readonly values: Record<string, unknown>;
}

/** The `strapi` of one application, with its registries and configuration. */
export interface CreatedStrapi {
  readonly strapi: Strapi;
  readonly registries: Registries;
  readonly configuration: StrapiConfiguration;
}

const createPluginAccessor =
  (graphql: GraphqlExtensionService): Application['plugin'] =>
  (name) =>
    withKnownProperties(`strapi.plugin('${name}')`, {
      service: (serviceName: string) => {
        if (name === 'graphql' && serviceName === 'extension') return graphql;
        throw createError('project/unknown-service', {
          name: `${name}.${serviceName}`,
          available: 'graphql.extension',
        });
      },
    });

const registeredCode = (all: Registries): RegisteredCode => {
  const { services, controllers, policies, middlewares } = all;
  return {
    service: services.get,
    get services() {
      return services.getAll('');
    },
    controller: controllers.get,
    get controllers() {
      return controllers.getAll('');
    },
    policy: policies.get,
    get policies() {
      return policies.getAll('');
    },
    middleware: middlewares.get,
    get middlewares() {
      return middlewares.getAll('');
    },
    get apis() {
      return apisOf(all);
    },
    api: (name) => apisOf(all)[name],
  };
};

/**
 * Returns the configuration with the additional values of the project's config/, such as
 * `strapi.config.custom` and `strapi.config.server.url`.
 */
const mergeValues = (values: Record<string, unknown>, config: StrapiDependencies['config']) => {
  const known: Readonly<Record<string, unknown>> = { ...config };
  const merged = Object.entries(values).map(([key, value]) => {
    const galleyValue = known[key];
    return [
      key,
      isRecord(galleyValue) && isRecord(value) ? { ...value, ...galleyValue } : (galleyValue ?? value),
    ] as const;
  });
  return { ...config, ...Object.fromEntries(merged) };
};

/**
 * Creates the `strapi` object of project code. {@link openStrapi} adds the properties that need open
 * services.
 */
export function createStrapi({
  config,
  model,
  log,
  documents,
  graphql,
  values,
}: StrapiDependencies): CreatedStrapi {
  const registries = createRegistries(() => strapi);
  const configuration = createStrapiConfiguration(values);
  const { typesByUid } = model;
  const known: Omit<Application, 'config' | 'log'> & Pick<Strapi, 'config' | 'log'> = {
    config: { ...mergeValues(values, config), ...configuration },
    model,
    log: createLog(log),
    documents,
    contentType: (uid) => (Object.hasOwn(typesByUid, uid) ? typesByUid[uid] : undefined),
    contentTypes: typesByUid,
    plugin: createPluginAccessor(graphql),
  };
  // {@link openStrapi} adds the rest.
  const strapi = withDetectableProperties(
    assignProperties(known, registeredCode(registries)),
    known.log.warn,
  );
  return { strapi: strapi as unknown as Strapi, registries, configuration };
}
