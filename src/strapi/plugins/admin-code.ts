import { createError } from '../../errors/catalogue.js';
import type { Registries } from '../registry.js';

/** What Strapi's admin panel offers to server code. There is none here, so nobody is signed in to it. */
const POLICIES = ['isAuthenticatedAdmin', 'hasPermissions'];
const SERVICES = ['user', 'role', 'permission', 'token', 'auth', 'api-token', 'transfer', 'metrics'];

/** Registers what routes and services of the admin panel are called: policies refuse, services are errors. */
export function registerAdminCode({ policies, services }: Registries): void {
  for (const name of POLICIES) policies.set(`admin::${name}`, () => false);
  for (const name of SERVICES)
    services.set(`admin::${name}`, () => {
      throw createError('strapi/no-admin-panel', { name: `admin::${name}` });
    });
}
