import type { Config } from '../../config/config.js';
import { databaseKindOf } from '../../config/database-url.js';
import { isRecord } from '../../lib/is-record.js';
import { CLIENTS } from '../database-names.js';
import { readPackageFile } from '../read-package-file.js';

type Values = Record<string, unknown>;

const sectionOf = (values: Values, key: string): Values => {
  const section = values[key];
  return isRecord(section) ? section : {};
};

/** Returns the version that the project was written for, which code asks for to support several. */
export function strapiVersion(info: Values): string {
  const wanted = sectionOf(info, 'dependencies')['@strapi/strapi'];
  return /\d+\.\d+\.\d+/.exec(String(wanted))?.[0] ?? '5.0.0';
}

/** Strapi's name of the database that is used, which need not be the one that config/database names. */
const clientOf = ({ database }: Config): string => CLIENTS[databaseKindOf(database.url) ?? 'sqlite'];

/**
 * Returns what `strapi.config.get` reads: what config/ says, what holds instead where cms.config.* or the
 * environment says otherwise, and the options of plugins under `plugin::<name>`.
 */
export function configurationValues(config: Config, stated: Values): Values {
  const { host, port, url } = config.server;
  const { prefix, defaultLimit, maxLimit } = config.api.rest;
  const info = readPackageFile(config.root);
  const api = sectionOf(stated, 'api');
  const address = url === undefined || url === '' ? `http://${host}:${port}` : url;
  const plugins = Object.entries({ upload: { config: {} }, ...config.plugins }).map(([name, plugin]) => {
    const own = sectionOf(sectionOf(stated, 'plugins'), name)['config'];
    const defaults = name === 'upload' ? { provider: 'local', sizeLimit: config.upload.sizeLimit } : {};
    return [`plugin::${name}`, { ...defaults, ...(isRecord(own) ? own : {}), ...plugin.config }] as const;
  });
  const database = sectionOf(stated, 'database');
  return {
    ...stated,
    environment: config.environment,
    info: { ...info, strapi: strapiVersion(info) },
    uuid: sectionOf(info, 'strapi')['uuid'],
    server: {
      cron: { enabled: false },
      ...sectionOf(stated, 'server'),
      host,
      port,
      url: address,
      absoluteUrl: address,
    },
    api: { ...api, rest: { ...sectionOf(api, 'rest'), prefix, defaultLimit, maxLimit } },
    database: { ...database, connection: { ...sectionOf(database, 'connection'), client: clientOf(config) } },
    admin: { auth: {}, url: '/admin', ...sectionOf(stated, 'admin') },
    ...Object.fromEntries(plugins),
  };
}
