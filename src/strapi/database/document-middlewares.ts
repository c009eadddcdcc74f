import { isDeepStrictEqual } from 'node:util';
import type { FindManyResult } from '../../documents/documents.js';
import type { DocumentHooks, DocumentOperation } from '../../documents/hooks.js';
import { parseChangedVersion, parseNewVersion } from '../../documents/write/write-params.js';
import type { VersionData } from '../../documents/write/write-params.js';
import { ForbiddenError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import { clientRequestOf, codeCallOf, fromCode } from '../../query/read-access.js';
import type { ClientRequest, ReadAccess } from '../../query/read-access.js';
import { exposeModel } from '../../query/schema-fields.js';
import {
  changeableQuery,
  parseChangedSelection,
  printReadParams,
  printSelection,
} from './changeable-query.js';
import { sanitizeForClient, visibleSelection } from './read-lifecycles.js';
import { dataForCode, knownData, withoutAbsent } from './entry-shape.js';

type Params = Record<string, unknown>;
type Next = () => Promise<unknown>;

/**
 * The context of a middleware of `strapi.documents.use`. The middleware may change `params` before it calls
 * `next`.
 */
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
}

/** An operation in Strapi's form. */
interface ShownOperation {
  /** Strapi's name of the operation, if it differs from Galley's. */
  readonly action?: string;
  readonly params: Params;
  /** Applies the changes of the middleware to the operation. */
  readonly apply: (params: Params) => void;
  /** Converts a result to the form that the middleware reads. */
  readonly show: (result: unknown) => unknown;
  /** Converts the value that the middleware returns to a result. */
  readonly finish: (shown: unknown, result: unknown) => unknown;
}

type OperationOf<Action> = Extract<DocumentOperation, { readonly action: Action }>;

const parseRecord = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);

/** Returns the client request of a read. Code may read for a client; its parameters then carry the access. */
const requestOf = (query: ReadQuery): ClientRequest | undefined => {
  const access = codeCallOf(query)?.access;
  return access === undefined
    ? clientRequestOf(query)
    : { access, action: query.page === null ? 'findOne' : 'find' };
};

const showRead = ({ model, defaultLocale }: MiddlewareDependencies, query: ReadQuery, more: Params = {}) => {
  const type = typeOf(model, query.type);
  const request = requestOf(query);
  const selection = visibleSelection({ type, selection: query.selection, request });
  const call = codeCallOf(query);
  const { params, changed } = changeableQuery(model, query, {
    params: { ...printReadParams(query, type.localized, selection), ...call?.params, ...more },
    request,
    defaultLocale,
    toPopulate: (_model, schema, requested) => withoutAbsent(schema, requested),
  });
  return {
    params,
    changed: (given: Params): ReadQuery => {
      const next = changed(given);
      return next === query || call === undefined ? next : fromCode(next, { ...call, params: given });
    },
  };
};

/** Creates the function that sanitizes a record for the client, if a middleware changed it or its query. */
const createCleaner =
  ({ model }: MiddlewareDependencies, uid: Uid, access: ReadAccess | undefined) =>
  (hasOtherQuery: boolean, before: unknown, after: unknown): unknown =>
    hasOtherQuery || !isDeepStrictEqual(before, after)
      ? sanitizeForClient(model, { uid, access }, after)
      : after;

const showFindMany = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'findMany'>,
): ShownOperation => {
  const read = operation.params;
  const { params, changed } = showRead(dependencies, read);
  const clean = createCleaner(dependencies, read.type, clientRequestOf(read)?.access);
  const isFirst = codeCallOf(read)?.isFirst === true;
  const listOf = (shown: unknown): readonly unknown[] => {
    if (Array.isArray(shown)) return shown;
    return isFirst && shown !== null && shown !== undefined ? [shown] : [];
  };
  return {
    params,
    ...(isFirst ? { action: 'findFirst' } : {}),
    apply: (given) => {
      operation.params = changed(given);
    },
    show: (result) => {
      const records = (result as FindManyResult | undefined)?.records.map(parseRecord);
      return isFirst ? (records?.[0] ?? null) : records;
    },
    finish: (shown, result) => ({
      total: listOf(shown).length,
      ...(result as FindManyResult | undefined),
      records: listOf(shown).map((record: unknown, index) => {
        const before = parseRecord((result as FindManyResult | undefined)?.records[index]);
        return JSON.stringify(clean(operation.params !== read, before, record));
      }),
    }),
  };
};

const showFindOne = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'findOne'>,
): ShownOperation => {
  const { query: read, documentId } = operation.params;
  const clean = createCleaner(dependencies, read.type, clientRequestOf(read)?.access);
  const { params, changed } = showRead(dependencies, read, documentId === null ? {} : { documentId });
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
    show: parseRecord,
    finish: (shown, result) =>
      shown === null || shown === undefined
        ? null
        : JSON.stringify(clean(operation.params.query !== read, parseRecord(result), shown)),
  };
};

const showCount = (dependencies: MiddlewareDependencies, operation: OperationOf<'count'>): ShownOperation => {
  const { params, changed } = showRead(dependencies, operation.params);
  return {
    params,
    apply: (given) => {
      operation.params = changed(given);
    },
    show: (result) => result,
    finish: (shown) => shown,
  };
};

/**
 * Shows an aggregate as a read of a list without records, which Strapi's code knows how to restrict. An
 * aggregate that a middleware does not read is rejected.
 */
const showAggregate = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'aggregate'>,
): ShownOperation => {
  const { params, changed } = showRead(dependencies, operation.params.query);
  return {
    action: 'findMany',
    params,
    apply: (given) => {
      operation.params = { ...operation.params, query: changed(given) };
    },
    show: () => [],
    finish: (_shown, result) => {
      if (result === undefined) throw new ForbiddenError();
      return result;
    },
  };
};

type ContentWrite = OperationOf<'create'> | OperationOf<'update'>;

/** Returns the selection of a write, parsed again if the middleware has changed it. */
const changedSelection = (
  { model }: MiddlewareDependencies,
  {
    action,
    written: { type, selection, access, status = 'published' },
  }: { readonly action: ContentWrite['action']; readonly written: ContentWrite['params'] },
  [before, after]: readonly [Params, Params],
): Selection => {
  if (['fields', 'populate'].every((name) => isDeepStrictEqual(before[name], after[name]))) return selection;
  const populate = withoutAbsent(typeOf(exposeModel(model), type), after['populate']);
  return parseChangedSelection(
    model,
    { type, status, requested: { fields: after['fields'], populate } },
    access === undefined ? undefined : { access, action },
  );
};

const textOr = (value: unknown, fallback: string | undefined): string | undefined =>
  typeof value === 'string' ? value : fallback;

interface ShownRecord {
  readonly documentId?: string;
  readonly record: string;
}

const recordOf = (result: unknown): ShownRecord | null =>
  isRecord(result) && typeof result['record'] === 'string' ? (result as unknown as ShownRecord) : null;

const withRecord = (result: unknown, record: unknown): unknown =>
  record === null || record === undefined
    ? null
    : {
        ...(isRecord(record) ? { documentId: record['documentId'] } : {}),
        ...(isRecord(result) ? result : {}),
        record: JSON.stringify(record),
      };

/** Parses the data of a write that a middleware has changed. */
const changedVersion = (
  { model, defaultLocale }: MiddlewareDependencies,
  operation: ContentWrite,
  given: { readonly data: Params; readonly locale: string | undefined },
): VersionData => {
  const type = typeOf(model, operation.params.type);
  const version =
    operation.action === 'create'
      ? parseNewVersion(type, given)
      : parseChangedVersion(type, { ...given, documentId: operation.params.documentId }, defaultLocale());
  return { ...version, data: knownData(model, type, version.data) };
};

const showContentWrite = (dependencies: MiddlewareDependencies, operation: ContentWrite): ShownOperation => {
  const { model } = dependencies;
  const { params: written } = operation;
  const { data, status, locale, selection, type } = written;
  const call = codeCallOf(written);
  const clean = createCleaner(dependencies, type, written.access);
  const documentId = 'documentId' in written ? { documentId: written.documentId } : {};
  const params: Params = {
    ...documentId,
    ...(locale === undefined ? {} : { locale }),
    ...(visibleSelection({ type: typeOf(model, type), selection, request: clientRequestOf(written) }) ??
      printSelection(selection)),
    ...call?.params,
    status: status ?? 'published',
    data: isRecord(data) ? { ...dataForCode(typeOf(model, type), written), ...data } : data,
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
        selection: changedSelection(dependencies, { action: operation.action, written }, [before, given]),
        ...(operation.action === 'update'
          ? { documentId: textOr(given['documentId'], operation.params.documentId) ?? '' }
          : {}),
      } as const;
      operation.params =
        call === undefined
          ? applied
          : fromCode(applied, { ...call, params: { ...call.params, data: changed } });
    },
    show: (result) => parseRecord(recordOf(result)?.record),
    finish: (shown, result) => {
      const isChanged = operation.params.selection !== selection;
      return withRecord(result, clean(isChanged, parseRecord(recordOf(result)?.record), shown));
    },
  };
};

const showVersionWrite = (
  dependencies: MiddlewareDependencies,
  operation: OperationOf<'delete' | 'publish' | 'unpublish' | 'discardDraft'>,
): ShownOperation => {
  const { documentId, locale, type, access } = operation.params;
  const clean = createCleaner(dependencies, type, access);
  const call = codeCallOf(operation.params);
  const entriesOf = (result: unknown): readonly unknown[] => {
    const written = recordOf(result);
    return written === null ? [] : [parseRecord(written.record)];
  };
  return {
    params: { ...call?.params, documentId, ...(locale === undefined ? {} : { locale }) },
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
      return withRecord(result, clean(false, entriesOf(result)[0], entries[0]));
    },
  };
};

const showOperation = (
  dependencies: MiddlewareDependencies,
  operation: DocumentOperation,
): ShownOperation => {
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
      return showAggregate(dependencies, operation);
    default:
      return showVersionWrite(dependencies, operation);
  }
};

/**
 * Adds a middleware in Strapi's form around all operations on documents of any caller. Returns a function
 * that removes it.
 */
export function useDocumentMiddleware(
  dependencies: MiddlewareDependencies,
  middleware: StrapiMiddleware,
): () => void {
  return dependencies.hooks.wrap(
    async (operation, next) => {
      const shown = showOperation(dependencies, operation);
      const { type: uid } = operation;
      const action = shown.action ?? operation.action;
      const contentType = dependencies.contentTypeOf(uid);
      const context: MiddlewareContext = { uid, type: uid, action, params: shown.params, contentType };
      let result: unknown;
      const returned = await middleware(context, async () => {
        shown.apply(context.params);
        result = await next();
        return shown.show(result);
      });
      return shown.finish(returned, result);
    },
    { concerns: 'all' },
  );
}
