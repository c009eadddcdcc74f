import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '../../../src/database/database.js';
import { openRows } from '../../../src/database/table.js';
import { createDocumentService } from '../../../src/documents/create-document-service.js';
import type { DocumentServiceDependencies } from '../../../src/documents/create-document-service.js';
import type { DocumentService, Locales } from '../../../src/documents/documents.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { GalleyError } from '../../../src/errors/galley-error.js';
import { parseReadQuery, parseSelection } from '../../../src/query/parse/parse-read-query.js';
import { parseStatus } from '../../../src/query/parse/parse-version.js';
import type { RawReadParams } from '../../../src/query/read-context.js';
import type { TestEnvironment } from '../../support/test-environment.js';

export type ReturnedRecord = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly documentId: string;
};

const OPTIONS = {
  limits: { defaultLimit: 100, maxLimit: 100, populateDepth: 20, maxNodes: 1000 },
  access: { canFind: () => true },
  defaultLocale: 'en',
};

const LOCALES: Locales = {
  defaultCode: () => 'en',
  has: (code) => ['en', 'fr', 'de'].includes(code),
};

type WriteParams = Pick<RawReadParams, 'fields' | 'populate' | 'status'> & { readonly locale?: string };

/**
 * The document service as a transport uses it: it takes unparsed parameters and returns objects. Types are
 * named by their singular name.
 */
export interface Api {
  readonly documents: DocumentService;
  readonly create: (type: string, data: unknown, params?: WriteParams) => Promise<ReturnedRecord>;
  readonly update: (
    type: string,
    documentId: string,
    data: unknown,
    params?: WriteParams,
  ) => Promise<ReturnedRecord | null>;
  readonly one: (type: string, documentId: string, params?: RawReadParams) => Promise<ReturnedRecord | null>;
  readonly list: (type: string, params?: RawReadParams) => Promise<readonly ReturnedRecord[]>;
  readonly remove: (type: string, documentId: string, locale?: string) => Promise<boolean>;
  readonly act: (
    action: 'publish' | 'unpublish' | 'discardDraft',
    type: string,
    documentId: string,
    params?: WriteParams,
  ) => Promise<ReturnedRecord | null>;
}

const read = (text: string): ReturnedRecord => JSON.parse(text) as ReturnedRecord;

export function uidOf({ model }: Pick<TestEnvironment, 'model'>, name: string): string {
  const type = model.types.find(({ singularName }) => singularName === name);
  if (type === undefined) throw new Error(`No type ${name}`);
  return type.uid;
}

export function createApi(
  testEnvironment: Pick<TestEnvironment, 'model' | 'database'>,
  dependencies: Partial<DocumentServiceDependencies> = {},
): Api {
  const { model } = testEnvironment;
  const documents = createDocumentService({
    model,
    database: testEnvironment.database,
    locales: LOCALES,
    ...dependencies,
  });
  const uid = (name: string): string => uidOf(testEnvironment, name);
  const query = (name: string, params: RawReadParams = {}) =>
    parseReadQuery(model, uid(name), params, OPTIONS);
  const toServiceParams = (name: string, { locale, status, ...params }: WriteParams = {}) => ({
    type: uid(name),
    selection: parseSelection(model, uid(name), params, OPTIONS),
    locale,
    status: status === undefined ? undefined : parseStatus(status),
  });
  const recordOf = (outcome: { readonly record: string } | null): ReturnedRecord | null =>
    outcome === null ? null : read(outcome.record);
  return {
    documents,
    create: async (name, data, params) =>
      read((await documents.create({ ...toServiceParams(name, params), data })).record),
    update: async (name, documentId, data, params) =>
      recordOf(await documents.update({ ...toServiceParams(name, params), documentId, data })),
    one: async (name, documentId, params) => {
      const text = await documents.findOne(query(name, params), documentId);
      return text === null ? null : read(text);
    },
    list: async (name, params) => (await documents.findMany(query(name, params))).records.map(read),
    remove: (name, documentId, locale) => documents.delete({ type: uid(name), documentId, locale }),
    act: async (action, name, documentId, params) =>
      recordOf(await documents[action]({ ...toServiceParams(name, params), documentId })),
  };
}

/**
 * Returns the catalogue error that a call is refused with.
 *
 * @throws if the call succeeds or fails otherwise
 */
export async function errorOf(work: Promise<unknown>): Promise<GalleyError> {
  const outcome = await work.then(() => null).catch((error: unknown) => error);
  if (!isGalleyError(outcome)) throw new Error('was not refused by the catalogue', { cause: outcome });
  return outcome;
}

/** Returns the invalid paths of the error that a call is refused with, or its code if it names none. */
export async function issuesOf(work: Promise<unknown>): Promise<string | readonly string[]> {
  const { code, details } = await errorOf(work);
  return details.errors === undefined ? code : details.errors.map(({ path }) => path.join('.'));
}

/** Returns every row of every table with content, to compare it before and after a call. */
export async function dumpContent({
  model,
  database,
}: Pick<TestEnvironment, 'model' | 'database'>): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = new Set(
    model.types.flatMap((type) => [
      type.storage.document.model,
      type.storage.version.model,
      ...linkModels(type.attributes),
    ]),
  );
  return database.transact(async (tx) => {
    const dump: Record<string, readonly string[]> = {};
    for (const name of names)
      dump[name] = (await tx.model(name).findMany({}))
        .map((row) =>
          JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
        )
        .toSorted();
    return dump;
  });
}

const linkModels = (attributes: TestEnvironment['model']['types'][number]['attributes']): readonly string[] =>
  Object.values(attributes).flatMap((attribute) =>
    'link' in attribute && attribute.link !== null && attribute.link.kind !== 'column'
      ? [attribute.link.model]
      : [],
  );

/** Returns a short form of a statement: `insert articles_documents`. For a query that is only `select`. */
const labelOf = (sql: string): string => {
  const [, verb = '', table = ''] = /^(insert into|update|delete from) "(\w+)"/.exec(sql) ?? [];
  return verb === '' ? sql.slice(0, sql.indexOf(' ')) : `${verb.replace(/ (?:into|from)$/, '')} ${table}`;
};

/**
 * A database that records the statements of the last transaction. The statement whose number is `failAt`,
 * counted from 1, fails; 0: none does.
 */
export interface WatchedDatabase {
  readonly database: Database;
  readonly statements: string[];
  failAt: number;
}

/** Calls `observe` before each statement of a transaction that is not sent through a model. */
export function observeStatements(
  database: Database,
  observe: (tx: Transaction, sql: string, parameters: readonly unknown[]) => Promise<void>,
): Database {
  return {
    ...database,
    transact: (work, options) =>
      database.transact(
        (tx) =>
          work({
            ...tx,
            query: async (sql, parameters) => {
              await observe(tx, sql, parameters);
              return tx.query(sql, parameters);
            },
            execute: async (sql, parameters) => {
              await observe(tx, sql, parameters);
              return tx.execute(sql, parameters);
            },
          }),
        options,
      ),
  };
}

export function watchDatabase(database: Database): WatchedDatabase {
  const watched: WatchedDatabase = {
    statements: [],
    failAt: 0,
    database: {
      ...database,
      transact: (work, options) =>
        database.transact(async (tx) => {
          watched.statements.length = 0;
          const step = <T>(name: string, run: () => Promise<T>): Promise<T> => {
            watched.statements.push(name);
            if (watched.statements.length === watched.failAt)
              return Promise.reject(new Error(`statement ${watched.failAt} failed`));
            return run();
          };
          const statements = {
            execute: (sql: string, parameters: readonly unknown[]) =>
              step(labelOf(sql), () => tx.execute(sql, parameters)),
            query: (sql: string, parameters: readonly unknown[]) =>
              step(labelOf(sql), () => tx.query(sql, parameters)),
          };
          return work({
            ...statements,
            table: (table) => openRows(database.dialect.expressions, statements, table),
            lock: (name) => step('lock', () => tx.lock(name)),
            limitLockWaits: () => tx.limitLockWaits(),
            beforeCommit: (callback) => tx.beforeCommit(callback),
            afterCommit: (callback) => tx.afterCommit(callback),
            runProjectCode: (run) => tx.runProjectCode(run),
            model: (name) => {
              const delegate = tx.model(name);
              return new Proxy(delegate, {
                get: (target, method) => {
                  const call: unknown = Reflect.get(target, method);
                  if (typeof call !== 'function') return call;
                  return (argument: unknown) =>
                    step(
                      `${name}.${String(method)}`,
                      () => Reflect.apply(call, target, [argument]) as Promise<unknown>,
                    );
                },
              });
            },
          });
        }, options),
    },
  };
  return watched;
}

/**
 * Returns a database whose transactions pause after each query for a random time, so that transactions
 * overlap.
 *
 * @param milliseconds the longest pause
 */
export function withQueryDelay(database: Database, milliseconds: number): Database {
  return {
    ...database,
    transact: (work, options) =>
      database.transact(
        (tx) =>
          work({
            ...tx,
            query: async (sql, parameters) => {
              const rows = await tx.query(sql, parameters);
              await sleep(Math.random() * milliseconds);
              return rows;
            },
          }),
        options,
      ),
  };
}

/** Returns a clock that advances by one second with each call. */
export function steppingClock(): () => Date {
  let time = Date.parse('2026-01-01T00:00:00.000Z');
  return () => new Date((time += 1000));
}
