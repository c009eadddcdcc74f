import { LRUCache } from 'lru-cache';
import type { Database, Transaction } from '../../database/database.js';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import { databaseIn } from '../../database/nested-transaction.js';
import { createRevisionCache } from '../../database/revision-cache.js';
import type { RevisionSource } from '../../database/revision-cache.js';
import { isRecord } from '../../lib/records.js';
import type { LazySignal } from '../../lib/resources.js';
import { getOrCreate } from '../../lib/collections.js';
import type { ContentModel } from '../../model/model.js';
import type { AggregateQuery } from '../../query/aggregate.js';
import type { BoundStatement, ReadCompiler } from '../../query/compile/read-compiler.js';
import { narrowToDocument } from '../../query/parse/server-queries.js';
import type { ReadQuery } from '../../query/query.js';
import { IDS_ONLY } from '../../query/query.js';
import { typesRead, readShapeOf } from '../../query/describe-read.js';
import type { ReadShape } from '../../query/describe-read.js';
import type { RecordText } from '../documents.js';

/** Number and duration of reads of one shape. */
export interface ReadUsage {
  readonly shape: ReadShape;
  readonly calls: number;
  /** Total milliseconds of all calls. */
  readonly ms: number;
  readonly maxMs: number;
}

type MutableUsage = { -readonly [Key in keyof ReadUsage]: ReadUsage[Key] };

/** A completed read. */
export interface RanRead {
  readonly query: ReadQuery;
  /** True if the matching documents were counted. */
  readonly isCount: boolean;
}

/** Counts reads by their shape. */
export interface ReadUsages {
  /** Adds one read. `statement` is the same object for all reads that share a compiled statement. */
  readonly record: (statement: object, ms: number, describe: () => RanRead) => void;
  /** Returns the counts since the last call, and resets them. The slowest shapes come first. */
  readonly take: () => readonly ReadUsage[];
}

const MAX_SHAPES = 500;
/** Threshold in milliseconds for checking the plan of a read. */
const SLOW_MS = 3;

interface ReadUsagesOptions {
  readonly onSlow?: (read: RanRead, ms: number) => void;
}

/** Creates the counters of one server. They keep the last 500 shapes between two calls of `take`. */
export function createReadUsages({ onSlow }: ReadUsagesOptions = {}): ReadUsages {
  const usages = new LRUCache<string, MutableUsage>({ max: MAX_SHAPES });
  let byStatement = new WeakMap<object, MutableUsage>();
  const usageOf = (statement: object, { query, isCount }: RanRead): MutableUsage => {
    const shape = readShapeOf(query, isCount);
    const usage = getOrCreate(usages, JSON.stringify(shape), () => ({ shape, calls: 0, ms: 0, maxMs: 0 }));
    byStatement.set(statement, usage);
    return usage;
  };
  return {
    record: (statement, ms, describe) => {
      const usage = byStatement.get(statement) ?? usageOf(statement, describe());
      usage.calls += 1;
      usage.ms += ms;
      if (ms > usage.maxMs) usage.maxMs = ms;
      if (ms > SLOW_MS) onSlow?.(describe(), ms);
    },
    take: () => {
      const taken = [...usages.values()].toSorted((a, b) => b.ms - a.ms);
      usages.clear();
      byStatement = new WeakMap();
      return taken;
    },
  };
}

/** Maximum size of the cache: some ten thousand numbers. */
const MAX_BYTES = 8 * 1024 * 1024;
const NUMBER_BYTES = 8;

/** Maximum length of a cached key. Longer statements are rarely repeated. */
const MAX_KEY_LENGTH = 4000;

/** A statement that counts the rows of a query. */
interface CountStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
}

/** Returns the number of rows of a query. It may be cached until one of the query's types is written. */
export type CountRows = (
  query: ReadQuery,
  statement: CountStatement,
  read: () => Promise<number>,
) => Promise<number>;

const NO_RECORDS: Pick<ReadQuery, 'sort' | 'selection'> = {
  sort: [],
  selection: IDS_ONLY,
};

/** Prints a parameter with its type, since text and numbers that print alike differ. */
const printParameter = (value: BoundValue): string => `${typeof value} ${String(value)}`;

/** Returns the key of a count: the statement with its values. Callers share it. */
const cacheKeyOf = ({ sql, parameters }: CountStatement): string =>
  parameters.length === 0 ? sql : `${sql}\n${JSON.stringify(parameters.map(printParameter))}`;

/** Creates a cache of counts, which are current until the revision of one of their content-types changes. */
export function createCountCache(model: ContentModel, revisions: Pick<RevisionSource, 'current'>): CountRows {
  const cache = createRevisionCache<number>(MAX_BYTES);
  return async (query, statement, read) => {
    const key = cacheKeyOf(statement);
    const current = key.length > MAX_KEY_LENGTH ? null : await revisions.current();
    if (current === null) return read();
    const cached = cache.get(key, current);
    if (cached !== undefined) return cached;
    const value = await read();
    const types = typesRead(model, { ...query, ...NO_RECORDS });
    cache.set(key, { value, bytes: NUMBER_BYTES, types, revisions: current });
    return value;
  };
}

/**
 * Runs compiled reads, on the read connection unless a transaction is given. A read ends when its requester
 * disconnects.
 */
export interface RecordReader {
  readonly many: (query: ReadQuery, signal?: LazySignal) => Promise<readonly RecordText[]>;
  /** Returns one document; null if the query does not match it. */
  readonly one: (query: ReadQuery, documentId: string, signal?: LazySignal) => Promise<RecordText | null>;
  readonly count: (query: ReadQuery, signal?: LazySignal) => Promise<number>;
  readonly aggregate: (aggregate: AggregateQuery, signal?: LazySignal) => Promise<readonly RecordText[]>;
  /** Returns one document as the transaction sees it; null if the query does not match it. */
  readonly oneIn: (tx: Transaction, query: ReadQuery, documentId: string) => Promise<RecordText | null>;
  /** Returns the document ids of the versions that a query matches inside a transaction. */
  readonly documentIdsIn: (
    tx: Transaction,
    query: Omit<ReadQuery, 'selection' | 'page' | 'sort'>,
  ) => Promise<readonly string[]>;
}

const documentIdOf = (row: Readonly<Record<string, unknown>>): string => {
  const [value] = Object.values(row);
  const record: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  if (!isRecord(record)) throw new TypeError('A read returned something that is not a JSON object');
  return String(record['documentId']);
};

/** Counts by a query each time. */
const countByQuery: CountRows = async (_query, _statement, read) => read();

interface RecordReaderOptions {
  /** Default: a query each time. */
  readonly countRows?: CountRows | undefined;
  /** Counts the reads. */
  readonly usages?: ReadUsages | undefined;
  /**
   * The model, which determines the content-types that a query reads from. Required for reading from
   * replicas.
   */
  readonly model?: ContentModel | undefined;
}

interface DescribedRead {
  /** The query that determines the types of a read; null if it does not determine all of them. */
  readonly types: ReadQuery | null;
  readonly describe: () => RanRead;
}

/** Returns a function for the types of a query, cached by its statement. With a release, it returns none. */
const createTypesOf = (
  model: ContentModel | undefined,
): ((compiled: BoundStatement['compiled'], query: ReadQuery) => readonly string[] | undefined) => {
  if (model === undefined) return () => undefined;
  const types = new WeakMap<BoundStatement['compiled'], readonly string[]>();
  return (compiled, query) =>
    query.release === undefined ? getOrCreate(types, compiled, () => typesRead(model, query)) : undefined;
};

/** Runs statements and records their duration. */
const createTimedReads = (database: Database, { usages, model }: RecordReaderOptions) => {
  const typesOf = createTypesOf(model);
  return {
    texts: async (
      { sql, parameters, compiled }: BoundStatement,
      signal: LazySignal | undefined,
      { types, describe }: DescribedRead,
    ): Promise<readonly RecordText[]> => {
      const startedAt = usages === undefined ? 0 : performance.now();
      const read = types === null ? undefined : typesOf(compiled, types);
      const texts = await database.readTexts(sql, parameters, signal, read);
      usages?.record(compiled, performance.now() - startedAt, describe);
      return texts.filter((text) => text !== null);
    },
    number: async (
      { sql, parameters, compiled }: BoundStatement,
      signal: LazySignal | undefined,
      query: ReadQuery,
    ): Promise<number> => {
      const startedAt = usages === undefined ? 0 : performance.now();
      const number = await database.readNumber(sql, parameters, signal, typesOf(compiled, query));
      usages?.record(compiled, performance.now() - startedAt, () => ({ query, isCount: true }));
      return number;
    },
  };
};

/** Creates a reader of records. */
export function createRecordReader(
  database: Database,
  compiler: ReadCompiler,
  { countRows = countByQuery, ...options }: RecordReaderOptions = {},
): RecordReader {
  const timed = createTimedReads(database, options);
  const { search } = database.dialect.expressions;
  /** Reads again by a scan if a full-text index was dropped meanwhile. */
  const withObjects = <T>(read: () => Promise<T>): Promise<T> =>
    read().catch((error: unknown) => {
      if (!search.isIndexMissing(error)) throw error;
      compiler.leaveObjects();
      return read();
    });
  return {
    many: (query, signal) =>
      withObjects(async () =>
        timed.texts(compiler.read(query), signal, {
          types: query,
          describe: () => ({ query, isCount: false }),
        }),
      ),
    one: (query, documentId, signal) =>
      withObjects(async () => {
        const narrowed = narrowToDocument(query, documentId);
        const [record] = await timed.texts(compiler.read(narrowed), signal, {
          types: narrowed,
          describe: () => ({ query: narrowed, isCount: false }),
        });
        return record ?? null;
      }),
    count: (query, signal) =>
      withObjects(async () => {
        const statement = compiler.count(query);
        const read = (): Promise<number> => timed.number(statement, signal, query);
        // Changes of a release do not change the revision of a type.
        return query.release === undefined ? countRows(query, statement, read) : read();
      }),
    aggregate: (aggregate, signal) =>
      timed.texts(compiler.aggregate(aggregate), signal, {
        // The query does not determine the types that groups are linked to.
        types: aggregate.keys.some(({ kind }) => kind === 'link') ? null : aggregate.query,
        // An index serves the figures of a filter in the same way as its count.
        describe: () => ({ query: aggregate.query, isCount: true }),
      }),
    oneIn: async (tx, query, documentId) => {
      const { sql, parameters } = compiler.read(narrowToDocument(query, documentId));
      const [record] = await databaseIn(database, tx).readTexts(sql, parameters);
      return record ?? null;
    },
    documentIdsIn: async (tx, query) => {
      const { sql, parameters } = compiler.read({
        ...query,
        selection: IDS_ONLY,
        page: null,
        sort: [],
      });
      return (await tx.query(sql, parameters)).map(documentIdOf);
    },
  };
}

/** Returns a reader whose reads end when the signal aborts. */
export const recordsFor = (records: RecordReader, signal: LazySignal | undefined): RecordReader =>
  signal === undefined
    ? records
    : {
        ...records,
        many: (query) => records.many(query, signal),
        one: (query, documentId) => records.one(query, documentId, signal),
        count: (query) => records.count(query, signal),
        aggregate: (aggregate) => records.aggregate(aggregate, signal),
      };
