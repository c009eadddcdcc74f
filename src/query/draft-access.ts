import { createError } from '../errors/catalogue.js';
import type { ContentType, VersionStatus } from '../model/model.js';
import { joinNodes } from './filter-nodes.js';
import { FIND_DRAFTS } from './read-access.js';
import type { ReadQuery } from './query.js';
import type { AccessScope, ReadAccess } from './read-access.js';

const READING: ReadonlySet<string> = new Set(['find', 'findOne']);

const commonFields = (left: AccessScope['fields'], right: AccessScope['fields']): AccessScope['fields'] => {
  if (left === null || right === null) return left ?? right;
  return new Set([...left].filter((name) => right.has(name)));
};

const intersect = (left: AccessScope | null, right: AccessScope | null): AccessScope | null => {
  if (left === null || right === null) return left ?? right;
  const filters = [left.filter, right.filter].filter((filter) => filter !== null);
  return { fields: commonFields(left.fields, right.fields), filter: joinNodes('and', filters) };
};

/**
 * Returns the rights to the versions of a status. Drafts take what `findDrafts` covers as well. Reads of
 * published versions that look at drafts, such as filters on `localizations`, look at those only that a
 * permission without limits covers.
 */
export function accessAtStatus(access: ReadAccess, status: VersionStatus): ReadAccess {
  const { scopeOf, limitedDrafts = [], withoutDrafts = [] } = access;
  if (limitedDrafts.length === 0 || scopeOf === undefined) return access;
  if (status === 'published') return { ...access, withoutDrafts: [...withoutDrafts, ...limitedDrafts] };
  const isLimited = new Set(limitedDrafts);
  return {
    ...access,
    scopeOf: (type, action) =>
      READING.has(action) && isLimited.has(type)
        ? intersect(scopeOf(type, action), scopeOf(type, FIND_DRAFTS))
        : scopeOf(type, action),
  };
}

/** True if the drafts of a type are hidden from the caller. */
export function hidesDrafts({ withoutDrafts = [] }: ReadAccess, { uid }: Pick<ContentType, 'uid'>): boolean {
  return withoutDrafts.includes(uid);
}

/**
 * Returns the default status for reads by code: `draft`, or `published` if the code reads for a client that
 * may not read drafts of the type.
 */
export function defaultStatusOfCode(access: ReadAccess, type: Pick<ContentType, 'uid'>): VersionStatus {
  return hidesDrafts(access, type) ? 'published' : 'draft';
}

/** @throws `request/drafts-forbidden` if the caller may not read drafts of the type */
export function assertMayReadDrafts(access: ReadAccess, type: Pick<ContentType, 'uid'>): void {
  if (hidesDrafts(access, type)) throw createError('request/drafts-forbidden', { type: type.uid });
}

/** Returns the part of a query that keeps it from drafts the caller may not read. */
export function draftLimits({ withoutDrafts = [] }: ReadAccess): Pick<ReadQuery, 'withoutDrafts'> {
  return withoutDrafts.length === 0 ? {} : { withoutDrafts };
}
