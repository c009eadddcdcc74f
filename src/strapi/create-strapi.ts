import { createError } from '../errors/catalogue.js';
import type { Application, GraphqlExtensionService } from '../api/graphql/extension/configuration.js';
import { createStrapiConfiguration } from './configuration/strapi-configuration.js';
import { isRecord } from '../lib/is-record.js';
import { assignProperties } from '../lib/assign-properties.js';
import type { StrapiConfiguration } from './configuration/strapi-configuration.js';
import type { ProjectParts } from './context.js';
import { apisOf } from './apis.js';
import { createRegistries } from './registry.js';
import type { Registries } from './registry.js';
import { createLog } from './runtime/log.js';
import type { RegisteredCode, Strapi } from './strapi.js';
import { withDetectableProperties, withKnownProperties } from './unavailable.js';

export interface StrapiDependencies extends Pick<ProjectParts, 'config' | 'model' | 'log'> {
  readonly documents: Application['documents'];
  readonly graphql: GraphqlExtensionService;
  /** The values of config/, which `strapi.config.get` reads. */
  readonly values: Record<string, unknown>;
}

/** The `strapi` of one application, and what it is made of. */
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
    const own = known[key];
    return [key, isRecord(own) && isRecord(value) ? { ...value, ...own } : (own ?? value)] as const;
  });
  return { ...config, ...Object.fromEntries(merged) };
};

/**
 * Creates the object that project code knows as `strapi`. {@link openStrapi} adds the properties that need
 * open services.
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
  // The rest is added when the services are open.
  const strapi = withDetectableProperties(
    assignProperties(known, registeredCode(registries)),
    known.log.warn,
  );
  return { strapi: strapi as unknown as Strapi, registries, configuration };
}
