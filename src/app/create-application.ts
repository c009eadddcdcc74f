import { createError } from '../errors/catalogue.js';
import type { Application, GraphqlExtensionService } from '../graphql/extension/configuration.js';

/** What JavaScript itself asks of any object: whether it is a promise, and how it becomes JSON. */
const ASKED_OF_ALL: ReadonlySet<string> = new Set(['then', 'toJSON']);

/** Reading a property that is not there becomes an error that names it, since code written for Strapi may. */
const withKnownProperties = <T extends object>(name: string, target: T): T =>
  new Proxy(target, {
    get: (object, key): unknown => {
      if (typeof key === 'symbol' || key in object || ASKED_OF_ALL.has(key)) return Reflect.get(object, key);
      throw createError('project/unknown-property', {
        name: `${name}.${key}`,
        available: Object.keys(object).join(', '),
      });
    },
  });

const createPluginAccessor =
  (graphql: GraphqlExtensionService): Application['plugin'] =>
  (name) =>
    withKnownProperties(`strapi.plugin('${name}')`, {
      service: (serviceName: string) => {
        if (name === 'graphql' && serviceName === 'extension') return graphql;
        throw createError('project/unknown-service', { name: `${name}.${serviceName}` });
      },
    });

export interface ApplicationParts extends Pick<Application, 'config' | 'model' | 'log' | 'documents'> {
  readonly graphql: GraphqlExtensionService;
}

/** Creates the object that project code knows as `strapi`. */
export function createApplication({ graphql, ...parts }: ApplicationParts): Application {
  const { typesByUid } = parts.model;
  return withKnownProperties(
    'strapi',
    Object.freeze<Application>({
      ...parts,
      contentType: (uid) => (Object.hasOwn(typesByUid, uid) ? typesByUid[uid] : undefined),
      contentTypes: typesByUid,
      plugin: createPluginAccessor(graphql),
    }),
  );
}
