import type { Span, Tracer } from '@opentelemetry/api';
import type { Database, Transaction } from '../../database/database.js';
import type { OpenTelemetry } from './opentelemetry.js';

interface TraceDatabaseOptions {
  readonly api: OpenTelemetry;
  readonly tracer: Tracer;
  /** The database's name in the semantic conventions. */
  readonly system: string;
}

/** Statements are longer the more is populated, and their ends tell little. */
const MAX_TEXT = 4000;

const OPERATION = /^\s*(\w+)/;

const operationOf = (sql: string): string => OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';

/** Runs statements and transactions in spans of their own. */
const createTracer = ({ api, tracer, system }: TraceDatabaseOptions) => {
  const { SpanKind, SpanStatusCode } = api;
  const finish = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    /** Values are parameters of the statement, so that its text holds none. */
    statement: <T>(sql: string, work: () => Promise<T>): Promise<T> => {
      const operation = operationOf(sql);
      const attributes = {
        'db.system.name': system,
        'db.operation.name': operation,
        'db.query.text': sql.slice(0, MAX_TEXT),
      };
      return finish(tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes }), work);
    },
    transaction: <T>(work: () => Promise<T>): Promise<T> =>
      tracer.startActiveSpan('transaction', { attributes: { 'db.system.name': system } }, (span) =>
        finish(span, work),
      ),
  };
};

/** Returns a database whose reads, transactions and the statements in these have spans. */
export function traceDatabase(database: Database, options: TraceDatabaseOptions): Database {
  const trace = createTracer(options);
  const traced = (tx: Transaction): Transaction => ({
    ...tx,
    execute: (sql, parameters) => trace.statement(sql, () => tx.execute(sql, parameters)),
    query: (sql, parameters) => trace.statement(sql, () => tx.query(sql, parameters)),
  });
  return {
    ...database,
    // What joins a transaction is run, and traced, by that.
    readTexts: (...read) =>
      database.joined() === null
        ? trace.statement(read[0], () => database.readTexts(...read))
        : database.readTexts(...read),
    readNumber: (...read) =>
      database.joined() === null
        ? trace.statement(read[0], () => database.readNumber(...read))
        : database.readNumber(...read),
    transact: (work, transactOptions) =>
      database.joined() === null
        ? trace.transaction(() => database.transact((tx) => work(traced(tx)), transactOptions))
        : database.transact(work, transactOptions),
  };
}
