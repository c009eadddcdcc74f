import type { Transaction } from '../database/database.js';
import type { Uid, VersionStatus } from '../model/model.js';
import type { ReadQuery } from '../query/query.js';
import type { CreateParams, DeleteParams, UpdateParams, VersionParams } from './documents.js';

/** The parameters of every operation of the document service. */
export interface OperationParams {
  findMany: ReadQuery;
  findOne: { readonly query: ReadQuery; readonly documentId: string | null };
  count: ReadQuery;
  create: CreateParams;
  update: UpdateParams;
  delete: DeleteParams;
  publish: VersionParams;
  unpublish: VersionParams;
  discardDraft: VersionParams;
}

export type DocumentAction = keyof OperationParams;
export type WriteAction = Exclude<DocumentAction, 'findMany' | 'findOne' | 'count'>;

/** A running operation; a middleware may put other parameters in place before it calls `next`. */
export type DocumentOperation = {
  [Action in DocumentAction]: { readonly action: Action; readonly type: Uid; params: OperationParams[Action] };
}[DocumentAction];

/**
 * Wraps operations, reads included. Returns what `next` returns, or something of the same form. Uploads pass here, too, as writes of
 * `plugin::upload.file`: of their data a middleware may change what is said of a file (name, alternativeText, caption, focalPoint).
 */
export type DocumentMiddleware = (operation: DocumentOperation, next: () => Promise<unknown>) => Promise<unknown>;

/** A write that is about to be done, or is done. */
export interface DocumentEvent {
  readonly action: WriteAction;
  readonly type: Uid;
  readonly documentId: string;
  /** The locale written; null for types that are not localised, and when all are deleted. */
  readonly locale: string | null;
  readonly status: VersionStatus | null;
  /** The client's data, where the action has any. */
  readonly data: unknown;
}

/**
 * Before events run inside the write's transaction: throwing refuses the write, and other rows written through `tx` share its fate. Where the database
 * asks to try again they run again.
 */
export type BeforeListener = (event: DocumentEvent, tx: Transaction) => void | Promise<void>;
/** After events run when the write is committed; what they throw is reported and undoes nothing. */
export type AfterListener = (event: DocumentEvent) => void | Promise<void>;

export interface DocumentHooks {
  /** Middlewares run in the order they are given, the first outermost; on all types, or only on those. */
  readonly use: (middleware: DocumentMiddleware, types?: readonly Uid[]) => void;
  readonly before: (action: WriteAction, listener: BeforeListener, types?: readonly Uid[]) => void;
  readonly after: (action: WriteAction, listener: AfterListener, types?: readonly Uid[]) => void;
  /** Whether any middleware wraps operations on that type. */
  readonly hasMiddleware: (type: Uid) => boolean;
  readonly run: <Action extends DocumentAction, T>(action: Action, type: Uid, params: OperationParams[Action], work: (params: OperationParams[Action]) => Promise<T>) => Promise<T>;
  readonly emitBefore: (event: DocumentEvent, tx: Transaction) => Promise<void>;
  readonly emitAfter: (event: DocumentEvent) => Promise<void>;
}

interface Registered<T> {
  readonly call: T;
  readonly types: readonly Uid[] | undefined;
}

const concerns = (type: Uid) => ({ types }: { readonly types: readonly Uid[] | undefined }): boolean => types === undefined || types.includes(type);

interface HookOptions {
  /** Told what an after listener throws. */
  readonly onError: (error: unknown) => void;
}

/** The list of a project's hooks, empty at first; whoever wants to take part registers before the server listens. */
export function createDocumentHooks({ onError }: HookOptions): DocumentHooks {
  const middlewares: Registered<DocumentMiddleware>[] = [];
  const befores: (Registered<BeforeListener> & { readonly action: WriteAction })[] = [];
  const afters: (Registered<AfterListener> & { readonly action: WriteAction })[] = [];

  const run: DocumentHooks['run'] = async (action, type, params, work) => {
    const wrapped = middlewares.filter(concerns(type));
    if (wrapped.length === 0) return work(params);
    const operation = { action, type, params };
    const enter = (index: number): Promise<unknown> => {
      const middleware = wrapped[index];
      return middleware === undefined ? work(operation.params) : middleware.call(operation as DocumentOperation, () => enter(index + 1));
    };
    return await enter(0) as Awaited<ReturnType<typeof work>>;
  };

  return {
    use: (call, types) => {
      middlewares.push({ call, types });
    },
    before: (action, call, types) => {
      befores.push({ action, call, types });
    },
    after: (action, call, types) => {
      afters.push({ action, call, types });
    },
    hasMiddleware: (type) => middlewares.some(concerns(type)),
    run,
    emitBefore: async (event, tx) => {
      for (const { action, call, types } of befores) if (action === event.action && concerns(event.type)({ types })) await call(event, tx);
    },
    emitAfter: async (event) => {
      for (const { action, call, types } of afters) {
        if (action !== event.action || !concerns(event.type)({ types })) continue;
        try {
          await call(event);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
