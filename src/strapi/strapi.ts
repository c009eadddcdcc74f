import type { Config } from '../config/config.js';
import type { Application } from '../api/graphql/extension/configuration.js';
import type { Api } from './apis.js';
import type { DataProperties } from './database/create-database.js';
import type { StrapiConfiguration } from './configuration/strapi-configuration.js';
import type { PluginObject } from './plugins/plugin-object.js';
import type { RuntimeProperties } from './runtime/create-runtime.js';
import type { Log } from './runtime/log.js';

/** The properties that need open services. */
interface OpenProperties extends RuntimeProperties, Omit<DataProperties, 'documents'> {
  readonly plugins: Readonly<Record<string, PluginObject>>;
  /** The exports of `@strapi/utils`. */
  readonly utils: Readonly<Record<string, unknown>>;
}

/** The properties that read what is registered, by uids such as `api::article.article`. */
export interface RegisteredCode {
  /** Returns a service. Undefined: there is none. */
  readonly service: (uid: string) => unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly controller: (uid: string) => unknown;
  readonly controllers: Readonly<Record<string, unknown>>;
  readonly policy: (uid: string) => unknown;
  readonly policies: Readonly<Record<string, unknown>>;
  readonly middleware: (uid: string) => unknown;
  readonly middlewares: Readonly<Record<string, unknown>>;
  /** The folders of src/api by their names. */
  readonly apis: Readonly<Record<string, Api>>;
  readonly api: (name: string) => Api | undefined;
}

/**
 * The running application, as code written for Strapi knows it. `app` and `strapi` of GraphQL's resolvers,
 * the context of `register`, `bootstrap` and `destroy`, and the global `strapi` are this object.
 */
export interface Strapi
  extends
    Omit<Application, 'config' | 'log' | 'plugin' | 'documents' | 'contentType' | 'contentTypes'>,
    RegisteredCode,
    OpenProperties {
  /** In Strapi's form. It has the hooks of Galley's own `documents`, too. */
  readonly documents: DataProperties['documents'] & Application['documents'];
  readonly log: Log;
  /** Galley's own configuration, and `get`, `set` and `has` for that of config/. */
  readonly config: Config & StrapiConfiguration;
  readonly plugin: Application['plugin'] & ((name: string) => PluginObject);
}
