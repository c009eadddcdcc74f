import type { Uid } from '../model/model.js';
import type { FilterNode } from './query.js';

/** The part of a type that a caller's permission for one action covers. */
export interface AccessScope {
  /** Names of the attributes. Null: all. System fields are always covered. */
  readonly fields: ReadonlySet<string> | null;
  /** Matches the documents. Null: all. */
  readonly filter: FilterNode | null;
}

/** The action that reading drafts takes, besides `find` or `findOne`. */
export const FIND_DRAFTS = 'findDrafts';

/** The permissions of a caller, as the query parser and the document service need them. */
export interface ReadAccess {
  /** True if the caller has the `find` permission for a type. */
  readonly canFind: (type: Uid) => boolean;
  /**
   * Returns the scope of the caller's permission for an action (`find`, `update`). Null, or no such function:
   * everything. A separate check decides if the caller has the permission at all.
   */
  readonly scopeOf?: (type: Uid, action: string) => AccessScope | null;
  /**
   * True if a client asks, whose `populate` never lists the users of a role, as in Strapi, and who writes
   * only what is writable.
   */
  readonly isOfClient?: boolean;
  /**
   * The types whose drafts the caller may not read. To the caller they look like types without drafts.
   * Absent: none.
   */
  readonly withoutDrafts?: readonly Uid[];
  /** The types of whose drafts the caller's permission covers a part. Absent: none. */
  readonly limitedDrafts?: readonly Uid[];
}

/**
 * The key under which parameters that project code hands on carry the rights of the client whose request they
 * come from. Copies made by spreading keep it.
 */
export const READ_ACCESS = Symbol('readAccess');

/** Returns the rights that parameters carry, if they come from a client's request. */
export function accessIn(params: object): ReadAccess | undefined {
  return Reflect.get(params, READ_ACCESS) as ReadAccess | undefined;
}
