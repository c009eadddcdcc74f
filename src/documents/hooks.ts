import type { Database, Transaction } from '../database/database.js';
import { createNestedTransaction } from '../database/nested-transaction.js';
import type { NestedTransaction } from '../database/nested-transaction.js';
import type { Uid, VersionStatus } from '../model/model.js';
import type { AggregateQuery } from '../query/aggregate.js';
import type { ReadQuery } from '../query/query.js';
import type { GetRepository } from './document-repository.js';
import type { CreateParams, DeleteParams, UpdateParams, VersionParams } from './documents.js';

/** The parameters of every operation of the document service. */
interface OperationParams {
  findMany: ReadQuery;
  findOne: { readonly query: ReadQuery; readonly documentId: string | null };
  count: ReadQuery;
  aggregate: AggregateQuery;
  create: CreateParams;
  update: UpdateParams;
  delete: DeleteParams;
  publish: VersionParams;
  unpublish: VersionParams;
  discardDraft: VersionParams;
}

type DocumentAction = keyof OperationParams;
/** The actions that write documents. */
export const WRITE_ACTIONS = [
  'create',
  'update',
  'delete',
  'publish',
  'unpublish',
  'discardDraft',
] as const satisfies readonly DocumentAction[];

export type WriteAction = (typeof WRITE_ACTIONS)[number];

/** A running operation. A middleware may replace `params` before it calls `next`. */
export type DocumentOperation = {
  [Action in DocumentAction]: {
    readonly action: Action;
    readonly type: Uid;
    params: OperationParams[Action];
  };
}[DocumentAction];

/**
 * Wraps operations, including reads. Returns the result of `next`, or a value of the same form. Uploads are
 * writes of `plugin::upload.file`. A middleware may change `name`, `alternativeText`, `caption` and
 * `focalPoint` in their data.
 *
 * @example
 *   documents.use(
 *     async (operation, next) => {
 *       if (operation.action === 'delete') throw new ForbiddenError('Articles are never deleted');
 *       return next();
 *     },
 *     ['api::article.article'],
 *   );
 */
export type DocumentMiddleware = (
  operation: DocumentOperation,
  next: () => Promise<unknown>,
) => Promise<unknown>;

/** A write that is about to run or has run. */
export interface DocumentEvent {
  readonly action: WriteAction;
  readonly type: Uid;
  readonly documentId: string;
  /** The written locale. Null for types that are not localised, and if all locales are deleted. */
  readonly locale: string | null;
  readonly status: VersionStatus | null;
  /** The client's data; null for actions without data. Of a restored document its values. */
  readonly data: unknown;
  /** Set if a deleted document is restored. The action is `create` then. */
  readonly isRestored?: true;
}

/** The transaction of a write, for before listeners. */
export interface HookTransaction extends Transaction {
  /**
   * The documents of a content type inside the transaction. Writes are validated and call hooks like any
   * other. They are committed or rolled back with the write that called the listener.
   */
  readonly documents: GetRepository;
}

/**
 * Runs inside the transaction of a write. An error that it throws rejects the write. Runs again if the
 * database requires the transaction to be repeated.
 *
 * @example
 *   documents.before(
 *     'publish',
 *     async ({ documentId }, tx) => {
 *       const article = await tx.documents('api::article.article').findOne({ documentId });
 *       if (article?.title === '') throw new ApplicationError('A published article needs a title');
 *     },
 *     ['api::article.article'],
 *   );
 */
export type BeforeListener = (event: DocumentEvent, tx: HookTransaction) => void | Promise<void>;
/** Receives all events of one step of a bulk in one call. They have one action and type. */
type Observer = (events: readonly DocumentEvent[], tx: Transaction) => Promise<void>;

/**
 * Runs after the commit of a write. Errors that it throws are logged, and roll back nothing.
 *
 * @example
 *   documents.after('publish', ({ type, documentId }) => console.error('published', type, documentId));
 */
export type AfterListener = (event: DocumentEvent) => void | Promise<void>;

export interface DocumentHooks {
  /** Adds a middleware for all types or only for `types`. The first one added is the outermost. */
  readonly use: (middleware: DocumentMiddleware, types?: readonly Uid[]) => void;
  /** Like `use`, for the operations that `options` select. Returns a function that removes the middleware. */
  readonly wrap: (middleware: DocumentMiddleware, options: WrapOptions) => () => void;
  readonly before: (action: WriteAction, listener: BeforeListener, types?: readonly Uid[]) => void;
  /**
   * Like `before`, for a listener that is not project code. It neither uses Prisma Client nor writes
   * documents.
   */
  readonly observe: (action: WriteAction, listener: Observer, types?: readonly Uid[]) => void;
  readonly after: (action: WriteAction, listener: AfterListener, types?: readonly Uid[]) => void;
  /** True if any middleware wraps reads of the type. */
  readonly wrapsReads: (type: Uid) => boolean;
  /** True if any middleware wraps operations on the type. */
  readonly hasMiddleware: (type: Uid) => boolean;
  /** True if project code runs before or around a write of that type. */
  readonly isHooked: (action: WriteAction, type: Uid) => boolean;
  readonly run: <Action extends DocumentAction, T>(
    action: Action,
    type: Uid,
    params: OperationParams[Action],
    work: (params: OperationParams[Action]) => Promise<T>,
  ) => Promise<T>;
  /** The events are of one action and type. */
  readonly emitBefore: (events: readonly DocumentEvent[], tx: HookTransaction) => Promise<void>;
  /** The events are of one action and type. */
  readonly emitAfter: (events: readonly DocumentEvent[]) => Promise<void>;
}

interface Registration<T> {
  readonly handler: T;
  readonly types: readonly Uid[] | undefined;
}

interface WrapOptions {
  /** Called for each operation. Default: all types. */
  readonly appliesTo?: (type: Uid) => boolean;
  readonly concerns: 'reads' | 'writes' | 'all';
  /** True if it runs inside of all middlewares added by `use`. */
  readonly isInnermost?: boolean;
}

interface MiddlewareRegistration extends Required<WrapOptions> {
  readonly handler: DocumentMiddleware;
}

const READ_ACTIONS: ReadonlySet<DocumentAction> = new Set(['findMany', 'findOne', 'count', 'aggregate']);

const wraps =
  (action: DocumentAction, type: Uid) =>
  ({ concerns, appliesTo: applies }: MiddlewareRegistration): boolean =>
    (concerns === 'all' || (concerns === 'reads') === READ_ACTIONS.has(action)) && applies(type);

const appliesTo =
  (type: Uid) =>
  ({ types }: { readonly types: readonly Uid[] | undefined }): boolean =>
    types === undefined || types.includes(type);

type BatchListener = (events: readonly DocumentEvent[], tx: HookTransaction) => Promise<void>;

/** Returns a filter for the listeners of events, which have one action and type. */
const listensTo =
  ([event]: readonly DocumentEvent[]) =>
  ({
    action,
    types,
  }: {
    readonly action: WriteAction;
    readonly types: readonly Uid[] | undefined;
  }): boolean =>
    event !== undefined && action === event.action && appliesTo(event.type)({ types });

interface HookOptions {
  /** Called with errors that after listeners throw. */
  readonly onError: (error: unknown) => void;
}

/** Creates a function that runs operations inside of the middlewares that apply to them. */
const createRun = (middlewares: readonly MiddlewareRegistration[]): DocumentHooks['run'] => {
  const runWrapped: DocumentHooks['run'] = async (action, type, params, work) => {
    const matching = middlewares.filter(wraps(action, type));
    if (matching.length === 0) return work(params);
    const applicable = [
      ...matching.filter(({ isInnermost }) => !isInnermost),
      ...matching.filter(({ isInnermost }) => isInnermost),
    ];
    const operation = { action, type, params };
    const callFrom = (index: number): Promise<unknown> => {
      const middleware = applicable[index];
      return middleware === undefined
        ? work(operation.params)
        : middleware.handler(operation as DocumentOperation, () => callFrom(index + 1));
    };
    return (await callFrom(0)) as Awaited<ReturnType<typeof work>>;
  };

  return (action, type, params, work) =>
    middlewares.length === 0 ? work(params) : runWrapped(action, type, params, work);
};

/** Creates the registry of a project's hooks. Hooks are added before the server listens. */
export function createDocumentHooks({ onError }: HookOptions): DocumentHooks {
  const middlewares: MiddlewareRegistration[] = [];
  const beforeListeners: (Registration<BatchListener> & {
    readonly action: WriteAction;
    readonly isProjectCode: boolean;
  })[] = [];
  const afterListeners: (Registration<AfterListener> & { readonly action: WriteAction })[] = [];

  const run = createRun(middlewares);

  return {
    use: (handler, types) => {
      const applies = (type: Uid): boolean => appliesTo(type)({ types });
      middlewares.push({ handler, appliesTo: applies, concerns: 'all', isInnermost: false });
    },
    wrap: (handler, { appliesTo: applies = () => true, concerns, isInnermost = false }) => {
      const registration = { handler, appliesTo: applies, concerns, isInnermost };
      middlewares.push(registration);
      return () => void middlewares.splice(middlewares.indexOf(registration), 1);
    },
    wrapsReads: (type) =>
      middlewares.some(({ concerns, appliesTo: applies }) => concerns !== 'writes' && applies(type)),
    before: (action, listener, types) => {
      const handler: BatchListener = async (events, tx) => {
        for (const event of events) await tx.runProjectCode(async () => listener(event, tx));
      };
      beforeListeners.push({ action, handler, types, isProjectCode: true });
    },
    observe: (action, handler, types) => {
      beforeListeners.push({ action, handler, types, isProjectCode: false });
    },
    after: (action, handler, types) => {
      afterListeners.push({ action, handler, types });
    },
    hasMiddleware: (type) => middlewares.some(({ appliesTo: applies }) => applies(type)),
    isHooked: (action, type) =>
      middlewares.some(wraps(action, type)) ||
      beforeListeners.some(
        (listener) => listener.isProjectCode && listener.action === action && appliesTo(type)(listener),
      ),
    run,
    emitBefore: async (events, tx) => {
      for (const { handler } of beforeListeners.filter(listensTo(events))) await handler(events, tx);
    },
    emitAfter: async (events) => {
      const matching = afterListeners.filter(listensTo(events));
      if (matching.length === 0) return;
      for (const event of events)
        for (const { handler } of matching)
          try {
            await handler(event);
          } catch (error) {
            onError(error);
          }
    },
  };
}

/** The hooks that document operations call. */
export interface OperationHooks extends Pick<
  DocumentHooks,
  'run' | 'hasMiddleware' | 'isHooked' | 'emitAfter'
> {
  /** Returns true if a listener wrote documents, so that earlier reads may be outdated. */
  readonly emitBefore: (events: readonly DocumentEvent[], tx: Transaction) => Promise<boolean>;
}

/** Returns `documents(uid)` for one hook call, whose reads and writes belong to the transaction. */
export type OpenRepositories = (tx: Transaction, nested: NestedTransaction, depth: number) => GetRepository;

interface HookCall {
  readonly tx: HookTransaction;
  readonly hasWritten: () => boolean;
}

/**
 * Adds `documents` to the transaction for a before listener. The document service behind it is created on
 * first use.
 *
 * @param depth 1 for the hooks of a write that no hook started
 */
export function openHookCall(openRepositories: OpenRepositories, tx: Transaction, depth: number): HookCall {
  const nested = createNestedTransaction(tx, depth);
  let repositories: GetRepository | undefined;
  const documents: GetRepository = (uid) => {
    repositories ??= openRepositories(tx, nested, depth);
    return repositories(uid);
  };
  // The transaction may be that of an outer hook, which already has documents.
  return { hasWritten: nested.hasWritten, tx: Object.assign({}, tx, { documents }) };
}

interface OperationHooksOptions {
  readonly hooks: DocumentHooks;
  readonly database: Pick<Database, 'join'>;
  readonly openRepositories: OpenRepositories;
  /** The hook call whose listener makes the writes; null if no hook makes them. */
  readonly parent: { readonly tx: Transaction; readonly depth: number } | null;
}

/** Creates the hooks for the operations of one document service. */
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
