import type { LimitedOperation } from '../../../access/accounts/attempts.js';
import type { Permission } from '../../../access/permissions/actions.js';
import type { Uid } from '../../../model/model.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A guard with several actions. The body of a request determines the required one. */
export interface AnyPermission {
  readonly uid: Uid;
  readonly anyOf: readonly string[];
}

/**
 * The requirement of an endpoint: a permission; `credential`: a credential, if sent, must be valid; `none`:
 * credentials are not read.
 */
type RouteGuard = Permission | AnyPermission | 'credential' | 'none';

/** Returns the actions of which a caller needs one: `api::article.article.find`. Empty: none. */
export function guardedActions(guard: RouteGuard): readonly string[] {
  if (guard === 'none' || guard === 'credential') return [];
  const actions = 'anyOf' in guard ? guard.anyOf : [guard.action];
  return actions.map((action) => `${guard.uid}.${action}`);
}

/**
 * One endpoint of the REST API. The server registers its endpoints from these values, and `cms routes` prints
 * them.
 */
export interface Route<Operation extends string = string> {
  readonly method: Method;
  /** With the prefix of the API: `/api/articles/:documentId`. */
  readonly path: string;
  /** The type whose documents the endpoint reads or writes; null: it belongs to no type. */
  readonly contentType: Uid | null;
  readonly operation: Operation;
  readonly guard: RouteGuard;
  /**
   * The query parameters of an endpoint. Writes reject others, reads only if configured. Default of writes:
   * none. Absent from reads: they ignore others.
   */
  readonly parameters?: readonly string[];
  /** Parameters that clients often expect, each with a sentence that names the alternative. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** The body keys of an endpoint that writes, which rejects others. Absent: the handler checks them. */
  readonly bodyKeys?: readonly string[];
  /** True if the response ends only with its connection. */
  readonly isStream?: true;
  /** True if the body holds many documents. */
  readonly isBulk?: true;
  /** Set if attempts are limited. */
  readonly limitedOperation?: LimitedOperation;
  /** One phrase for the documentation of an API. */
  readonly description: string;
}
