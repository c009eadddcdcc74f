import { createError } from '../errors/catalogue.js';
import type { ContentType, Uid, VersionStatus } from '../model/model.js';
import { joinNodes } from './filter-nodes.js';
import type { FilterNode, ReadQuery } from './query.js';

/** The actions that read documents. */
export const READ_ACTIONS: ReadonlySet<string> = new Set(['find', 'findOne']);

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
 * Returns the rights to the versions of a status. Drafts also require the scope of `findDrafts`. Reads
 * of published versions that read drafts, such as filters on `localizations`, read only drafts that a
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
      READ_ACTIONS.has(action) && isLimited.has(type)
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

/** Returns the part of a query that excludes drafts the caller may not read. */
export function draftLimits({ withoutDrafts = [] }: ReadAccess): Pick<ReadQuery, 'withoutDrafts'> {
  return withoutDrafts.length === 0 ? {} : { withoutDrafts };
}

/** The part of a type that a caller's permission for one action covers. */
export interface AccessScope {
  /** Names of the attributes. Null: all. System fields are always covered. */
  readonly fields: ReadonlySet<string> | null;
  /** Matches the documents. Null: all. */
  readonly filter: FilterNode | null;
  /** The locales that the permission covers. Absent: all. The filter of actions that read includes them. */
  readonly locales?: ReadonlySet<string> | undefined;
  /** `draft` if the permission does not cover published versions. */
  readonly status?: 'draft' | undefined;
}

/** The action that reading drafts requires, in addition to `find` or `findOne`. */
export const FIND_DRAFTS = 'findDrafts';

/** The action that changing attributes with `"default": "$caller"` requires, in addition to the write. */
export const SET_OWNER = 'setOwner';

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
   * True for a client. As in Strapi, its `populate` never lists the users of a role, and it writes only
   * writable attributes.
   */
  readonly isOfClient?: boolean;
  /**
   * The types whose drafts the caller may not read. To the caller they look like types without drafts.
   * Absent: none.
   */
  readonly withoutDrafts?: readonly Uid[];
  /** The types whose drafts the caller's permission covers in part. Absent: none. */
  readonly limitedDrafts?: readonly Uid[];
  /** The user who calls. Absent: a token, an anonymous client, or code. */
  readonly caller?: { readonly documentId: string };
  /** True if the caller may set who owns documents of a type. Absent: it may. */
  readonly maySetOwner?: (type: Uid) => boolean;
}

/** The rights of server code and commands, which may read everything. */
export const FULL_ACCESS: ReadAccess = Object.freeze({ canFind: () => true });

/** The key of the client's rights in parameters that project code passes on. Spreading copies it. */
export const READ_ACCESS = Symbol('readAccess');

/** Returns the rights that parameters carry, if they come from a client's request. */
export function accessIn(params: object): ReadAccess | undefined {
  return Reflect.get(params, READ_ACCESS) as ReadAccess | undefined;
}

/** The client's request that caused an operation. */
export interface ClientRequest {
  readonly access: ReadAccess;
  /** The action whose scope applies to the type itself. */
  readonly action: string;
  /**
   * The parameters of a REST request as the client sent them. Absent: a GraphQL request, which returns no
   * more than its document selects.
   */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The keys of the sent data that only project code reads. Absent: none. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The call of project code that caused an operation. */
interface CodeCall {
  /** As the code wrote them, or as a middleware left them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The rights of the client that the code acts for. Undefined: it acts for no client. */
  readonly access: ReadAccess | undefined;
  /** True if the code reads only the first document of a list. */
  readonly isFirst?: boolean;
}

/** The key of the request in the parameters of an operation. Copies made by spreading keep it. */
const CLIENT_REQUEST = Symbol('clientRequest');

/** Returns the parameters of an operation with the client's request attached. */
export function fromClient<Params extends object>(params: Params, request: ClientRequest): Params {
  return { ...params, [CLIENT_REQUEST]: request };
}

/** Returns the client's request attached to the parameters of an operation. Undefined: no client. */
export function clientRequestOf(params: object): ClientRequest | undefined {
  return Reflect.get(params, CLIENT_REQUEST) as ClientRequest | undefined;
}

const CODE_CALL = Symbol('codeCall');

/** Returns the parameters of an operation with the call of project code attached. */
export function fromCode<Params extends object>(params: Params, call: CodeCall): Params {
  return { ...params, [CODE_CALL]: call };
}

/** Returns the call attached to the parameters of an operation. Undefined: no project code. */
export function codeCallOf(params: object): CodeCall | undefined {
  return Reflect.get(params, CODE_CALL) as CodeCall | undefined;
}
