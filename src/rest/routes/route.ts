import type { LimitedOperation } from '../../access/accounts/attempts.js';
import type { Permission } from '../../access/permissions/controllers.js';
import type { Uid } from '../../model/model.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * What is asked of a caller before a request is handled: a permission; `credential`: if a credential is
 * presented, that it is valid; `none`: nothing, credentials are not even read.
 */
type RouteGuard = Permission | 'credential' | 'none';

/**
 * One endpoint of the REST API. The server registers its endpoints from these values, and `cms routes` prints
 * them.
 */
export interface Route<Operation extends string = string> {
  readonly method: Method;
  /** With the prefix of the API: `/api/articles/:documentId`. */
  readonly path: string;
  /** The type whose documents the endpoint reads or writes; null if it is about none. */
  readonly contentType: Uid | null;
  readonly operation: Operation;
  readonly guard: RouteGuard;
  /** Set if attempts are limited. */
  readonly limitedOperation?: LimitedOperation;
  /** One phrase for the documentation of an API. */
  readonly description: string;
}
