import type { Database, Transaction } from '../database/database.js';
import { isRecord } from '../lib/is-record.js';
import type { AggregateQuery } from '../query/aggregate.js';
import type { ReadQuery } from '../query/query.js';
import type { ReadCompiler } from '../sql/read-compiler.js';
import type { CountRows } from './count-memory.js';
import type { RecordText } from './documents.js';

/** Runs compiled reads, on the read connection unless a transaction is given. */
export interface RecordReader {
  readonly many: (query: ReadQuery) => Promise<readonly RecordText[]>;
  readonly count: (query: ReadQuery) => Promise<number>;
  readonly aggregate: (aggregate: AggregateQuery) => Promise<readonly RecordText[]>;
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

/** Counts anew each time. */
const countAnew: CountRows = async (_query, _statement, read) => read();

export function createRecordReader(
  database: Database,
  compiler: ReadCompiler,
  countRows: CountRows = countAnew,
): RecordReader {
  /** Reads again by a scan where a full-text index has been dropped meanwhile. */
  const withIndexes = <T>(read: () => Promise<T>): Promise<T> =>
    read().catch((error: unknown) => {
      if (!database.dialect.expressions.search.isIndexMissing(error)) throw error;
      compiler.leaveSearchIndexes();
      return read();
    });
  return {
    many: (query) =>
      withIndexes(async () => {
        const { sql, parameters } = compiler.read(query);
        return (await database.readTexts(sql, parameters)).filter((text) => text !== null);
      }),
    count: (query) =>
      withIndexes(async () => {
        const statement = compiler.count(query);
        return countRows(query, statement, () => database.readNumber(statement.sql, statement.parameters));
      }),
    aggregate: async (aggregate) => {
      const { sql, parameters } = compiler.aggregate(aggregate);
      return (await database.readTexts(sql, parameters)).filter((text) => text !== null);
    },
    documentIdsIn: async (tx, query) => {
      const { sql, parameters } = compiler.read({
        ...query,
        selection: { fields: [], populate: [] },
        page: null,
        sort: [],
      });
      return (await tx.query(sql, parameters)).map(documentIdOf);
    },
  };
}
