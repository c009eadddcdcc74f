import { FILE_UID, USER_UID } from '../content-types/builtin/registry.js';
import { fail } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { ContentModel, Uid } from '../model/model.js';
import type { AccessLimits, ReadAccess } from '../query/query.js';
import type { Caller, Grants } from './access.js';
import { compileWhere, NOTHING } from './conditions.js';
import type { UserValues } from './conditions.js';

const READ_ACTIONS: ReadonlySet<string> = new Set(['find', 'findOne']);

/** Whether these grants hold one action of a content-type or plugin controller. */
export function isGranted(grants: Grants, uid: string, action: string): boolean {
  if (grants.kind === 'all') return true;
  return grants.kind === 'read' ? READ_ACTIONS.has(action) : grants.actions.has(`${uid}.${action}`);
}

/** The one decision about every operation of every transport. Throws `request/forbidden`. */
export function authorise(caller: Caller, uid: Uid, action: string): void {
  if (!isGranted(caller.grants, uid, action)) throw fail('request/forbidden');
}

const valuesOf = (caller: Caller): UserValues =>
  caller.kind === 'user' ? { ...caller.attributes, id: caller.userId, documentId: caller.documentId } : null;

/** The peer's name for deleting a user is another one than for deleting anything else. */
const nameOf = (uid: Uid, action: string): string => (uid === USER_UID && action === 'delete' ? 'destroy' : action);

/** A condition that no longer fits the model covers nothing, rather than everything. */
const filterOf = (model: ContentModel, uid: Uid, where: Readonly<Record<string, unknown>>, caller: Caller): AccessLimits['filter'] => {
  try {
    return compileWhere(model, uid, where, valuesOf(caller));
  } catch (error) {
    if (isGalleyError(error)) return NOTHING;
    throw error;
  }
};

/** What a caller may look at and do, over relations too. Files are seen by whoever sees the document that shows them. */
export function accessOf(model: ContentModel, caller: Caller): ReadAccess {
  const { grants } = caller;
  const canFind = (uid: Uid): boolean => uid === FILE_UID || isGranted(grants, uid, 'find');
  if (grants.kind !== 'actions' || grants.rules.size === 0) return { canFind };
  const known = new Map<string, AccessLimits | null>();
  const limitsOf = (uid: Uid, action: string): AccessLimits | null => {
    const name = `${uid}.${nameOf(uid, action)}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const rule = grants.rules.get(name);
    const limits = rule === undefined ? null : { fields: rule.fields, filter: rule.where === null ? null : filterOf(model, uid, rule.where, caller) };
    known.set(name, limits);
    return limits;
  };
  return { canFind, limitsOf };
}
