import { ROLE_UID, USER_UID } from '../../model/content-types/builtin/registry.js';
import type { Uid } from '../../model/model.js';
import type { AccessScope, ReadAccess } from '../../query/read-access.js';

const NO_FIELDS: ReadonlySet<string> = new Set();

/**
 * Returns the access with which users are counted. The right to count says which users are counted. They can
 * be filtered only by attributes that `find` shows, or counting would reveal the others.
 */
export function countAccess(access: ReadAccess): ReadAccess {
  const scopeOf = (uid: Uid, action: string): AccessScope | null => access.scopeOf?.(uid, action) ?? null;
  const fields = access.canFind(USER_UID) ? (scopeOf(USER_UID, 'find')?.fields ?? null) : NO_FIELDS;
  return {
    ...access,
    scopeOf: (uid, action) =>
      uid === USER_UID && action === 'count'
        ? { filter: scopeOf(uid, action)?.filter ?? null, fields }
        : scopeOf(uid, action),
  };
}

/** Returns the access with which users read their own role, for which they need no grant on roles. */
export function withOwnRole(access: ReadAccess): ReadAccess {
  return { ...access, canFind: (uid) => uid === ROLE_UID || access.canFind(uid) };
}
