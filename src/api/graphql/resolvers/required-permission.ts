import type { Permission } from '../../../access/permissions/controllers.js';

const requiredPermissions = new WeakMap<object, Permission>();

/** Records the permission that a resolver requires before it does anything else. Returns the resolver. */
export function withRequiredPermission<Resolver extends object>(
  permission: Permission,
  resolver: Resolver,
): Resolver {
  requiredPermissions.set(resolver, permission);
  return resolver;
}

/** The permission a resolver requires; undefined if none was recorded. */
export function requiredPermission(resolver: object | undefined): Permission | undefined {
  return resolver === undefined ? undefined : requiredPermissions.get(resolver);
}
