import type { Grants } from './access.js';

/**
 * Returns a number that callers with the same grants share. Null where their rights also depend on who they
 * are, so that nothing they read may be shared.
 */
export type SharedGrantsId = (grants: Grants) => number | null;

const dependsOnCaller = (grants: Grants): boolean =>
  grants.kind === 'actions' && [...grants.rules.values()].some(({ where }) => where !== null);

export function createSharedGrantsId(): SharedGrantsId {
  const ids = new WeakMap<Grants, number | null>();
  let last = 0;
  return (grants) => {
    const known = ids.get(grants);
    if (known !== undefined) return known;
    if (!dependsOnCaller(grants)) last += 1;
    const id = dependsOnCaller(grants) ? null : last;
    ids.set(grants, id);
    return id;
  };
}
