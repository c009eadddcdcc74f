/** Implements the packages of Strapi that project code imports. Start at {@link strapiPackages}. */
import { readPackageFile, strapiVersion } from '../configuration.js';
import { memoize } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import * as strapi from './strapi.js';
import { createUtils } from './utils/utils.js';

const ACCOUNTS = '@strapi/plugin-users-permissions';

/** Returns the plugin users-permissions of the running application, or an empty object. */
const accounts = (): Readonly<Record<string, unknown>> => {
  const application: unknown = Reflect.get(globalThis, 'strapi');
  const plugin: unknown = isRecord(application) ? application['plugin'] : undefined;
  const found: unknown =
    typeof plugin === 'function' ? Reflect.apply(plugin, application, ['users-permissions']) : undefined;
  return isRecord(found) ? found : {};
};

/**
 * The server code of the plugin users-permissions. Files import it before an application exists, so its
 * members are looked up at each access.
 */
const ACCOUNTS_SERVER = Object.defineProperties(
  {},
  Object.fromEntries(
    ['services', 'controllers', 'policies', 'middlewares', 'contentTypes', 'routes'].map((key) => [
      key,
      { enumerable: true, get: () => accounts()[key] },
    ]),
  ),
);

const ACCOUNTS_UTILS = {
  getService: (name: string): unknown => {
    const { service } = accounts();
    return typeof service === 'function'
      ? (Reflect.apply(service, accounts(), [name]) as unknown)
      : undefined;
  },
};

const manifestOf = (name: string, version: string): object => ({ name, version });

/**
 * Returns Galley's implementations of the packages that project code imports, by name, also if the packages
 * are not installed.
 */
export const strapiPackages = memoize((root: string): Readonly<Record<string, object>> => {
  const version = strapiVersion(readPackageFile(root));
  return {
    '@strapi/strapi': strapi,
    '@strapi/core': strapi,
    '@strapi/types': {},
    '@strapi/utils': createUtils(root),
    '@strapi/strapi/package.json': manifestOf('@strapi/strapi', version),
    '@strapi/core/package.json': manifestOf('@strapi/core', version),
    '@strapi/utils/package.json': manifestOf('@strapi/utils', version),
    [`${ACCOUNTS}/package.json`]: manifestOf(ACCOUNTS, version),
    [`${ACCOUNTS}/strapi-server`]: ACCOUNTS_SERVER,
    [`${ACCOUNTS}/server`]: ACCOUNTS_SERVER,
    [`${ACCOUNTS}/server/utils`]: ACCOUNTS_UTILS,
  };
});

/** True if Galley provides a module of this name to project code. */
export function isProvided(root: string, name: string): boolean {
  return Object.hasOwn(strapiPackages(root), name);
}
