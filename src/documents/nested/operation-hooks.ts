import type { Database, Transaction } from '../../database/database.js';
import type { DocumentEvent, DocumentHooks, HookTransaction } from '../hooks.js';
import type { GetRepository } from '../repository/document-repository.js';
import { createNestedTransaction } from '../../database/nested-transaction.js';
import type { NestedTransaction } from '../../database/nested-transaction.js';

/** The hooks as document operations call them. */
export interface OperationHooks extends Pick<
  DocumentHooks,
  'run' | 'hasMiddleware' | 'isHooked' | 'emitAfter'
> {
  /** Returns whether a listener wrote documents, so that what was read before may be out of date. */
  readonly emitBefore: (events: readonly DocumentEvent[], tx: Transaction) => Promise<boolean>;
}

/** Returns `documents(uid)` for one hook call, whose reads and writes belong to the transaction. */
export type OpenRepositories = (tx: Transaction, nested: NestedTransaction, depth: number) => GetRepository;

interface HookCall {
  readonly tx: HookTransaction;
  readonly hasWritten: () => boolean;
}

/**
 * Adds `documents` to the transaction that a before listener gets. The service behind it is created when the
 * listener first asks for it.
 *
 * @param depth 1 for the hooks of a write that no hook has started
 */
export function openHookCall(openRepositories: OpenRepositories, tx: Transaction, depth: number): HookCall {
  const nested = createNestedTransaction(tx, depth);
  let repositories: GetRepository | undefined;
  const documents: GetRepository = (uid) => {
    repositories ??= openRepositories(tx, nested, depth);
    return repositories(uid);
  };
  // The transaction may be that of an outer hook, which has documents of its own.
  return { hasWritten: nested.hasWritten, tx: Object.assign({}, tx, { documents }) };
}

interface OperationHooksOptions {
  readonly hooks: DocumentHooks;
  readonly database: Pick<Database, 'join'>;
  readonly openRepositories: OpenRepositories;
  /** The hook call whose listener makes the writes. Null: no hook does. */
  readonly parent: { readonly tx: Transaction; readonly depth: number } | null;
}

/** Returns the hooks as the operations of one document service call them. */
export function createOperationHooks({
  hooks,
  database,
  openRepositories,
  parent,
}: OperationHooksOptions): OperationHooks {
  return {
    run: (action, type, params, work) =>
      parent === null || !hooks.hasMiddleware(type)
        ? hooks.run(action, type, params, work)
        : database.join(parent.tx, () => hooks.run(action, type, params, work)),
    hasMiddleware: hooks.hasMiddleware,
    isHooked: hooks.isHooked,
    emitAfter: hooks.emitAfter,
    emitBefore: async (events, tx) => {
      const call = openHookCall(openRepositories, tx, (parent?.depth ?? 0) + 1);
      await hooks.emitBefore(events, call.tx);
      return call.hasWritten();
    },
  };
}
