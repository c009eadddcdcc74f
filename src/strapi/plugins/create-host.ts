import type { ModuleLoader } from '../../config/module-loader.js';
import type { StrapiContext } from '../context.js';
import type { PluginHost } from './plugin-host.js';

/** Creates what the plugins that Galley brings along work with. */
export function createPluginHost(
  { strapi, configuration, registries, ...parts }: Omit<StrapiContext, 'code'>,
  loader: ModuleLoader,
): PluginHost {
  const { root, config, model, database, access, accounts, documents, media } = parts;
  return {
    root,
    config,
    model,
    database,
    access,
    accounts,
    documents,
    media,
    log: strapi.log,
    store: strapi.store,
    query: (uid) => strapi.db.query(uid),
    read: configuration.get,
    service: <T>(plugin: string, name: string) => registries.services.get(`plugin::${plugin}.${name}`) as T,
    load: loader.load,
  };
}
