import type { Config } from '../../config/config.js';
import { isRecord } from '../../lib/is-record.js';
import { readPackageFile } from '../read-package-file.js';

type Values = Record<string, unknown>;

const sectionOf = (values: Values, key: string): Values => {
  const section = values[key];
  return isRecord(section) ? section : {};
};

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
  const plugins = Object.entries(config.plugins).map(([name, plugin]) => {
    const own = sectionOf(sectionOf(stated, 'plugins'), name)['config'];
    return [`plugin::${name}`, { ...(isRecord(own) ? own : {}), ...plugin.config }] as const;
  });
  return {
    ...stated,
    environment: config.environment,
    info,
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
    admin: { auth: {}, url: '/admin', ...sectionOf(stated, 'admin') },
    ...Object.fromEntries(plugins),
  };
}
