import type { TriedOperation } from '../../access/tries.js';
import type { Uid } from '../../model/model.js';
import type { Handler } from '../rest-parts.js';

/** An endpoint about people. */
export interface PeopleRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** After the prefix: `/auth/local` */
  readonly path: string;
  /** What a caller must be granted. `credential`: nothing, but a credential that is presented must be right; null: no credential is looked at. */
  readonly grant: { readonly uid: Uid; readonly action: string } | 'credential' | null;
  /** What its tries are counted as; null: they are not. */
  readonly limit: TriedOperation | null;
  readonly handler: Handler;
}

/** What endpoints do, by the names of their operations. */
export type PeopleHandlers = Readonly<Record<string, Handler>>;
