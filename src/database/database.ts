import type { ChangeFeedHandlers, OpenChangeFeed } from '../dialects/change-feed.js';
import type { BoundValue, Dialect } from '../dialects/dialect.js';

type Row = Readonly<Record<string, unknown>>;

/** The part of a generated Prisma model delegate the toolkit writes with; arguments are Prisma's own. */
export interface ModelDelegate {
  create(args: { readonly data: Row; readonly select?: Row }): Promise<Row>;
  createMany(args: { readonly data: readonly Row[] }): Promise<{ readonly count: number }>;
  findUnique(args: { readonly where: Row; readonly select?: Row }): Promise<Row | null>;
  findFirst(args: { readonly where?: Row; readonly select?: Row; readonly orderBy?: Row | readonly Row[] }): Promise<Row | null>;
  findMany(args: { readonly where?: Row; readonly select?: Row; readonly orderBy?: Row | readonly Row[]; readonly take?: number; readonly skip?: number }): Promise<readonly Row[]>;
  count(args: { readonly where?: Row }): Promise<number>;
  update(args: { readonly where: Row; readonly data: Row; readonly select?: Row }): Promise<Row>;
  updateMany(args: { readonly where: Row; readonly data: Row }): Promise<{ readonly count: number }>;
  upsert(args: { readonly where: Row; readonly create: Row; readonly update: Row }): Promise<Row>;
  delete(args: { readonly where: Row }): Promise<Row>;
  deleteMany(args: { readonly where: Row }): Promise<{ readonly count: number }>;
}

/** Writing inside one transaction. */
export interface Transaction {
  /** The delegate of a generated model, by the model's name (`Article`, `ArticleDocument`). */
  readonly model: (name: string) => ModelDelegate;
  /**
   * A raw statement inside the transaction, straight to the driver: a small fraction of what a delegate's call costs. Answers how many rows changed.
   * Placeholders are the dialect's (`dialect.placeholder(1)`); values are text, numbers, bigints, booleans, dates, null, and JSON as its text.
   */
  readonly execute: (sql: string, parameters: readonly unknown[]) => Promise<number>;
  /** As `execute`, answering rows as the driver has them: integers beyond 2^53 are text, and on SQLite booleans are 0 and 1 and times text. */
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<readonly Row[]>;
  /**
   * Waits until no other transaction holds the same name, and holds it to the end of this one: what is checked afterwards stays true until the commit.
   * Take several in a fixed order.
   *
   * @example await tx.lock('api::tag.tag name=red');
   */
  readonly lock: (name: string) => Promise<void>;
  /**
   * To be called before rows of other documents are locked, in whatever order, by a transaction that holds one already. Where another one is in
   * the way, this one is then given up soon and run again; such repetitions take turns, so that not many of them wait for each other in a ring.
   */
  readonly yieldSoon: () => Promise<void>;
}

/**
 * One open database: compiled reads on connections of their own, writes in transactions that the generated Prisma Client begins and that compiled
 * statements, hooks and the client share. Knows no content types.
 */
export interface Database {
  readonly dialect: Dialect;
  readonly readTexts: (sql: string, parameters: readonly BoundValue[]) => Promise<readonly (string | null)[]>;
  readonly readNumber: (sql: string, parameters: readonly BoundValue[]) => Promise<number>;
  /**
   * Runs `work` in one transaction: all or nothing. Retries where the database asks for it (serialisation, deadlock, busy), so `work` may run more than once.
   * Driver faults surface as `DatabaseFault`.
   */
  readonly transact: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Opens a connection of its own that hears what transactions announce (`dialect.changeFeed`). */
  readonly openChangeFeed: (handlers: ChangeFeedHandlers) => Promise<OpenChangeFeed>;
  /** What writes SQL null to a Json field (Prisma's `DbNull`); a plain null is refused there. */
  readonly jsonNull: unknown;
  /** The generated Prisma Client itself, for users' own server code. */
  readonly client: unknown;
  readonly close: () => Promise<void>;
}
