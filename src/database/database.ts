import { lowerFirst } from '../lib/names.js';
import { propertyOf } from '../lib/records.js';
import type { LazySignal, PoolUse } from '../lib/resources.js';
import type {
  ChangeFeedHandlers,
  OpenChangeFeed,
  OpenRevisions,
  RevisionOptions,
  Dialect,
} from './dialect/dialect.js';
import type { ReadObjects } from './dialect/search-expressions.js';
import type { BoundValue } from './dialect/sql-expressions.js';
import type { Table, TableRows } from './table.js';

/** Writes inside one transaction. */
export interface Transaction {
  /** The delegate of a generated model, by the model's name (`Article`, `ArticleDocument`). */
  readonly model: (name: string) => ModelDelegate;
  /** The rows of a table, which are read and written without Prisma Client. */
  readonly table: (table: Table) => TableRows;
  /**
   * Runs a raw statement on the driver, which costs a fraction of a call of a delegate. Returns the number of
   * changed rows. Placeholders are those of the dialect (`dialect.expressions.placeholder(1)`). Values are
   * text, numbers, bigints, booleans, dates, null, and JSON as its text.
   */
  readonly execute: (sql: string, parameters: readonly unknown[]) => Promise<number>;
  /**
   * Runs a raw statement and returns its rows as the driver does: integers beyond 2^53 are text; on SQLite
   * booleans are 0 and 1, and times are text.
   */
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<readonly Row[]>;
  /**
   * Locks a name until the transaction ends, and waits while another transaction holds it. Conditions checked
   * after the lock remain true until the commit. Lock several names in a fixed order.
   *
   * @example
   *   await tx.lock('api::tag.tag name=red');
   */
  readonly lock: (name: string) => Promise<void>;
  /**
   * Call this in a transaction that has locked one document and is about to lock others. Their order is not
   * fixed, so two such transactions could wait for each other. From now on, the transaction fails after a
   * moment if a row is locked, and is run again. Retries run one at a time and wait without limit.
   */
  readonly limitLockWaits: () => Promise<void>;
  /**
   * Runs project code. Its statements through Prisma Client outside of this transaction do not wait until the
   * transaction ends, if both share one connection.
   */
  readonly runProjectCode: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Calls `callback` inside the transaction, right before it is committed. An error that it throws rolls
   * everything back.
   */
  readonly beforeCommit: (callback: () => Promise<void>) => void;
  /** Calls `callback` once the transaction is committed, and never if it is rolled back. */
  readonly afterCommit: (callback: () => Promise<void>) => void;
}

export interface TransactOptions {
  /** False: project code runs only in {@link Transaction.runProjectCode}, so other statements are cheaper. */
  readonly callsProjectCode?: boolean;
  /**
   * True: the transaction runs again after a conflict with a concurrent write, which wrote the same unique
   * value or deleted a link's target. Its checks then find the cause and report it. Default: false.
   */
  readonly retriesConflicts?: boolean;
}

/**
 * An open database. Compiled reads have separate connections. Writes run in transactions that compiled
 * statements, hooks and the generated Prisma Client share. Knows no content types.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Returns the auxiliary objects that reads use. */
  readonly readObjects: () => Promise<ReadObjects>;
  /**
   * Runs a statement whose only column is text or null. Returns that column of every row, in order. A long
   * read ends when its signal aborts. If `types` lists all content-types that it reads from, and it reads
   * from nothing else, a replica may run it.
   */
  readonly readTexts: (
    sql: string,
    parameters: readonly BoundValue[],
    signal?: LazySignal,
    types?: readonly string[],
  ) => Promise<readonly (string | null)[]>;
  /** Runs a statement that returns one number. */
  readonly readNumber: (
    sql: string,
    parameters: readonly BoundValue[],
    signal?: LazySignal,
    types?: readonly string[],
  ) => Promise<number>;
  /**
   * Runs `work` in one transaction. Retries after conflicts (serialization, deadlock, busy), so `work` may
   * run more than once.
   *
   * @throws DatabaseError if the database rejects it or is not reachable
   */
  readonly transact: <T>(work: (tx: Transaction) => Promise<T>, options?: TransactOptions) => Promise<T>;
  /**
   * Runs `work`, whose reads and transactions, however deep below, belong to `tx`. Statements that it runs
   * after it has ended belong to no transaction.
   */
  readonly join: <T>(tx: Transaction, work: () => Promise<T>) => Promise<T>;
  /** Returns the transaction that the calling code has joined. Null: none. */
  readonly joined: () => Transaction | null;
  /** Begins to notice the announcements of transactions (`dialect.changeFeed`). */
  readonly openChangeFeed: (handlers: ChangeFeedHandlers) => Promise<OpenChangeFeed>;
  /** Begins to notice when rows of content-types change (`dialect.revisions`). */
  readonly openRevisions: (options: Omit<RevisionOptions, 'url'>) => Promise<OpenRevisions>;
  /** Loads and connects the generated Prisma Client. */
  readonly loadClient: () => Promise<unknown>;
  /** Returns a function that loads the generated Prisma Client when project code first uses it. */
  readonly prepareClient: () => Promise<() => unknown>;
  /** Returns the use of connections, by purpose. Connections that are not open yet are omitted. */
  readonly pools: () => Promise<Readonly<Record<string, PoolUse>>>;
  readonly close: () => Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

/** The part of a model delegate of the generated Prisma Client that the toolkit calls. */
export interface ModelDelegate {
  create(args: { readonly data: Row; readonly select?: Row }): Promise<Row>;
  createMany(args: { readonly data: readonly Row[] }): Promise<{ readonly count: number }>;
  findUnique(args: { readonly where: Row; readonly select?: Row }): Promise<Row | null>;
  findFirst(args: {
    readonly where?: Row;
    readonly select?: Row;
    readonly orderBy?: Row | readonly Row[];
  }): Promise<Row | null>;
  findMany(args: {
    readonly where?: Row;
    readonly select?: Row;
    readonly orderBy?: Row | readonly Row[];
    readonly take?: number;
    readonly skip?: number;
  }): Promise<readonly Row[]>;
  count(args: { readonly where?: Row }): Promise<number>;
  update(args: { readonly where: Row; readonly data: Row; readonly select?: Row }): Promise<Row>;
  updateMany(args: { readonly where: Row; readonly data: Row }): Promise<{ readonly count: number }>;
  upsert(args: { readonly where: Row; readonly create: Row; readonly update: Row }): Promise<Row>;
  delete(args: { readonly where: Row }): Promise<Row>;
  deleteMany(args: { readonly where: Row }): Promise<{ readonly count: number }>;
}

const isDelegate = (value: unknown): value is ModelDelegate =>
  typeof value === 'object' && value !== null && 'createMany' in value;

/** Returns the delegate of a model, which Prisma Client names with a lower-case first letter. */
export function delegateOf(client: unknown, model: string): ModelDelegate {
  const delegate = propertyOf(client, lowerFirst(model));
  if (!isDelegate(delegate)) throw new TypeError(`The generated client has no model ${model}`);
  return delegate;
}

const METHODS: Readonly<Record<keyof ModelDelegate, true>> = {
  create: true,
  createMany: true,
  findUnique: true,
  findFirst: true,
  findMany: true,
  count: true,
  update: true,
  updateMany: true,
  upsert: true,
  delete: true,
  deleteMany: true,
};

const isMethod = (name: string | symbol): name is keyof ModelDelegate => Object.hasOwn(METHODS, name);

/** Creates a delegate whose methods all do `call`. */
export function createDelegate(
  call: (method: keyof ModelDelegate, args: unknown) => Promise<unknown>,
): ModelDelegate {
  const delegate = Object.fromEntries(
    Object.keys(METHODS)
      .filter(isMethod)
      .map((method) => [method, (args: unknown) => call(method, args)]),
  );
  return delegate as unknown as ModelDelegate;
}
