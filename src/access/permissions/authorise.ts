import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { FILE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { joinNodes } from '../../query/filter-nodes.js';
import type { FilterNode } from '../../query/query.js';
import { FIND_DRAFTS, READ_ACTIONS, SET_OWNER } from '../../query/read-access.js';
import type { AccessScope, ReadAccess } from '../../query/read-access.js';
import type { Caller, GrantRule, Grants } from '../access.js';
import type { Permission } from './actions.js';
import { MATCH_NOTHING, compileCondition } from './rules.js';
import type { UserValues } from './rules.js';

/*
 * Decides what a caller may do. actions lists the actions that can be granted, rules checks and compiles
 * the limits of a permission, role-permissions and permission-file change the grants of roles.
 */

/** True if grants include an action of a content type or of a plugin's controller. */
export function isGranted(grants: Grants, uid: string, action: string): boolean {
  if (grants.kind === 'all') return true;
  return grants.kind === 'read' ? READ_ACTIONS.has(action) : grants.actions.has(`${uid}.${action}`);
}

/** Throws `request/forbidden` unless the caller was granted the action. All transports use it. */
export function authorise(caller: Caller, uid: Uid, action: string): void {
  if (!isGranted(caller.grants, uid, action)) throw createError('request/forbidden');
}

const userValuesOf = (caller: Caller): UserValues =>
  caller.kind === 'user' ? { ...caller.attributes, id: caller.userId, documentId: caller.documentId } : null;

/** Returns the name under which an action is granted. Strapi names the deletion of users `destroy`. */
const grantedActionName = (uid: Uid, action: string): string =>
  uid === USER_UID && action === 'delete' ? 'destroy' : action;

/** Compiles a condition. One that no longer fits the model matches nothing, rather than everything. */
const conditionFilter = (
  model: ContentModel,
  uid: Uid,
  where: Readonly<Record<string, unknown>>,
  caller: Caller,
): AccessScope['filter'] => {
  try {
    return compileCondition(model, uid, where, userValuesOf(caller));
  } catch (error) {
    if (isGalleyError(error)) return MATCH_NOTHING;
    throw error;
  }
};

/** Writes that may add a locale to a document. They are checked against the written locale alone. */
const ADDS_LOCALES: ReadonlySet<string> = new Set(['create', 'update']);

/** Returns the limits of an action, with the caller's values inserted. */
const toScope = (
  model: ContentModel,
  { uid, action }: Permission,
  { fields, where, locales, status }: GrantRule,
  caller: Caller,
): AccessScope => {
  const condition = where === null ? null : conditionFilter(model, uid, where, caller);
  const isInLocale: FilterNode | null =
    locales === undefined || ADDS_LOCALES.has(action)
      ? null
      : { kind: 'compare', field: 'locale', operator: '$in', operand: locales };
  const filters = [condition, isInLocale].filter((filter) => filter !== null);
  return {
    fields,
    filter: joinNodes('and', filters),
    ...(locales === undefined ? {} : { locales: new Set(locales) }),
    ...(status === undefined ? {} : { status }),
  };
};

type DraftAccess = Pick<ReadAccess, 'withoutDrafts' | 'limitedDrafts'>;

/** Computed once for each model and grants, since all queries with these grants contain the lists. */
const draftAccessOf = memoizeWeakly((model: ContentModel) =>
  memoizeWeakly((grants: Grants): DraftAccess => {
    const uids = model.types.filter(({ draftAndPublish }) => draftAndPublish).map(({ uid }) => uid);
    const rules = grants.kind === 'actions' ? grants.rules : null;
    return {
      withoutDrafts: uids.filter((uid) => !isGranted(grants, uid, FIND_DRAFTS)),
      limitedDrafts: uids.filter((uid) => rules?.has(`${uid}.${FIND_DRAFTS}`) === true),
    };
  }),
);

interface ReadAccessOptions {
  /** True if `find` and `findOne` cover drafts, as in Strapi. Default: `findDrafts` does. */
  readonly findIncludesDrafts?: boolean;
}

/**
 * Returns the content that a caller may read and write, also across relations. A file is visible to everybody
 * who sees a document with it.
 */
export function readAccessOf(
  model: ContentModel,
  caller: Caller,
  { findIncludesDrafts = false }: ReadAccessOptions = {},
): ReadAccess {
  const { grants } = caller;
  const base = {
    isOfClient: true,
    canFind: (uid: Uid): boolean => uid === FILE_UID || isGranted(grants, uid, 'find'),
    maySetOwner: (uid: Uid): boolean => isGranted(grants, uid, SET_OWNER),
    ...(caller.kind === 'user' ? { caller: { documentId: caller.documentId } } : {}),
    ...(findIncludesDrafts ? {} : draftAccessOf(model)(grants)),
  };
  if (grants.kind !== 'actions' || grants.rules.size === 0) return base;
  const cache = new Map<string, AccessScope | null>();
  const scopeOf = (uid: Uid, action: string): AccessScope | null => {
    const name = `${uid}.${grantedActionName(uid, action)}`;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const rule = grants.rules.get(name);
    const scope = rule === undefined ? null : toScope(model, { uid, action }, rule, caller);
    cache.set(name, scope);
    return scope;
  };
  return { ...base, scopeOf };
}

/**
 * Returns a number that callers with the same grants share. Null if the grants depend on the caller, so that
 * responses must not be shared.
 */
export type SharedGrantsId = (grants: Grants) => number | null;

const dependsOnCaller = (grants: Grants): boolean =>
  grants.kind === 'actions' && [...grants.rules.values()].some(({ where }) => where !== null);

export function createSharedGrantsId(): SharedGrantsId {
  let last = 0;
  return memoizeWeakly((grants: Grants) => {
    if (dependsOnCaller(grants)) return null;
    last += 1;
    return last;
  });
}
