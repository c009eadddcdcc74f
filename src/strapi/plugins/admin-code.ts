import { createError } from '../../errors/catalogue.js';
import type { Registries } from '../registry.js';
import { withKnownProperties } from '../unavailable.js';

/**
 * The policies and services that Strapi's admin panel provides. Galley has no admin panel, so nobody is
 * signed in to it.
 */
const POLICIES = ['isAuthenticatedAdmin', 'hasPermissions'];
const SERVICES = ['user', 'role', 'token', 'auth', 'api-token', 'transfer', 'metrics'];

const acceptAll = async (): Promise<void> => undefined;
const PROVIDER = { register: acceptAll, registerMany: acceptAll, has: () => false, get: () => undefined };

/** Plugins say at their start what the users of the admin panel may do. There are no such users. */
const PERMISSION_SERVICE = { actionProvider: PROVIDER, conditionProvider: PROVIDER };

/** Registers what routes and services of the admin panel are called: policies refuse, services are errors. */
export function registerAdminCode({ policies, services }: Registries): void {
  for (const name of POLICIES) policies.set(`admin::${name}`, () => false);
  services.set('admin::permission', () => PERMISSION_SERVICE);
  for (const name of SERVICES)
    services.set(`admin::${name}`, () => {
      throw createError('strapi/no-admin-panel', { name: `admin::${name}` });
    });
}

/** Creates `strapi.admin`, which only takes what plugins register with it. */
export function createAdmin(): object {
  const services = withKnownProperties('strapi.admin.services', { permission: PERMISSION_SERVICE });
  return withKnownProperties('strapi.admin', { services });
}
