import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/database/database.js';
import { createDocumentService } from '../../../src/documents/create-document-service.js';
import type { DocumentServiceParts } from '../../../src/documents/create-document-service.js';
import type { DocumentService, LocaleBook } from '../../../src/documents/documents.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { GalleyError } from '../../../src/errors/galley-error.js';
import { parseReadQuery, parseSelection } from '../../../src/query/parse-read-query.js';
import { parseStatus } from '../../../src/query/parse-version.js';
import type { RawReadParams } from '../../../src/query/query.js';
import type { World } from '../../support/world.js';

export type Answer = Readonly<Record<string, unknown>> & { readonly id: number; readonly documentId: string };

const OPTIONS = { limits: { defaultLimit: 100, maxLimit: 100, populateDepth: 20, maxNodes: 1000 }, access: { canFind: () => true }, defaultLocale: 'en' };

export const LOCALES: LocaleBook = { defaultCode: () => 'en', has: (code) => ['en', 'fr', 'de'].includes(code) };

type WriteParams = Pick<RawReadParams, 'fields' | 'populate' | 'status'> & { readonly locale?: string };

/** The document service as a transport uses it: parameters as they come, answers as objects. Types go by their singular name. */
export interface Api {
  readonly documents: DocumentService;
  readonly create: (type: string, data: unknown, params?: WriteParams) => Promise<Answer>;
  readonly update: (type: string, documentId: string, data: unknown, params?: WriteParams) => Promise<Answer | null>;
  readonly one: (type: string, documentId: string, params?: RawReadParams) => Promise<Answer | null>;
  readonly list: (type: string, params?: RawReadParams) => Promise<readonly Answer[]>;
  readonly remove: (type: string, documentId: string, locale?: string) => Promise<boolean>;
  readonly act: (action: 'publish' | 'unpublish' | 'discardDraft', type: string, documentId: string, params?: WriteParams) => Promise<Answer | null>;
}

const read = (text: string): Answer => JSON.parse(text) as Answer;

export function uidOf({ model }: Pick<World, 'model'>, name: string): string {
  const type = model.types.find(({ singularName }) => singularName === name);
  if (type === undefined) throw new Error(`No type ${name}`);
  return type.uid;
}

export function createApi(world: Pick<World, 'model' | 'database'>, parts: Partial<DocumentServiceParts> = {}): Api {
  const { model } = world;
  const documents = createDocumentService({ model, database: world.database, locales: LOCALES, ...parts });
  const uid = (name: string): string => uidOf(world, name);
  const query = (name: string, params: RawReadParams = {}) => parseReadQuery(model, uid(name), params, OPTIONS);
  const answered = (name: string, { locale, status, ...params }: WriteParams = {}) => ({
    type: uid(name), selection: parseSelection(model, uid(name), params, OPTIONS), locale, status: status === undefined ? undefined : parseStatus(status),
  });
  const recordOf = (outcome: { readonly record: string } | null): Answer | null => (outcome === null ? null : read(outcome.record));
  return {
    documents,
    create: async (name, data, params) => read((await documents.create({ ...answered(name, params), data })).record),
    update: async (name, documentId, data, params) => recordOf(await documents.update({ ...answered(name, params), documentId, data })),
    one: async (name, documentId, params) => {
      const text = await documents.findOne(query(name, params), documentId);
      return text === null ? null : read(text);
    },
    list: async (name, params) => (await documents.findMany(query(name, params))).records.map(read),
    remove: (name, documentId, locale) => documents.delete({ type: uid(name), documentId, locale }),
    act: async (action, name, documentId, params) => recordOf(await documents[action]({ ...answered(name, params), documentId })),
  };
}

/** The catalogue error a call is refused with; anything else fails the test. */
export async function refusal(work: Promise<unknown>): Promise<GalleyError> {
  const outcome = await work.then(() => null).catch((error: unknown) => error);
  if (!isGalleyError(outcome)) throw new Error('was not refused by the catalogue', { cause: outcome });
  return outcome;
}

/** The paths at fault, or the error's code where it names none. */
export async function faultsOf(work: Promise<unknown>): Promise<string | readonly string[]> {
  const { code, details } = await refusal(work);
  return details.errors === undefined ? code : details.errors.map(({ path }) => path.join('.'));
}

/** Every row of every table that holds content, to see that nothing has changed. */
export async function dumpContent({ model, database }: Pick<World, 'model' | 'database'>): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = new Set(model.types.flatMap((type) => [type.storage.anchor.model, type.storage.version.model, ...linkModels(type.attributes)]));
  return database.transact(async (tx) => {
    const dump: Record<string, readonly string[]> = {};
    for (const name of names) dump[name] = (await tx.model(name).findMany({})).map((row) => JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))).toSorted();
    return dump;
  });
}

const linkModels = (attributes: World['model']['types'][number]['attributes']): readonly string[] =>
  Object.values(attributes).flatMap((attribute) => ('link' in attribute && attribute.link !== null && attribute.link.kind !== 'column' ? [attribute.link.model] : []));

/** `insert articles_documents`; a question about many tables is only `select`. */
const labelOf = (sql: string): string => {
  const [, verb = '', table = ''] = /^(insert into|update|delete from) "(\w+)"/.exec(sql) ?? [];
  return verb === '' ? sql.slice(0, sql.indexOf(' ')) : `${verb.replace(/ (?:into|from)$/, '')} ${table}`;
};

/** A database whose transactions count their statements, and fail at the one `failAt` says. */
export interface WatchedDatabase {
  readonly database: Database;
  readonly statements: string[];
  failAt: number;
}

export function watchDatabase(database: Database): WatchedDatabase {
  const watched: WatchedDatabase = {
    statements: [],
    failAt: 0,
    database: {
      ...database,
      transact: (work) => database.transact(async (tx) => {
        watched.statements.length = 0;
        const step = <T>(name: string, run: () => Promise<T>): Promise<T> => {
          watched.statements.push(name);
          if (watched.statements.length === watched.failAt) return Promise.reject(new Error(`statement ${watched.failAt} failed`));
          return run();
        };
        return work({
          lock: (name) => step('lock', () => tx.lock(name)),
          yieldSoon: () => tx.yieldSoon(),
          execute: (sql, parameters) => step(labelOf(sql), () => tx.execute(sql, parameters)),
          query: (sql, parameters) => step(labelOf(sql), () => tx.query(sql, parameters)),
          model: (name) => {
            const delegate = tx.model(name);
            return new Proxy(delegate, {
              get: (target, method) => {
                const call: unknown = Reflect.get(target, method);
                if (typeof call !== 'function') return call;
                return (argument: unknown) => step(`${name}.${String(method)}`, () => Reflect.apply(call, target, [argument]) as Promise<unknown>);
              },
            });
          },
        });
      }),
    },
  };
  return watched;
}

/** A database whose transactions linger after each question, up to so long, so that others come in between now and then. */
export function lingering(database: Database, milliseconds: number): Database {
  return {
    ...database,
    transact: (work) => database.transact((tx) => work({
      ...tx,
      query: async (sql, parameters) => {
        const rows = await tx.query(sql, parameters);
        await sleep(Math.random() * milliseconds);
        return rows;
      },
    })),
  };
}

/** A clock that is one second later every time it is looked at. */
export function steppingClock(): () => Date {
  let time = Date.parse('2026-01-01T00:00:00.000Z');
  return () => new Date((time += 1000));
}
