import { isDeepStrictEqual } from 'node:util';
import { parseChangedVersion, parseNewVersion } from '../../documents/given-version.js';
import type { GivenVersion } from '../../documents/given-version.js';
import type { FindManyResult } from '../../documents/documents.js';
import type { DocumentHooks, DocumentOperation } from '../../documents/hooks.js';
import { isRecord } from '../../lib/is-record.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { parseSelection } from '../../query/parse-read-query.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import { changeableQuery } from './changed-query.js';
import { withoutAbsent } from './complete-entry.js';
import { exposeModel } from '../../query/exposed-model.js';
import { printReadParams, printSelection } from './print-read-params.js';
import { SERVER_ACCESS, SERVER_LIMITS } from './version-reader.js';
import { knownData, unknownData } from './write-data.js';

type Params = Record<string, unknown>;
type Next = () => Promise<unknown>;

/** The parameters of operations as their callers wrote them. */
export type RawParams = WeakMap<object, Readonly<Record<string, unknown>>>;

/** Reads of lists of which the caller wants the first document alone. */
const firstReads = new WeakSet<ReadQuery>();

/** Says that a read of a list is `findFirst`, which middlewares are told. */
export function markFirst(query: ReadQuery): void {
  firstReads.add(query);
}

/** What a middleware of `strapi.documents.use` gets. It may change `params` before it calls `next`. */
interface MiddlewareContext {
  readonly uid: Uid;
  /** The same as `uid`. */
  readonly type: Uid;
  readonly action: string;
  params: Params;
  readonly contentType: unknown;
}

export type StrapiMiddleware = (context: MiddlewareContext, next: Next) => unknown;

export interface MiddlewareDependencies {
  readonly model: ContentModel;
  readonly hooks: DocumentHooks;
  readonly defaultLocale: () => string;
  readonly contentTypeOf: (uid: Uid) => unknown;
  readonly rawParams: RawParams;
}

/** An operation in Strapi's form. */
interface ShownOperation {
  /** What Strapi calls the operation. Absent: as Galley does. */
  readonly action?: string;
  readonly params: Params;
  /** Puts what the middleware has changed into the operation. */
  readonly apply: (params: Params) => void;
  /** Turns a result into one that the middleware reads. */
  readonly show: (result: unknown) => unknown;
  /** Turns what the middleware returns into a result. */
  readonly finish: (shown: unknown, result: unknown) => unknown;
}

type OperationOf<Action> = Extract<DocumentOperation, { readonly action: Action }>;

const parse = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);

const readOf = (
  { model, defaultLocale, rawParams }: MiddlewareDependencies,
  query: ReadQuery,
  more: Params = {},
) =>
  changeableQuery(model, query, {
    params: {
      ...printReadParams(query, typeOf(model, query.type).localized),
      ...rawParams.get(query),
      ...more,
    },
    defaultLocale,
    toPopulate: (_model, type, populate) => withoutAbsent(type, populate),
  });

const showFindMany = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'findMany'>,
): ShownOperation => {
  const { params, changed } = readOf(dependencies, operation.params);
  const isFirst = firstReads.has(operation.params);
  const listOf = (shown: unknown): readonly unknown[] => {
    if (Array.isArray(shown)) return shown;
    return isFirst && shown !== null && shown !== undefined ? [shown] : [];
  };
  return {
    params,
    ...(isFirst ? { action: 'findFirst' } : {}),
    apply: (given) => {
      operation.params = changed(given);
      if (isFirst) markFirst(operation.params);
    },
    show: (result) => {
      const records = (result as FindManyResult | undefined)?.records.map(parse);
      return isFirst ? (records?.[0] ?? null) : records;
    },
    finish: (shown, result) => ({
      total: listOf(shown).length,
      ...(result as FindManyResult | undefined),
      records: listOf(shown).map((record: unknown) => JSON.stringify(record)),
    }),
  };
};

const showFindOne = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'findOne'>,
): ShownOperation => {
  const { query, documentId } = operation.params;
  const { params, changed } = readOf(dependencies, query, documentId === null ? {} : { documentId });
  return {
    params,
    ...(documentId === null ? { action: 'findFirst' } : {}),
    apply: (given) => {
      const id = given['documentId'];
      operation.params = {
        query: changed(given),
        documentId: typeof id === 'string' ? id : documentId,
      };
    },
    show: parse,
    finish: (shown) => (shown === null || shown === undefined ? null : JSON.stringify(shown)),
  };
};

const showCount = (dependencies: MiddlewareDependencies, operation: OperationOf<'count'>): ShownOperation => {
  const { params, changed } = readOf(dependencies, operation.params);
  return {
    params,
    apply: (given) => {
      operation.params = changed(given);
    },
    show: (result) => result,
    finish: (shown) => shown,
  };
};

/** Returns the selection of a write, read again where the middleware has changed it. */
const selectionOf = (
  { model }: MiddlewareDependencies,
  { type, selection }: { readonly type: Uid; readonly selection: Selection },
  [before, after]: readonly [Params, Params],
): Selection => {
  if (['fields', 'populate'].every((name) => isDeepStrictEqual(before[name], after[name]))) return selection;
  const exposed = exposeModel(model);
  const populate = withoutAbsent(typeOf(exposed, type), after['populate']);
  return parseSelection(
    exposed,
    type,
    { fields: after['fields'], populate },
    { access: SERVER_ACCESS, limits: SERVER_LIMITS },
  );
};

const textOr = (value: unknown, fallback: string | undefined): string | undefined =>
  typeof value === 'string' ? value : fallback;

interface ShownRecord {
  readonly documentId?: string;
  readonly record: string;
}

const recordIn = (result: unknown): ShownRecord | null =>
  isRecord(result) && typeof result['record'] === 'string' ? (result as unknown as ShownRecord) : null;

const withRecord = (result: unknown, record: unknown): unknown =>
  record === null || record === undefined
    ? null
    : {
        ...(isRecord(record) ? { documentId: record['documentId'] } : {}),
        ...(isRecord(result) ? result : {}),
        record: JSON.stringify(record),
      };

/** Reads what a middleware has made of the data of a write. */
const changedVersion = (
  { model, defaultLocale }: MiddlewareDependencies,
  operation: OperationOf<'create'> | OperationOf<'update'>,
  given: { readonly data: Params; readonly locale: string | undefined },
): GivenVersion => {
  const type = typeOf(model, operation.params.type);
  const version =
    operation.action === 'create'
      ? parseNewVersion(type, given)
      : parseChangedVersion(type, { ...given, documentId: operation.params.documentId }, defaultLocale());
  return { ...version, data: knownData(model, type, version.data) };
};

const showContentWrite = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'create'> | OperationOf<'update'>,
): ShownOperation => {
  const { model, rawParams } = dependencies;
  const { params: written } = operation;
  const { data, status, locale, selection, type } = written;
  const documentId = 'documentId' in written ? { documentId: written.documentId } : {};
  const params: Params = {
    ...documentId,
    ...(locale === undefined ? {} : { locale }),
    ...printSelection(selection),
    ...rawParams.get(written),
    status: status ?? 'published',
    data: isRecord(data)
      ? { ...unknownData(typeOf(model, type), rawParams.get(written)?.['data']), ...data }
      : data,
  };
  const before = structuredClone({ fields: params['fields'], populate: params['populate'] });
  return {
    params,
    apply: (given) => {
      const changed = given['data'];
      const isChanged = isRecord(changed) && !isDeepStrictEqual(changed, data);
      const changedLocale = textOr(given['locale'], locale);
      const version = isChanged
        ? changedVersion(dependencies, operation, { data: changed, locale: changedLocale })
        : { data, locale: changedLocale };
      const applied = {
        ...written,
        ...version,
        status: given['status'] === 'draft' ? 'draft' : 'published',
        selection: selectionOf(dependencies, written, [before, given]),
        ...(operation.action === 'update'
          ? { documentId: textOr(given['documentId'], operation.params.documentId) ?? '' }
          : {}),
      } as const;
      operation.params = applied;
      const raw = rawParams.get(written);
      if (raw !== undefined) rawParams.set(applied, { ...raw, data: changed });
    },
    show: (result) => parse(recordIn(result)?.record),
    finish: (shown, result) => withRecord(result, shown),
  };
};

const showVersionWrite = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'delete' | 'publish' | 'unpublish' | 'discardDraft'>,
): ShownOperation => {
  const { documentId, locale } = operation.params;
  const raw = dependencies.rawParams.get(operation.params);
  const entriesOf = (result: unknown): readonly unknown[] => {
    const written = recordIn(result);
    return written === null ? [] : [parse(written.record)];
  };
  return {
    params: { ...raw, documentId, ...(locale === undefined ? {} : { locale }) },
    apply: (given) => {
      operation.params = {
        ...operation.params,
        documentId: textOr(given['documentId'], documentId) ?? documentId,
        locale: textOr(given['locale'], locale),
      };
    },
    show: (result) => ({ documentId, entries: entriesOf(result) }),
    finish: (shown, result) => {
      const entries = isRecord(shown) && Array.isArray(shown['entries']) ? shown['entries'] : [];
      if (operation.action === 'delete') return result ?? false;
      return withRecord(result, entries[0] as unknown);
    },
  };
};

const showOperation = (
  dependencies: MiddlewareDependencies,
  operation: DocumentOperation,
): ShownOperation | null => {
  switch (operation.action) {
    case 'findMany':
      return showFindMany(dependencies, operation);
    case 'findOne':
      return showFindOne(dependencies, operation);
    case 'count':
      return showCount(dependencies, operation);
    case 'create':
    case 'update':
      return showContentWrite(dependencies, operation);
    case 'aggregate':
      return null;
    default:
      return showVersionWrite(dependencies, operation);
  }
};

/**
 * Adds a middleware in Strapi's form around all operations on documents, whoever starts them. Returns a
 * function that removes it.
 */
export function useDocumentMiddleware(
  dependencies: MiddlewareDependencies,
  middleware: StrapiMiddleware,
): () => void {
  return dependencies.hooks.wrap(
    async (operation, next) => {
      const shown = showOperation(dependencies, operation);
      if (shown === null) return next();
      const { type: uid } = operation;
      const action = shown.action ?? operation.action;
      const contentType = dependencies.contentTypeOf(uid);
      const context: MiddlewareContext = { uid, type: uid, action, params: shown.params, contentType };
      let result: unknown;
      const answered = await middleware(context, async () => {
        shown.apply(context.params);
        result = await next();
        return shown.show(result);
      });
      return shown.finish(answered, result);
    },
    { concerns: 'all' },
  );
}
