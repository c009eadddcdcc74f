import type { FastifyRequest } from 'fastify';
import type { LocaleRecord } from '../../access/access.js';
import { deleteSingle, saveSingle } from '../../documents/documents.js';
import type { CreateParams, DeleteParams } from '../../documents/documents.js';
import type { Schedule } from '../../documents/schedules/schedule-store.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import type { ContentType } from '../../model/model.js';
import { parseAggregate } from '../../query/parse/parse-aggregate.js';
import { parseSelection } from '../../query/parse/parse-read-query.js';
import { sentLocale } from '../../query/parse/parse-version.js';
import { SELECTION_OPTIONS } from '../../query/parse/populate-variants.js';
import { invalidParameter } from '../../query/read-context.js';
import { callerOf, clientSignalOf } from '../http/request-lifecycle.js';
import { createBulkHandler } from './bulk-handler.js';
import { createReadHandler } from './cached-read.js';
import { bodyOfMany, bodyOfOne, printAggregate, printOne, sendJson } from './envelope.js';
import { cachedQueryOf, dataOf, documentIdOf, localeOf, queryOf, writeParamsOf } from './handler.js';
import type { Handler, ReadDependencies, RestDependencies } from './handler.js';
import { preconditionOf, sendWritten } from './preconditions.js';
import type { ContentOperation } from './routes/content-routes.js';
import { TRASH_HANDLERS } from './trash-handlers.js';

/** The locale of a document that a request names, and the caller's read access. */
interface DocumentLocale {
  readonly type: string;
  readonly documentId: string;
  readonly locale: string | undefined;
  readonly access: ReturnType<RestDependencies['access']['readAccessOf']>;
}

/** Creates the handler of a request about one locale of a document. `print` returns null if there is none. */
const documentLocaleHandler =
  (
    dependencies: RestDependencies,
    type: ContentType,
    print: (params: DocumentLocale, request: FastifyRequest) => Promise<string | null>,
  ): Handler =>
  async (request, reply) => {
    const { access, documents } = dependencies;
    const documentId =
      type.kind === 'singleType' ? await documents.singleDocumentId(type.uid) : documentIdOf(request);
    const locale = localeOf(dependencies, request);
    const params = { type: type.uid, locale, access: access.readAccessOf(callerOf(request)) };
    const text = documentId === null ? null : await print({ ...params, documentId }, request);
    if (text === null) throw createError('request/not-found');
    return sendJson(reply, 200, text);
  };

const printSchedule = (found: Schedule | null): string | null =>
  found === null ? null : printOne(JSON.stringify(found));

/** GET /api/articles/:documentId/schedule and GET /api/homepage/schedule */
function findSchedule(dependencies: RestDependencies, type: ContentType): Handler {
  return documentLocaleHandler(dependencies, type, async (params) =>
    printSchedule(await dependencies.documents.findSchedule(params)),
  );
}

/** PUT /api/articles/:documentId/schedule and PUT /api/homepage/schedule */
function schedule(dependencies: RestDependencies, type: ContentType): Handler {
  return documentLocaleHandler(dependencies, type, async (params, request) =>
    printSchedule(await dependencies.documents.schedule({ ...params, data: dataOf(request) })),
  );
}

const versionOf = (request: FastifyRequest): number => {
  const { version = '' } = request.params as { readonly version?: string };
  if (!/^[1-9]\d{0,8}$/.test(version))
    throw invalidParameter('version', 'it must be the number of a version.');
  return Number(version);
};

const historyOf = ({ history }: RestDependencies): DocumentHistory => defined(history, 'The history');

/** GET /api/articles/:documentId/versions */
function findVersions(dependencies: RestDependencies, type: ContentType): Handler {
  return documentLocaleHandler(dependencies, type, async (params) => {
    const versions = await historyOf(dependencies).list(params);
    return versions === null ? null : printOne(JSON.stringify(versions));
  });
}

/** GET /api/articles/:documentId/versions/:version */
function findVersion(dependencies: RestDependencies, type: ContentType): Handler {
  return documentLocaleHandler(dependencies, type, async (params, request) => {
    const found = await historyOf(dependencies).find(params, versionOf(request));
    return found === null ? null : printOne(JSON.stringify(found));
  });
}

/** POST /api/articles/:documentId/versions/:version/restore */
function restoreVersion(dependencies: RestDependencies, type: ContentType): Handler {
  return documentLocaleHandler(dependencies, type, async (params, request) => {
    const ifMatch = preconditionOf(dependencies, type, request);
    const restored = await historyOf(dependencies).restore({ ...params, ifMatch }, versionOf(request));
    if (restored === null) return null;
    return `{"data":${restored.record},"meta":${JSON.stringify({ omitted: restored.omitted })}}`;
  });
}

/** GET /api/articles */
const find = (dependencies: ReadDependencies, type: ContentType): Handler =>
  createReadHandler(dependencies, type, {
    queryOf: (request) => cachedQueryOf(dependencies, type, request, true),
    read: async (query, _request, signal) =>
      bodyOfMany(await dependencies.documents.findMany(query, signal), query.page),
    hasEtag: false,
  });

/** GET /api/articles/:documentId and GET /api/homepage */
const findOne = (dependencies: ReadDependencies, type: ContentType): Handler => {
  const isSingle = type.kind === 'singleType';
  return createReadHandler(dependencies, type, {
    queryOf: (request) => cachedQueryOf(dependencies, type, request, false),
    read: async (query, request, signal) => {
      const documentId = documentIdOf(request);
      const record =
        isSingle || documentId !== null
          ? await dependencies.documents.findOne(query, documentId, signal)
          : null;
      if (record === null) throw createError('request/not-found');
      return bodyOfOne(record);
    },
    hasEtag: true,
  });
};

/** GET /api/articles/aggregate */
const aggregate =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const { model, limits, access, documents } = dependencies;
    const query = parseAggregate(model, type.uid, queryOf(request), {
      limits,
      access: access.readAccessOf(callerOf(request)),
      defaultLocale: access.locales.defaultCode(),
    });
    const figures = await documents.aggregate(query, clientSignalOf(reply));
    return sendJson(reply, 200, printAggregate(figures, query));
  };

interface CreatedData {
  readonly data: Readonly<Record<string, unknown>>;
  /** The ignored keys of the data, each with the parameter to send instead. */
  readonly ignored: readonly string[];
}

/**
 * Returns the data of a new document. Strapi clients send `locale` and `publishedAt` in the data of localised
 * types, where they have no effect. The response warns about them; all other writes reject ignored keys.
 */
const createdDataOf = (
  type: ContentType,
  sent: Readonly<Record<string, unknown>>,
  { locale: writtenLocale, status }: Pick<CreateParams, 'locale' | 'status'>,
): CreatedData => {
  if (!type.localized) return { data: sent, ignored: [] };
  const { locale = writtenLocale, publishedAt, ...data } = sent;
  const isDraft = publishedAt === null && type.draftAndPublish && status === 'draft';
  return {
    data,
    ignored: [
      ...(locale === null || locale === writtenLocale ? [] : ['data.locale: send the parameter locale']),
      ...(publishedAt === undefined || isDraft ? [] : ['data.publishedAt: send the parameter status']),
    ],
  };
};

/** POST /api/articles */
const create =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const params = writeParamsOf(dependencies, type, request, { action: 'create' });
    const { data, ignored } = createdDataOf(type, dataOf(request), params);
    const { record } = await dependencies.documents.create({ ...params, data });
    if (ignored.length > 0) reply.header('warning', `299 - "Ignored ${ignored.join('; ')}"`);
    return sendWritten(dependencies, type, request, reply, { code: 201, status: params.status, record });
  };

/** PUT /api/articles/:documentId */
const update =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const ifMatch = preconditionOf(dependencies, type, request);
    const params = { ...writeParamsOf(dependencies, type, request, { action: 'update' }), ifMatch };
    const documentId = documentIdOf(request);
    const updated =
      documentId === null ? null : await dependencies.documents.update({ documentId, ...params });
    if (updated === null) throw createError('request/not-found');
    const { record } = updated;
    return sendWritten(dependencies, type, request, reply, { code: 200, status: params.status, record });
  };

/** PUT /api/homepage */
const updateSingle =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const ifMatch = preconditionOf(dependencies, type, request);
    const params = { ...writeParamsOf(dependencies, type, request, { action: 'update' }), ifMatch };
    const { record } = await saveSingle(dependencies.documents, params);
    return sendWritten(dependencies, type, request, reply, { code: 200, status: params.status, record });
  };

/**
 * Parses a deletion. With `If-Match`, the error contains the attributes that the request selects.
 *
 * @throws `request/invalid-parameter` if a request without `If-Match` selects attributes
 */
const deletionOf = (
  dependencies: RestDependencies,
  type: ContentType,
  request: FastifyRequest,
): Omit<DeleteParams, 'documentId'> => {
  const { model, limits, access: accesses } = dependencies;
  const access = accesses.readAccessOf(callerOf(request));
  const params = { type: type.uid, locale: localeOf(dependencies, request), access };
  const ifMatch = preconditionOf(dependencies, type, request);
  if (ifMatch === undefined) {
    const unused = SELECTION_OPTIONS.find((name) => Object.hasOwn(queryOf(request), name));
    if (unused !== undefined) throw invalidParameter(unused, 'a DELETE request needs If-Match to have it.');
    return params;
  }
  const options = { limits, access, action: 'delete', status: 'draft' } as const;
  return { ...params, ifMatch, selection: parseSelection(model, type.uid, queryOf(request), options) };
};

/** DELETE /api/articles/:documentId: 204 even if there is no such document, as in Strapi. */
const deleteOne =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const documentId = documentIdOf(request);
    if (documentId !== null)
      await dependencies.documents.delete({ documentId, ...deletionOf(dependencies, type, request) });
    return reply.code(204).send();
  };

/** DELETE /api/homepage: 204 even if there is no document. */
const deleteSingleDocument =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    await deleteSingle(dependencies.documents, deletionOf(dependencies, type, request));
    return reply.code(204).send();
  };

const attributesOf = (value: unknown): readonly string[] | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.split(',');
  throw invalidParameter('attributes', 'it must be names of attributes, separated by commas.');
};

/** POST /api/articles/:documentId?locale=de&from=en and POST /api/homepage?locale=de&from=en */
const translate =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const { documents } = dependencies;
    const query = queryOf(request);
    const locale = sentLocale(query['locale']);
    if (locale === undefined) throw invalidParameter('locale', 'the new locale is required.');
    const documentId =
      type.kind === 'singleType' ? await documents.singleDocumentId(type.uid) : documentIdOf(request);
    const data = isRecord(request.body) && request.body['data'] !== undefined ? dataOf(request) : {};
    const options = { action: 'update', data, defaultStatus: 'draft' } as const;
    const translation = {
      ...writeParamsOf(dependencies, type, request, options),
      locale,
      data,
      from: sentLocale(query['from']),
      attributes: attributesOf(query['attributes']),
    };
    const translated = documentId === null ? null : await documents.translate({ ...translation, documentId });
    if (translated === null) throw createError('request/not-found');
    const { record, omitted } = translated;
    return sendJson(reply, 201, `{"data":${record},"meta":${JSON.stringify({ omitted })}}`);
  };

/** Creates the handler of each operation for one content type. */
export const CONTENT_HANDLERS: Readonly<
  Record<ContentOperation, (dependencies: ReadDependencies, type: ContentType) => Handler>
> = {
  find,
  findOne,
  aggregate,
  create,
  update,
  delete: deleteOne,
  bulk: createBulkHandler,
  findSingle: findOne,
  updateSingle,
  deleteSingle: deleteSingleDocument,
  findSchedule,
  schedule,
  findScheduleOfSingle: findSchedule,
  scheduleSingle: schedule,
  findVersions,
  findVersion,
  restoreVersion,
  translate,
  ...TRASH_HANDLERS,
};

const printLocale = (locale: LocaleRecord): Readonly<Record<string, unknown>> => {
  const { id, documentId, name, code, createdAt, updatedAt, publishedAt, isDefault } = locale;
  return { id, documentId, name, code, createdAt, updatedAt, publishedAt, isDefault };
};

/** GET /api/i18n/locales: a list without an envelope. */
export function createListLocalesHandler({ access }: RestDependencies): Handler {
  return async (_request, reply) =>
    sendJson(reply, 200, JSON.stringify(access.locales.all().map(printLocale)));
}
